"""What a recording looks like: for each kind, functions from a replay to a screen or to facts in words.

They keep nothing and do no I/O; must not import the console, the client or a verb.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, NamedTuple

from nhlog.replay import Replay
from nhlog.screen import Screen

__all__ = ["Fact", "SquareInfo", "View", "Viewpoint", "view_of"]

Fact = tuple[str, str]  # a name and what it is here


class SquareInfo(NamedTuple):
    """A square that is looked at: its place on the map, where the body shows it, what is there."""

    text: str
    place: Callable[[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """From where one looks at a recording.

    `camera` counts what can be followed (see `View.cameras`) and `side` the sides it can be seen from (`View.sides`),
    both beyond their end, too: take the remainder.  `zoom` is steps nearer (or farther, below 0) than what fits.
    `pan` is how many cells to the right and down of where the camera looks.
    """

    camera: int = 0
    side: int = 0
    zoom: int = 0
    pan: tuple[int, int] = (0, 0)


def _any_size(replay: Replay[Any]) -> tuple[int, int]:
    return (0, 0)


def _none(replay: Replay[Any]) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """How one kind of recording is shown: `body` fills a screen of a given width and height, `facts` say the rest.

    `least` is the size below which a body is cut: rather than that, the frame gives way.  `panels` are what can be
    looked at besides, by name; `look` tells what is on a square so far from the middle of what the eye sees, the hero
    or the like.  `cameras` are the names of those whom one can follow, and `sides` of the sides or layers that can be
    seen; none means that there is one.
    """

    body: Callable[[Replay[Any], int, int, Viewpoint], Screen]
    facts: Callable[[Replay[Any]], Sequence[Fact]]
    least: Callable[[Replay[Any]], tuple[int, int]] = _any_size
    look: Callable[[Replay[Any], Viewpoint, int, int], SquareInfo] | None = None
    panels: Mapping[str, Callable[[Replay[Any]], Screen]] = field(default_factory=dict)
    cameras: Callable[[Replay[Any]], Sequence[str]] = _none
    sides: Callable[[Replay[Any]], Sequence[str]] = _none


# The formats (`Info.format`) that have a view of their own; every other one is shown as a list of events.
_MODULES: Final = {
    "Hollow Cube recording": "hollowcube.view",
    "NetHack 4 log": "nethack4.view",
    "delve game": "delve.view",
    "Teeworlds map": "teeworlds.datafile",
    "DDNet teehistorian": "teeworlds.teehistorian",
    "Echo VR recording": "butter.view",
}
_FALLBACK: Final = "events"


def view_of(format_name: str) -> View:
    """The view of recordings of this format."""
    module = _MODULES.get(format_name, _FALLBACK)
    view: View = import_module(f"terminal.views.{module}").VIEW
    return view
