"""Plots drawn: in the cells of a screen, with dots eight to a cell, and as pictures by matplotlib.

`axes` says which numbers stand beside a plot, `curves` and `heat` draw the two kinds there are, `screen` either of
them, `pictures` makes files.  None of them knows a format; must not import views, the player or a verb.
"""
