"""Which keys of the player mean something for a recording: the help leaves out the others."""

from typing import Protocol

from nhlog.replay import Status
from terminal.replay.player import Player
from terminal.views import View

__all__ = [
    "Shown",
    "has_cameras",
    "has_look",
    "has_sides",
    "has_space",
    "has_turns",
    "is_log",
    "is_open",
    "is_played",
    "moves",
    "zooms",
]


class Shown(Protocol):
    """A recording that is shown: its player, its view, and the size of the screen."""

    player: Player
    view: View
    size: tuple[int, int]


def moves(shown: Shown) -> bool:
    """Whether it has, or may come to have, more than one step."""
    return shown.player.timeline.last > 0 or is_open(shown)


def is_open(shown: Shown) -> bool:
    """Whether more of it may come."""
    return shown.player.info.status is not Status.FINISHED


def has_turns(shown: Shown) -> bool:
    """Whether it is played by turns."""
    return shown.player.timeline.unit == "turn"


def is_log(shown: Shown) -> bool:
    """Whether it is the log of a game."""
    return "engine" in shown.player.info.metadata


def is_played(shown: Shown) -> bool:
    """Whether an engine answers for the game."""
    return is_log(shown) and hasattr(shown.player.replay, "look")


def has_look(shown: Shown) -> bool:
    """Whether there is a map with squares."""
    return shown.view.look is not None


def has_cameras(shown: Shown) -> bool:
    """Whether one can follow one or another."""
    return len(shown.view.cameras(shown.player.replay)) > 1


def has_sides(shown: Shown) -> bool:
    """Whether it has several sides, layers or levels."""
    return len(shown.view.sides(shown.player.replay)) > 1


def zooms(shown: Shown) -> bool:
    """Whether one can go nearer or farther."""
    return shown.view.zooms != (0, 0) and _is_part(shown)


def has_space(shown: Shown) -> bool:
    """Whether there is more around what is seen."""
    return zooms(shown) or (has_look(shown) and _is_part(shown))


def _is_part(shown: Shown) -> bool:
    """Whether the view shows a part of something: of a world, or of a picture that is larger than the screen."""
    columns, rows = shown.view.least(shown.player.replay)
    return (columns, rows) == (0, 0) or shown.size[0] < columns or shown.size[1] < rows
