"""The course of a game: its start, each command with its turn, changes of level, death, the score.

Must not import `game` or what looks at a game (`perception`, `record`).
"""
