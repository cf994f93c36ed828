"""The NetHack 4.3 log file: reading, following, appending, recovering, and telling that it changed.

`log.Log` is an open log, `file.LogFile` its file, `append.Writer` who writes to it, `recovery` what takes lines back,
`notify.Changes` what tells of changes, `verify` what holds it against its rules.  `wire` has the bytes, `locks` the
locks.

Knows bytes, lines and saves as opaque bytes; must not import what shows or interprets them
(`replay`, `nethack4`, `formats`, `session`, `engines`, `terminal`).
"""
