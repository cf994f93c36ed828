"""Programs that are played as games: each has a host, which goes on where its player's terminal is gone.

`places` is where a player's running games are found, `host` the process that keeps one, `guest` the terminal that a
player lends to it, `playing` how a player comes to a game and leaves it, `mail` what others write to
who plays, `editing` the file of a game's options.  Must not import the lobby.
"""
