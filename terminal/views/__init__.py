"""Views: for each kind of recording, pure functions from a replay to a screen or to a list of facts.

`view_of` finds a view by the id of the recording, `screencast` is that of recorded terminals; `events`, `ledger`,
`rows`, `lines` serve all views.  Views keep no state and do no I/O; must not import the console, the loops or a verb.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from importlib import import_module
from typing import Any, Final

from nhlog import plugins
from nhlog.replay import Replay
from nhlog.screen import Screen
from nhlog.values import NamedTuple, dataclass

__all__ = ["LEGEND", "Fact", "SquareInfo", "View", "Viewpoint", "view_of"]

LEGEND: Final = "legend"
"""The panel that says what the signs of a view mean."""

Fact = tuple[str, str]
"""The name of a fact and its value at the replay's step."""


class SquareInfo(NamedTuple):
    """The content of a square of a map.

    `text` describes it, for the message row.  `place` gives the column and row of the square on a body of a given width
    and height, from 0; either may lie outside of it.
    """

    text: str
    place: Callable[[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The camera settings of a view.

    `camera` is the number of the camera (`View.cameras`) and `side` that of the side or layer (`View.sides`); both may
    exceed the number of these: take the remainder.  `zoom` counts steps in (out below 0) from the size that fits. `pan`
    is the number of cells by which the middle of the body is right of and below what the camera follows.  `corner` is
    the column and row of the picture at which the body begins, if one chose it (see `View.corner`).
    """

    camera: int = 0
    side: int = 0
    zoom: int = 0
    pan: tuple[int, int] = (0, 0)
    corner: tuple[int, int] | None = None


def _any_size(replay: Replay[Any]) -> tuple[int, int]:
    return (0, 0)


def _none(replay: Replay[Any]) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """How one kind of recording is shown, as functions of a replay; none changes it or raises for damage in it.

    - `body(replay, width, height, viewpoint)`: the picture, a screen of that size in cells.
    - `facts(replay)`: names and values to be listed beside it.
    - `least(replay)`: the columns and rows that the body needs; on a smaller terminal the frame around it is left out.
    - `look(replay, viewpoint, across, down)`: the content of the square that many columns and rows from the middle (the
      hero, or what the camera follows); None for a view without a map.
    - `panels`: further screens, by name: ``inventory``, ``ledger``, ``attributes``, ``overview``, ``discoveries``, and
      ``legend``: what the signs of the picture mean.
    - `words`: what the help says of a key, by its action, where the recording has words of its own.
    - `cameras(replay)`: the names of what can be followed; empty if there is only one camera.  Who is not there at this
      step has an empty name: the view follows the next one who is.
    - `sides(replay)`: the names of the sides or layers that can be shown; empty if there is only one.
    - `speaks`: whether the body shows what the game says, so that nobody draws it over that.
    - `corner(replay, width, height, viewpoint)`: the column and row of the picture at which such a body begins; None
      for a view that is panned by what it follows.  A picture that has one stays where one looks, whatever moves in it.
    - `zooms`: the farthest and the nearest zoom; (0, 0) if nothing can be seen from nearer or farther.
    """

    body: Callable[[Replay[Any], int, int, Viewpoint], Screen]
    facts: Callable[[Replay[Any]], Sequence[Fact]]
    least: Callable[[Replay[Any]], tuple[int, int]] = _any_size
    look: Callable[[Replay[Any], Viewpoint, int, int], SquareInfo] | None = None
    panels: Mapping[str, Callable[[Replay[Any]], Screen]] = field(default_factory=dict)
    cameras: Callable[[Replay[Any]], Sequence[str]] = _none
    sides: Callable[[Replay[Any]], Sequence[str]] = _none
    zooms: tuple[int, int] = (-8, 8)
    words: Mapping[str, str] = field(default_factory=dict)
    corner: Callable[[Replay[Any], int, int, Viewpoint], tuple[int, int]] | None = None
    speaks: bool = False


_OURS: Final = {"nhgame": "nethack4.view"}
_FALLBACK: Final = "events"


def view_of(recording_id: str) -> View:
    """The view for recordings of this id (see :class:`nhlog.replay.Info`); without one of its own, a list of events.

    That of the log is here; all others come by entry points of the group `nhlog.views`.  Raises
    :class:`~nhlog.plugins.PluginFailed` for an installed view that cannot be loaded.
    """
    view: View
    if recording_id not in _OURS and recording_id in plugins.plugins(plugins.VIEWS):
        view = plugins.load(plugins.VIEWS, recording_id)
    else:
        view = import_module(f"terminal.views.{_OURS.get(recording_id, _FALLBACK)}").VIEW
    return view
