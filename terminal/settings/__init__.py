"""What a player has chosen in the client and keeps: how screens look, and the options that new games begin with.

`kept` is the file, `menu` what `O` opens, `drawing` how that looks.  Must not import the loops.
"""
