"""Recordings of terminals: what ttyrec, asciicast and others have in common, whatever their files look like.

`events` is what a format has to find in a file, and what it makes of such events.  Must not import a format, `session`
or `terminal`.
"""

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
]
