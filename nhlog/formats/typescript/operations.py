"""The operations on typescripts: those on all recordings of terminals."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nhlog.formats.typescript import FORMAT
from nhlog.screencast.operations import operations
from nhlog.vt import parse_size

if TYPE_CHECKING:
    from nhlog.screencast import Events
    from nhlog.screencast.replay import Screencast
    from nhlog.vt import Size

__all__ = ["OPERATIONS"]


def _find(path: str, size: "Size | None", charset: str | None, timing: str | None = None) -> "Events":
    from nhlog.formats.typescript.reader import open_events

    return open_events(path, size, charset, timing)


def _open(path: str, size: str | None = None, charset: str | None = None, timing: str | None = None) -> "Screencast":
    from nhlog.screencast.replay import Screencast

    given = parse_size(size) if size else None
    return Screencast(FORMAT, lambda: _find(path, given, charset, timing))


OPERATIONS: Final = replace(operations(FORMAT, _find), open=_open)
