"""What a save means for the hero's body: form, properties, attributes, armour class, burden, score.

Functions of a parsed save.  Must not import `names` or `perception`.
"""
