"""The operations on ttyrecs: those on all recordings of terminals."""

from typing import TYPE_CHECKING, Final

from nhlog.formats.ttyrec import FORMAT
from nhlog.operations import Operations
from nhlog.operations.options import defaults, option
from nhlog.screencast.operations import TerminalOptions, operations
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.screencast import Encoder, Events, Header

__all__ = ["OPERATIONS", "EncoderOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderOptions:
    """What is written."""

    version: int | None = option(None, "For .ttyrec: 1, 2 or 3.", "1|2|3", int)


def _find(path: str, options: TerminalOptions) -> "Events":
    from nhlog.formats.ttyrec.reader import open_events

    return open_events(path, options.size, options.charset)


def _encoder(
    path: str,
    header: "Header",
    options: EncoderOptions = defaults(EncoderOptions),
    *,
    after: "Events | None" = None,
    exact: bool = False,
) -> "Encoder":
    from nhlog.formats.ttyrec.reader import encoder, version_named

    return encoder(header, options.version or version_named(path), after, exact=exact)


OPERATIONS: Final[Operations] = operations(FORMAT.name, _find, _encoder)
