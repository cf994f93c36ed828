"""Conversion between bytes and values of Echo VR sessions.

`values` defines a frame, for both kinds of file.  The modules beside it decode .butter files, `encode` encodes them,
`echoreplay` is for the text files.  Must not import `reading`, `writing` or anything that does I/O.
"""
