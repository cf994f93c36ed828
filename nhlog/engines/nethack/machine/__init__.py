"""NetHack as a machine: a process of its own in which nle's library runs one game, which keys drive.

`machine` starts it and talks to it, `worker` is the process, `library` what it loads, `clock` the time that this has,
`slots` where in the library that is put, `wire` what goes between them.  Only `worker` may import `library`.
"""
