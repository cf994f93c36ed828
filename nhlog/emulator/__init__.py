"""The terminal emulator, behind a wall: what runs in a process of its own, and nowhere else (see `worker`).

`library` finds the emulator, Ghostty's own core (libghostty-vt), and `declared` its declarations; `emulated` is one
terminal, `cells` what it shows, `joining` what it forgets to tell; `worker` is the process, which may do little
(:mod:`nhlog.confined`), `wire` what goes between it and who uses it, who is :mod:`nhlog.vt`.  It imports little, as one
is started for every verb that shows a terminal.  Must not import nhlog.vt.
"""
