"""The lobby: the games there are, one of them chosen, and what is done with it.

`loop.visit` runs it on a display, `model.Lobby` is what it shows.  Must not import verbs.
"""
