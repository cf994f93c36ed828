"""Bytes and values of Echo VR sessions, both ways.

`values` says what a frame is, whichever kind of file it came from.  The modules beside it read .butter files, `encode`
writes them, `echoreplay` is the text form.  Must not import `reading`, `writing` or anything that does I/O.
"""
