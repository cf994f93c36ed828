"""Opening a recording for viewing, and going where a position says.

A log whose engine is installed is opened as a game: it has the same steps, and between its saves the states computed by
the engine.  The messages about positions outside a recording are written here; `marker:` lists the markers.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from nhlog.errors import in_short
from nhlog.formats import format_of, open_recording, reading
from nhlog.operations.options import options_of
from nhlog.replay import Failing, Replay
from nhlog.timeline import Outside, Position, noting_outside
from terminal.text.words import clock

__all__ = ["fitting", "lists_markers", "marker_rows", "open_viewed", "tell_unshown", "telling_outside", "viewing"]


def open_viewed(path: str, **options: object) -> Replay[Any]:
    """Open the recording `path`, standing at its first step, with options of its format.

    Raises :class:`~nhlog.errors.NhlogError`, in particular :class:`~nhlog.errors.Usage` for an option that the format
    does not have.
    """
    replay = open_recording(path, **options)
    engine = replay.info.metadata.get("engine")
    if engine is None:
        return replay
    from nhlog.engines import engines

    if engine not in engines():
        return replay
    from nhlog.formats.nhgame.replay import LogReplay
    from nhlog.session.replay import with_engine  # brings all that writes with it

    try:
        return with_engine(replay) if isinstance(replay, LogReplay) else replay
    except BaseException:  # as of a log that is another by now
        replay.close()
        raise


def fitting(path: str, opening: Mapping[str, str]) -> dict[str, str]:
    """Those of the options for many recordings that the format of this one has."""
    known = options_of(format_of(path).load().open)
    return {name: value for name, value in opening.items() if name in known}


@contextmanager
def viewing(path: str, **options: object) -> Iterator[Replay[Any]]:
    """The recording `path` for as long as the context lasts, as :func:`open_viewed` opens it.

    What its reader or its view raises there, other than errors of ours, becomes a :class:`~nhlog.guard.ForeignFault`.
    """
    with reading(path), closing(open_viewed(path, **options)) as replay:
        yield replay


@contextmanager
def telling_outside(tell: Callable[[str], None]) -> Iterator[None]:
    """A context that calls `tell` with a message for each position outside a recording, once each."""
    told: set[str] = set()

    def note(outside: Outside) -> None:
        words = _worded(outside)
        if words not in told:
            told.add(words)
            tell(words)

    with noting_outside(note):
        yield


def tell_unshown(replay: Replay[Any], file: str, tell: Callable[[str], None]) -> int:
    """Report what of the recording cannot be shown, as far as it was looked at; return the exit code for that."""
    found = replay.unshown if isinstance(replay, Failing) else ()
    if not found:
        return 0
    tell(f"{file}: {in_short(found[0].message, len(found))}")
    return found[0].exit_code


def _worded(outside: Outside) -> str:
    """The message about a position outside a recording."""
    wanted, nearest = (_value(outside.axis, value) for value in (outside.wanted, outside.nearest))
    where = "after the end" if outside.wanted > outside.nearest else "before the start"
    return f"{wanted} is {where}: {nearest} is taken"


def _value(axis: str, value: int) -> str:
    return clock(value) if axis == "time" else f"{axis} {value}"


def lists_markers(position: Position) -> bool:
    """Whether this lists the markers instead of naming a position."""
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
