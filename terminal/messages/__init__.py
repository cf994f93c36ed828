"""What a game tells its player: the latest on the first rows of the screen, page by page, and all of it as a list.

`rows` packs messages into rows and pages, `history` is the list.  They do not know the game; must not import views or
clients.
"""
