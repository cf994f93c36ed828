"""Lines of times, and the lines around the output.

No I/O.  Must not import anything else of the format.
"""
