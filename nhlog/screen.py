"""A grid of styled cells; it knows no terminal.

A screen never grows: what is put outside it is cut off.  A wide character is not split: where its second half
does not fit, a space stands instead.
"""
