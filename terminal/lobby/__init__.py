"""The lobby: a list of games, from which one can be chosen to play, watch or replay it.

`loop.visit` runs it on a display, `model.Lobby` is its state.  Must not import verbs.
"""
