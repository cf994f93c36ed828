"""NetHack 4.3 log files: reading, following, appending, recovering, and notification of changes.

`log.Log` is an open log, `file.LogFile` its file, `append.Writer` writes to it, `recovery` removes lines from its end,
`notify.Changes` reports changes, `verify` checks the format's rules.  `wire` has the bytes, `locks` the locks.

Knows bytes, lines and saves as opaque bytes; must not import what shows or interprets them (`replay`, `nethack4`,
`formats`, `session`, `engines`, `terminal`).
"""
