"""The terminal client: the command line, playing, watching and the lobby.

Packages import downwards only, in this order: cli, commands, lobby, play, replay, views, text, screen.  Nothing in
`nhlog` may import this package.
"""

from typing import Final

__all__ = ["COMPLETE"]

COMPLETE: Final = "_NHLOG_COMPLETE"
"""The variable in which a shell says what to complete."""
