"""What the hero of a save perceives: sight and other senses, the map, the status rows, farlook, the overview.

Start with `view.perceive`.  Must not import what shows it (`terminal`).
"""
