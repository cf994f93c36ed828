"""Reading recordings: from a packed or growing file to messages, and from messages to the state of the game.

`reader` reads a recording once from start to end, `index` makes it seekable; `world`, `players`, `stays` and `events`
are what messages add up to.  Must not import `writing`, `operations` or `replay`.
"""
