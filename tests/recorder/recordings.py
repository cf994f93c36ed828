"""What a test wants to know of a recording of a program."""

from contextlib import closing
from pathlib import Path

from nhlog.errors import TooShort
from nhlog.formats import format_of
from nhlog.screencast import OUTPUT

__all__ = ["events_of", "output_of"]


def events_of(path: Path) -> list[tuple[str, bytes]]:
    """The whole events, each with its code; nothing is wrong before their end."""
    try:
        found = format_of(str(path)).load().find(str(path))
    except TooShort:
        return []
    with closing(found) as events:
        assert events.all_faults == []
        return [(events.code(number), events.data(number)) for number in range(len(events))]


def output_of(path: Path) -> bytes:
    """What the program wrote."""
    return b"".join(data for code, data in events_of(path) if code == OUTPUT)
