"""What works on this machine: each check finds something, and says what to do where it does not work.

`finding` is the result of a check. `sharing` checks how processes share a log, `folders` the folders and disks,
`server` the account, folders and keys of a server, `extras` the optional packages and bubblewrap, `streams` a
server of relayed games, `nethack` NetHack, `machine` the rest; `checks` runs them all.  Must not import a verb,
the lobby or what plays and replays.
"""
