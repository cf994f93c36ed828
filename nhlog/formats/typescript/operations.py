"""The operations on typescripts: those on all recordings of terminals, which are told where the times are, too."""

from typing import TYPE_CHECKING, Final

from nhlog.formats.typescript import FORMAT
from nhlog.operations import Operations
from nhlog.operations.options import option
from nhlog.screencast.operations import DumpOptions, TerminalOptions, operations
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.screencast import Events

__all__ = ["OPERATIONS", "TimedDumpOptions", "TimedOptions"]


def _timing() -> str | None:
    return option(None, "For typescripts: the file with the times, if it is elsewhere.", "FILE")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOptions(TerminalOptions):
    """What a typescript does not tell."""

    timing: str | None = _timing()


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedDumpOptions(DumpOptions):
    """Which events of a typescript are dumped, and as what."""

    timing: str | None = _timing()


def _find(path: str, options: TimedOptions | TimedDumpOptions) -> "Events":
    from nhlog.formats.typescript.reader import open_events

    return open_events(path, options.size, options.charset, options.timing)


OPERATIONS: Final[Operations] = operations(FORMAT.name, _find, opening=TimedOptions(), dumping=TimedDumpOptions())
