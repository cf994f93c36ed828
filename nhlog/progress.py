"""How far a long piece of work is: whoever does it reports, whoever waits for it listens.

A loop reports once for each piece that takes some milliseconds.  Where nobody listens, to report costs one look.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Final, TypeVar

__all__ = ["PULSE", "SOON", "Listener", "each", "in_words", "listener", "listening", "report"]

SOON: Final = 0.2  # seconds after which one wants to know what it is that takes so long
PULSE: Final = 0.25  # seconds after which one wants to know how far it is now

Listener = Callable[[str, int, int], None]
"""Is called with what is being done (``reading``), how much of it is done, and of how much: 0 if nobody can say.

What it raises ends the work.
"""

T = TypeVar("T")

_LISTENER: Final[ContextVar[Listener | None]] = ContextVar("listener", default=None)  # each thread has its own


def listener() -> Listener | None:
    """Who listens; None if nobody does."""
    return _LISTENER.get()


@contextmanager
def listening(wanted: Listener | None) -> Iterator[None]:
    """A context in which `wanted` listens instead of whoever does; None for nobody."""
    before = _LISTENER.set(wanted)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def report(doing: str, done: int, total: int = 0) -> None:
    """Tell whoever listens how far it is."""
    wanted = _LISTENER.get()
    if wanted is not None:
        wanted(doing, done, total)


def each(doing: str, items: Sequence[T]) -> Iterator[T]:
    """The items one by one, with a report of each; what is reported while it is worked on says of which one that is."""
    wanted = _LISTENER.get()
    for number, item in enumerate(items):
        if wanted is None:
            yield item
            continue
        which = f"{doing} {number + 1} of {len(items)}"
        wanted(which, 0, 0)
        with listening(partial(_of_several, wanted, which)):
            yield item


def _of_several(wanted: Listener, which: str, doing: str, done: int, total: int) -> None:
    wanted(f"{which}: {doing}", done, total)


def in_words(doing: str, done: int, total: int) -> str:
    """What is being done, and how much of it is done, if one can say."""
    return f"{doing} {min(done * 100 // total, 100)}%" if total else doing
