"""What works on this machine: each check finds something, and says what to do where it does not work.

`finding` is what a check tells, `sharing` tries how processes share a log, `folders` where things are kept, `machine`
all else; `checks` is all of them.  Must not import a verb, the lobby or what plays and replays.
"""
