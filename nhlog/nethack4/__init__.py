"""What is inside a NetHack 4.3 binary save, so that its games show without their engine.

Saves come as bytes; must not import what follows or shows them (`formats`, `session`, `engines`, `terminal`).
"""
