"""Programs that are played as games: each has a host, which keeps running when its player's terminal is closed.

`places` finds a player's running games, `host` is the process that keeps one, `borrowed` the terminal that a player
lends to it, `playing` how a player joins a game and leaves it, `mail` shows what others write to the player, `editing`
edits the file of a game's options.  Must not import the lobby.
"""
