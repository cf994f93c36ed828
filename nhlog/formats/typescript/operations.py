"""The operations on typescripts: those on all recordings of terminals."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

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


_UNTIMED: Final = operations(FORMAT, _find)


def _timed(name: str) -> Callable[..., Any]:
    """The operation of that name on any recorded terminal, which is told where the times are, too."""
    untimed: Callable[..., Any] = getattr(_UNTIMED, name)
    signature = inspect.signature(untimed)
    timing = inspect.Parameter("timing", inspect.Parameter.KEYWORD_ONLY, default=None)

    def timed(path: str, *arguments: Any, timing: str | None = None, **options: Any) -> Any:
        return getattr(operations(FORMAT, partial(_find, timing=timing)), name)(path, *arguments, **options)

    timed.__signature__ = signature.replace(parameters=[*signature.parameters.values(), timing])  # type: ignore[attr-defined]
    return timed


OPERATIONS: Final = replace(_UNTIMED, open=_open, **{name: _timed(name) for name in ("find", "info", "dump", "stats")})
