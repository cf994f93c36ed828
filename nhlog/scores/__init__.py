"""Games that are over: the list of scores, and the folder where they are put away.

An xlogfile is NetHack's own record of them, a line for each.  Must not import `terminal`.
"""
