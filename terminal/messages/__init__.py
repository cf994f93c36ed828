"""What a game tells its player: the latest on the first rows of the screen, page by page, and all of it as a list.

`rows` packs messages into rows, `speech` draws the latest ones and `history` is the list.  They do not know the game;
must not import views or clients.
"""
