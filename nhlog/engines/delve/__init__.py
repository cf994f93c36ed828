"""The built-in game: down ten levels for the Ember, and up again.

`engine` is what the client sees first, `game` a game that is played; the packages, each of which imports those before
it alone: `world` (what a game consists of), `wire` (its bytes), `maps` (new levels), `combat`, `monsters`, `hero`,
`items`, `commands`, `course` (the course of a game).  Beside them `perception` and `record` say what the hero knows.

Pure: bytes, commands and answers in, prompts and bytes out; must not import `session`, `formats` or `terminal`.
"""

from nhlog.engines.delve.engine import ENGINE, Delve

__all__ = ["ENGINE", "Delve"]
