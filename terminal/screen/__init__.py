"""The terminal: keys in, screens out, and the few shapes that all screens share.

`console.Console` is the only one that talks to the terminal.  Must not import anything else of the client.
"""
