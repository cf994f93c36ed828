"""The hero's body, derived from a save: form, properties, attributes, armour class, burden, score, state in words.

Functions of a parsed save.  Must not import `names` or `perception`.
"""
