"""Echo VR sessions: the compact .butter files and the .echoreplay text they are made from.

`primitives`, `header` and `wire` turn bytes into values and do no I/O; nothing here may import other formats,
`session`, `engines` or `terminal`.
"""
