"""The terminal: keyboard input, screen output, and what all screens share (theme, pages, columns, key tables).

`console.Console` is the only module that talks to the terminal.  Must not import any other package of the client.
"""
