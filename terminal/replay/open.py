"""Opening a recording for viewing, and going where a position says.

A log whose engine is installed is opened as a game: it has the same steps, and between its saves the states computed by
the engine.  What is said of a position outside a recording is said here; `marker:` alone asks which markers there are.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from nhlog.errors import NhlogError
from nhlog.formats import reading
from nhlog.replay import Replay
from nhlog.timeline import Outside, Position, Timeline, parse_position
from terminal.replay.operations import call_operation
from terminal.text.words import clock

__all__ = ["lists_markers", "marker_rows", "open_viewed", "resolved", "tell_outside", "viewing"]

Tell = Callable[[str], None]


def open_viewed(path: str, **options: Any) -> Replay[Any]:
    """Open the recording `path`, standing at its first step; options that are None are not passed on.

    Raises :class:`~nhlog.errors.NhlogError`, in particular :class:`~nhlog.errors.Usage` for an option that the format
    does not have.
    """
    replay: Replay[Any] = call_operation(path, "open", **options)
    engine = replay.info.metadata.get("engine")
    if engine is None:
        return replay
    from nhlog.engines import engines

    if engine not in engines():
        return replay
    from nhlog.formats.nhgame.replay import LogReplay
    from nhlog.session.replay import with_engine  # brings all that writes with it

    return with_engine(replay) if isinstance(replay, LogReplay) else replay


@contextmanager
def viewing(path: str, **options: Any) -> Iterator[Replay[Any]]:
    """The recording `path` for as long as the context lasts, as :func:`open_viewed` opens it.

    What its reader or its view raises there, other than errors of ours, becomes a :class:`~nhlog.guard.ForeignFault`.
    """
    with reading(path), closing(open_viewed(path, **options)) as replay:
        yield replay


def resolved(timeline: Timeline, position: Position, tell: Tell, here: int = 0) -> int:
    """The step at a position; `tell` is called with what is to be said of one outside the recording."""
    outside = timeline.outside(position, here)
    if outside is not None:
        tell(_worded(outside))
    return timeline.resolve(position, here)


def tell_outside(file: str, tell: Tell, *places: str | None, from_end: bool = False) -> None:
    """Tell of each of these positions that is outside the recording `file`, for a verb that does not open it itself."""
    positions = [parse_position(place) for place in places if place is not None]
    if not positions or file == "-":
        return
    with suppress(NhlogError), closing(call_operation(file, "open")) as replay:  # the verb says what is wrong
        for position in positions:
            resolved(replay.timeline, position, tell, replay.timeline.last if from_end else 0)


def _worded(outside: Outside) -> str:
    """What is said of a position outside a recording."""
    wanted, nearest = (_value(outside.axis, value) for value in (outside.wanted, outside.nearest))
    where = "after the end" if outside.wanted > outside.nearest else "before the start"
    return f"{wanted} is {where}: {nearest} is taken"


def _value(axis: str, value: int) -> str:
    return clock(value) if axis == "time" else f"{axis} {value}"


def lists_markers(position: Position) -> bool:
    """Whether it is no position yet: somebody asks which markers there are."""
    return position == Position("marker", "")


def marker_rows(replay: Replay[Any]) -> list[dict[str, Any]]:
    """The markers of a recording, as rows of a table."""
    timeline = replay.timeline
    return [
        {
            "marker": marker.name,
            "kind": marker.kind,
            timeline.unit: timeline.at(timeline.unit, marker.step),
            "time": timeline.time(marker.step),
        }
        for marker in timeline.markers
    ]
