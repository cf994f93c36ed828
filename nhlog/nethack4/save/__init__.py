"""Parsing of binary saves, part by part in the order of their bytes (save spec sections 1 to 4).

`head` reads only the first kilobytes, `save.Save` parses a whole save; `wire` has the record layouts.  Bytes in, values
out, every field checked; must not import anything of `nhlog.nethack4` but `tables`, nor do I/O.
"""
