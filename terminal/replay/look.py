"""Looking around in a recording: the cursor on a square of the map, and what its game says of that."""

from typing import Any, ClassVar, Final

from nhlog.errors import NhlogError
from nhlog.replay import Replay
from nhlog.screen import Screen
from terminal.screen import theme
from terminal.views import View, Viewpoint

__all__ = ["Look", "draw_cursor", "told_by"]

_STEPS: Final = {
    **dict.fromkeys(("left", "h"), (-1, 0)),
    **dict.fromkeys(("right", "l"), (1, 0)),
    **dict.fromkeys(("up", "k"), (0, -1)),
    **dict.fromkeys(("down", "j"), (0, 1)),
    "y": (-1, -1),
    "u": (1, -1),
    "b": (-1, 1),
    "n": (1, 1),
    "H": (-8, 0),
    "L": (8, 0),
    "K": (0, -8),
    "J": (0, 8),
}
_FARTHEST: Final = (78, 20)  # squares from one side of a map to the other


class Look:
    """A cursor on the map, which keys move; any other key leaves it."""

    mode: ClassVar[str] = "look"

    def __init__(self) -> None:
        self.done = False

        self.cursor = (0, 0)
        """Its columns and rows from where it started."""

        self.chosen = False
        """Whether the key that left it asks what is there."""

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        if key not in _STEPS:
            self.done, self.chosen = True, key != "escape"
            return
        (x, y), (across, down), (columns, rows) = self.cursor, _STEPS[key], _FARTHEST
        self.cursor = min(max(x + across, -columns), columns), min(max(y + down, -rows), rows)


def draw_cursor(body: Screen, view: View, replay: Replay[Any], viewpoint: Viewpoint, cursor: tuple[int, int]) -> None:
    """Draw the cursor on the view's body, that many columns and rows from where it started."""
    if view.look is None:
        return
    x, y = view.look(replay, viewpoint, *cursor).place(body.width, body.height)
    if 0 <= x < body.width and 0 <= y < body.height:
        body.put(x, y, body.crop(x, y, 1, 1).text()[0] or " ", theme.CURSOR)


def told_by(replay: Replay[Any], command: str) -> str:
    """The messages of a command that takes no time and changes nothing, at the step where the replay stands."""
    from nhlog.session.replay import GameReplay  # brings all that writes with it

    try:
        told = replay.look(command) if isinstance(replay, GameReplay) else None
    except NhlogError as error:
        return str(error)
    return "no game answers here" if told is None else "  ".join(told) or "nothing to be seen"
