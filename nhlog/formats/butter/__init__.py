"""Echo VR sessions: the compact .butter files and the .echoreplay text they are made from.

`primitives`, `header`, `bones`, `wire`, `decode`, `correct`, `packing` and `apiparse` turn bytes into values and do no
I/O, nor do `encode` and its parts, which turn them back; nothing here may import other formats, `session`, `engines` or
`terminal`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from nhlog.formats.butter.records import dump, events, info, listing, open_replay, state, stats, verify

if TYPE_CHECKING:
    from nhlog.formats.butter.writing.compare import diff
    from nhlog.formats.butter.writing.convert import convert

__all__ = ["convert", "diff", "dump", "events", "info", "listing", "open_replay", "state", "stats", "verify"]

# What nobody needs who only looks: by name, its module.
_WRITING: Final = {"convert": "writing.convert", "diff": "writing.compare"}


def __getattr__(name: str) -> Any:
    """What is imported when somebody asks for it."""
    if name not in _WRITING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WRITING[name]}"), name)
