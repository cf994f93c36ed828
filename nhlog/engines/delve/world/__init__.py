"""The state of a game: the board, tables of terrain, items, species, traps and roles, and the `World` of records.

Also what follows from the records alone: names, powers, the pack, sight.  Must not import any other part of delve.
"""
