"""Frames as bytes, and what their output tells of the terminal.

No I/O.  Must not import anything else of the format.
"""
