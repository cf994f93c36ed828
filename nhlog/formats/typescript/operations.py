"""The operations on typescripts: those on all recordings of terminals."""

from typing import TYPE_CHECKING, Final

from nhlog.formats.typescript import FORMAT
from nhlog.operations import Operations
from nhlog.screencast.operations import operations

if TYPE_CHECKING:
    from nhlog.screencast import Events
    from nhlog.vt import Size

__all__ = ["OPERATIONS"]


def _find(path: str, size: "Size | None", charset: str | None) -> "Events":
    from nhlog.formats.typescript.reader import open_events

    return open_events(path, size, charset)


OPERATIONS: Final[Operations] = operations(FORMAT, _find)
