"""The built-in game: down ten levels for the Ember, and up again.

Pure: bytes, commands and answers in, prompts and bytes out; must not import `session`, `formats` or `terminal`.
"""

from nhlog.engines.delve.game import ENGINE, Delve, DelveGame

__all__ = ["ENGINE", "Delve", "DelveGame"]
