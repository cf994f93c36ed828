"""What is said of a relayed game, and beside it: each subject keeps the last message alone, which has all of it.

`announcing` is what lobbies show of a game, `talking` what those who watch say.  Must not import what sends or receives
files.
"""
