"""What things are called, as far as the hero knows them: objects, monsters, gods, in the game's English.

Functions of a parsed save.  Must not import `perception`.
"""
