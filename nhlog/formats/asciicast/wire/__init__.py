"""Headers and events as JSON.

No I/O.  Must not import anything else of the format.
"""
