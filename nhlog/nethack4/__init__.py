"""Parsing and interpretation of NetHack 4.3's and FIQHack's saves, so that games can be shown without their engine.

Each part imports only those before it: `tables` (the game's constants), `save` (bytes to values), `hero` (the hero's
body), `names` (names of things), `perception` (what the hero sees and knows).  Saves come as bytes; must not import
what follows or shows them (`formats`, `session`, `engines`, `terminal`).
"""
