"""What is shown when a game is over: its end, what the hero had and was, the score and its place in the list.

`Ending` knows the pages and keys, `draw_ending` draws them.  Must not import the loops.
"""
