"""The built-in game: go down ten levels for the Ember, and up again.

`engine` is the entry point for clients, `game` a game in progress.  Each of the packages imports only those before it:
`world` (the state of a game), `wire` (its bytes), `maps` (new levels), `combat`, `monsters`, `hero`, `items`,
`commands`, `course` (the course of a game).  `perception` and `record` give what the hero knows.

Pure: bytes, commands and answers in, prompts and bytes out; must not import `session`, `formats` or `terminal`.
"""

from nhlog.engines.delve.engine import ENGINE, Delve

__all__ = ["ENGINE", "Delve"]
