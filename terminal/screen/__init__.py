"""The terminal: keys in, screens out, and what all screens of the client share (theme, pages, columns, tables of keys).

`console.Console` is the only module that talks to the terminal.  Must not import any other package of the client.
"""
