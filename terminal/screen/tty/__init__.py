"""The terminal as the system and its bytes have it: modes and signals, keys and the mouse, and who gives it back.

`terminal.screen.console` uses them for the client, `raw` is for a program between two terminals.  Must not import what
draws.
"""
