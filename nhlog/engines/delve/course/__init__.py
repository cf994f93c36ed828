"""The course of a game: its beginning, each command with its turn, the way to another level, death, the score.

Must not import `game` or what looks at a game (`perception`, `record`).

"""
