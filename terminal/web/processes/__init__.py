"""The processes that read recordings for the server: `process` is the server's side of one.

`viewer`, `lister` and `streamer` run in them.  `wire` is what goes between them and the server, `confined` what they
may do, `pictures` and `keys` what is told of a screen.  Must not import the server.
"""
