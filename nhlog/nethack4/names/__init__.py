"""The names of objects, monsters and gods, as far as the hero knows them, in the game's English.

Functions of a parsed save.  Must not import `perception`.
"""
