"""What a recording looks like: for each kind a `View`, pure functions from a replay to a screen or to facts in words.

`view_of` finds it by the id of the recording; `events`, `ledger`, `rows` and `lines` are for all views.  They keep
nothing and do no I/O; must not import the console, the loops or a verb.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, NamedTuple

from nhlog import plugins
from nhlog.replay import Replay
from nhlog.screen import Screen

__all__ = ["Fact", "SquareInfo", "View", "Viewpoint", "view_of"]

Fact = tuple[str, str]
"""A name, and what it is where the replay stands."""


class SquareInfo(NamedTuple):
    """What is on a square of a map.

    `text` says it, for the message row.  `place` gives the column and row of the square on a body of a given width and
    height, from 0; either may lie outside of it.
    """

    text: str
    place: Callable[[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """From where a recording is seen.

    `camera` counts what can be followed (`View.cameras`) and `side` the sides it can be seen from (`View.sides`); both
    may exceed the number there is: take the remainder.  `zoom` counts steps nearer than what fits, farther below 0.
    `pan` is how many cells the middle of the body is right of and below what the camera follows.
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
    """How one kind of recording is shown, as functions of a replay; none of them changes it or raises for damage in it.

    - `body(replay, width, height, viewpoint)`: the picture, a screen of that size in cells.
    - `facts(replay)`: names and values to be listed beside it.
    - `least(replay)`: the columns and rows that the body needs; on a smaller terminal the frame around it gives way.
    - `look(replay, viewpoint, across, down)`: what is on the square so far from the middle (the hero, or what the
      camera follows); None where there is no map.
    - `panels`: further screens, by name: ``inventory``, ``ledger``, ``attributes``, ``overview``, ``discoveries``.
    - `cameras(replay)`: the names of what can be followed; none means that there is only one.
    - `sides(replay)`: the names of the sides or layers that can be seen, likewise.
    """

    body: Callable[[Replay[Any], int, int, Viewpoint], Screen]
    facts: Callable[[Replay[Any]], Sequence[Fact]]
    least: Callable[[Replay[Any]], tuple[int, int]] = _any_size
    look: Callable[[Replay[Any], Viewpoint, int, int], SquareInfo] | None = None
    panels: Mapping[str, Callable[[Replay[Any]], Screen]] = field(default_factory=dict)
    cameras: Callable[[Replay[Any]], Sequence[str]] = _none
    sides: Callable[[Replay[Any]], Sequence[str]] = _none


# By the ids of recordings (`Info.id`); other packages add theirs as entry points of the group `nhlog.views`.
_BUILT_IN: Final = {
    "butter": "butter.view",
    "datafile": "teeworlds.datafile",
    "hollowcube": "hollowcube.view",
    "nhgame": "nethack4.view",
    "teehistorian": "teeworlds.teehistorian",
}
_FALLBACK: Final = "events"


def view_of(recording_id: str) -> View:
    """The view for recordings of this id (see :class:`nhlog.replay.Info`); a list of events where there is no other.

    Raises :class:`~nhlog.plugins.PluginFailed` for an installed view that cannot be loaded.
    """
    view: View
    if recording_id not in _BUILT_IN and recording_id in plugins.plugins(plugins.VIEWS):
        view = plugins.load(plugins.VIEWS, recording_id)
    else:
        view = import_module(f"terminal.views.{_BUILT_IN.get(recording_id, _FALLBACK)}").VIEW
    return view
