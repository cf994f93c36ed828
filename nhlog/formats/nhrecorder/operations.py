"""The operations on recordings of nh_recorder: those on all recordings of terminals."""

from typing import TYPE_CHECKING, Final

from nhlog.formats.nhrecorder import FORMAT
from nhlog.operations import Operations
from nhlog.screencast.operations import TerminalOptions, operations

if TYPE_CHECKING:
    from nhlog.screencast import Events

__all__ = ["OPERATIONS"]


def _find(path: str, options: TerminalOptions) -> "Events":
    from nhlog.formats.nhrecorder.reader import open_events

    return open_events(path, options.size, options.charset)


OPERATIONS: Final[Operations] = operations(FORMAT.name, _find)
