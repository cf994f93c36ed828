"""The ghost: the hero of an earlier game, shown in a later game at its place of the same turn."""

from nhlog.errors import NhlogError
from nhlog.session.replay import GameReplay
from nhlog.timeline import Position

__all__ = ["Ghost"]


class Ghost:
    """The hero of an earlier game."""

    def __init__(self, replay: GameReplay) -> None:
        self._replay = replay

    def at(self, turn: int) -> tuple[str, int, int] | None:
        """Level name, column and row at a turn; None after the end of that game, and if it cannot be read."""
        timeline = self._replay.timeline
        if turn > timeline.at("turn", timeline.last):
            return None
        try:
            self._replay.seek(timeline.resolve(Position("turn", turn)))
            return self._replay.session.game.here
        except NhlogError:
            return None

    def close(self) -> None:
        """Close the log of the earlier game."""
        self._replay.close()
