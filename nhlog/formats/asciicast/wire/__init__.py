"""Headers and events as JSON, and events as the messages of a live stream (`alis`).

No I/O.  Must not import anything else of the format.
"""
