"""The terminal emulator, behind a wall: what runs in a process of its own, and nowhere else (see `worker`).

`library` finds the emulator, Ghostty's own core (libghostty-vt), `emulated` is one terminal, `cells` what it shows,
`worker` the process, `confined` and `calls` what that may do, `wire` what goes between it and who uses it, who is
:mod:`nhlog.vt`.  It imports little, as one is started for every verb that shows a terminal.  Must not import nhlog.vt.
"""
