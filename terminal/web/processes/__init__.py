"""The processes that read recordings, or show a player's terminal: `process` is the server's side of one.

`viewer`, `lister`, `streamer` and `terminal` run in them.  `wire` is what goes between them and the server, `pictures`
and `keys` what is told of a screen, `typing` what a player types.  Must not import the server.
"""
