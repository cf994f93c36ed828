"""Where things stand on the player's screen, for what draws them and for what receives clicks.

`rows` are those of the screen, `line` is the transport line with the timeline bar.  Must not import what draws.
"""
