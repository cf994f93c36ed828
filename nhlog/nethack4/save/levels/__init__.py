"""The levels of a save (save spec section 3): squares, rooms, traps, timers, regions.

`level.walk_level` reads one.  Must not import the modules that hold the levels (`nhlog.nethack4.save.save`, `state`).
"""
