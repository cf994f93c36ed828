"""Small recordings treated as long ones, so that of each there is an index, with keyframes and stretches, in the cache.

What is worth one is a number in the module that makes it; here it is smaller, for as long as a scope lasts.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from nhlog.formats.butter.reading import butterfile
from nhlog.formats.butter.reading import index as butter
from nhlog.formats.hollowcube.reading import skims
from nhlog.formats.teehistorian.reading import index as teehistorian
from nhlog.log import keyframes, log, stretches
from nhlog.screencast import snapshots
from nhlog.vt import tape

__all__ = ["small_is_long"]

_NUMBERS: Final[tuple[tuple[Any, str, int], ...]] = (
    (log, "WORTHWHILE", 256),
    (stretches, "STRETCH", 1 << 10),
    (stretches, "KEPT", 16),
    (keyframes, "SPACING", 2),
    (keyframes, "STORED", 2),
    (keyframes, "_FEW", 1),
    (keyframes, "_WAITING", 0),
    (butterfile, "WORTHWHILE", 256),
    (butter, "LEAST", 1),
    (skims, "WORTHWHILE", 0),
    (teehistorian, "_WORTHWHILE", 256),
    (teehistorian, "PIECE", 1 << 9),
    (snapshots, "_LEAST", 256),
    (tape, "_SPACING", 1 << 10),
)


@contextmanager
def small_is_long() -> Iterator[None]:
    """A scope in which every recording is worth an index."""
    usual = [getattr(module, name) for module, name, _ in _NUMBERS]
    try:
        for module, name, number in _NUMBERS:
            if not hasattr(module, name):
                raise AttributeError(name)
            setattr(module, name, number)
        yield
    finally:
        for (module, name, _), number in zip(_NUMBERS, usual, strict=True):
            setattr(module, name, number)
