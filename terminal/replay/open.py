"""Opening a recording for viewing.

A log whose engine is installed is opened as a game: it has the same steps, and between its saves the states computed by
the engine.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from nhlog.formats import reading
from nhlog.replay import Replay
from terminal.replay.operations import call_operation

__all__ = ["open_viewed", "viewing"]


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
