"""NetHack 3.6 as an engine: a command of the log is a key, and NetHack itself, in a process of its own, does the rest.

A game is a function of its beginning (seeds, options, the time of birth) and of its keys.  NetHack cannot load what is
not its own process, so a save is what is seen then, and the name of the past that led there: it shows the game to whom
has no NetHack, and by it a machine is known to have come to the same place.

`engine` is the entry point for clients, `game` a game in progress, `machine` NetHack, `machines` those that run, `past`
what makes a game, `save` its bytes, `seen` what NetHack tells of itself.  docs/nethack.md has what a player needs.

Pure but for the machines: bytes and keys in, bytes out; must not import `session`, `formats` or `terminal`, and nothing
of nle.
"""
