"""Teeworlds datafiles, which its maps are: container, typed items, layers, and what verbs ask of them.

Wire code here has no I/O; must not import other formats, `session`, `engines` or `terminal`.
"""
