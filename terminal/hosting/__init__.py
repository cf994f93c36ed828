"""Programs that are played as games: each has a host, which keeps running when its player's terminal is closed.

`places` finds a player's running games, `host` is the process that keeps one, `borrowed` the terminal that a player
lends to it, `playing` how a player joins a game and leaves it, `mail` shows what others write to the player, `line` is
what the player types for them, `editing` edits the file of a game's options.  Around a game, `repair` sees to one that
broke off, and `common` to what all players share, by what `left` finds in a player's folder.  Must not import the
lobby.
"""
