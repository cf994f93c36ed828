"""Reading of recordings: from a compressed or growing file to messages, and from messages to the state of the game.

`reader` reads a recording once from start to end, `index` makes it seekable; `world`, `players`, `attendance` and
`events` are computed from messages.  Must not import `writing`, `operations` or `replay`.
"""
