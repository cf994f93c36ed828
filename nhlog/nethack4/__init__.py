"""What is inside a NetHack 4.3 binary save, so that its games show without their engine.

Each part imports those before it: `tables` (the game's constants), `save` (bytes to values), `hero` (what follows for
the hero's body), `names` (what things are called), `perception` (what the hero sees and knows).  Saves come as bytes;
must not import what follows or shows them (`formats`, `session`, `engines`, `terminal`).
"""
