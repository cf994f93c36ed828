"""Times between pieces of output.

No I/O.  Must not import anything else of the format.
"""
