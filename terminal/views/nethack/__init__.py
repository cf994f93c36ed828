"""The view of NetHack, as it drew itself; what a save says of the game beside it.

Must not import the console, the loops or a verb.
"""
