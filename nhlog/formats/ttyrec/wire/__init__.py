"""Frames as bytes.

No I/O.  Must not import anything else of the format.
"""
