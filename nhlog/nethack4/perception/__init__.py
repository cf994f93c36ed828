"""What the hero of a save perceives: sight and other senses, the map, the status rows, farlook, the overview.

`view.perceive` is the way in.  Must not import what shows it (`terminal`).
"""
