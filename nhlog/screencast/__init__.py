"""Recordings of terminals: what ttyrec, asciicast and others have in common.

`events` is what a format has to find in a file, and what it makes of such events; `raw` and `guess` are for files that
tell neither size nor characters, `joined` makes one recording of several.  `replay` plays them, with its `state`,
`search`, and the `snapshots` that are kept; `survey` finds out what happens in the `games` that it recognises.
`operations` offers all that to a format, with `records` and `screens` as data, and `cut`.  Must not import a format,
`session` or `terminal`.

The names of `events` are here, too, and are imported when they are asked for: the options of these formats are listed
without.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nhlog.screencast.events import (
        BYTES,
        CLOCK,
        COMMENT,
        EXIT,
        INPUT,
        MARKER,
        OUTPUT,
        RESIZE,
        SCORE,
        Encoder,
        Events,
        Header,
        TimedEvent,
        opened,
        parse_resize,
        parse_size_told,
    )

__all__ = [
    "BYTES",
    "CLOCK",
    "COMMENT",
    "EXIT",
    "INPUT",
    "MARKER",
    "OUTPUT",
    "RESIZE",
    "SCORE",
    "Encoder",
    "Events",
    "Header",
    "TimedEvent",
    "opened",
    "parse_resize",
    "parse_size_told",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """One of the names of `events`."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from nhlog.screencast import events

        return getattr(events, name)
