"""The hero of an earlier game, seen in a later one: where they were when it was the same turn."""

from nhlog.errors import NhlogError
from nhlog.session.replay import GameReplay
from nhlog.timeline import Position

__all__ = ["Ghost"]


class Ghost:
    """An earlier game, looked at turn by turn."""

    def __init__(self, replay: GameReplay) -> None:
        self._replay = replay

    def at(self, turn: int) -> tuple[str, int, int] | None:
        """The level and the square; None once that game was over, or where it cannot be read."""
        timeline = self._replay.timeline
        if turn > timeline.at("turn", timeline.last):
            return None
        try:
            self._replay.seek(timeline.resolve(Position("turn", turn)))
            return self._replay.session.game.here
        except NhlogError:
            return None

    def close(self) -> None:
        """Close its log."""
        self._replay.close()
