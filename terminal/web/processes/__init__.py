"""The processes that read recordings for the server: `viewer` and `lister` run in them, `process` is the server's side.

`wire` is what goes between them, `confined` what they may do, `pictures` and `keys` what is told of a screen.  Must not
import the server.
"""
