"""The operations on ttyrecs: those on all recordings of terminals."""

from typing import TYPE_CHECKING, Final

from nhlog.formats.ttyrec import FORMAT
from nhlog.operations import Operations
from nhlog.screencast.operations import operations

if TYPE_CHECKING:
    from nhlog.screencast import Encoder, Events, Header
    from nhlog.vt import Size

__all__ = ["OPERATIONS"]


def _find(path: str, size: "Size | None", charset: str | None) -> "Events":
    from nhlog.formats.ttyrec.reader import open_events

    return open_events(path, size, charset)


def _encoder(
    path: str, header: "Header", version: int | None = None, after: "Events | None" = None, *, exact: bool = False
) -> "Encoder":
    from nhlog.formats.ttyrec.reader import encoder, version_named

    return encoder(header, version or version_named(path), after, exact=exact)


OPERATIONS: Final[Operations] = operations(FORMAT, _find, _encoder)
