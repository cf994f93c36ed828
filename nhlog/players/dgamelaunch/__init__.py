"""What a server of dgamelaunch has of its players, taken over into folders of ours.

`settings` reads dgamelaunch.conf, `logins` the list of players, `taking` says what becomes of each, and copies it. The
files are the players' own, and may be anything: no link is followed.  Must not import `terminal`.
"""
