"""Modes: what a key means now, as a table from which keys are dispatched and documents are drawn.

The problem.  A client plays, asks, lists and scrolls with the same few keys.  What one of them means depends on what
the person has opened and on how the game stands; both change under the client, as others write to the log.

The rules.

1. What a person opens (a menu, a page, a question) is an object: it takes keys until it is done, and lies on a
   `Stack`, where the topmost one takes the key.  Nothing else remembers that it is open.
2. How the game stands (it is over, it asks, another process keeps its log) is never opened or closed: it *holds*, and
   is asked for again with each key.  So no change by others can leave a client in a mode that is no longer true.
3. Both are rows of one table (`Modes`), and the first row that holds takes the key.  Above are those that come before
   all others; the last one always holds.
4. A row has the keys that cannot be chosen, and one function for all other keys.  Where keys lead is nowhere else.

A new mode is a class with `press` and `done`, a row of the table, and a row of what is drawn for it; what it does
besides (a game that is taken back drops questions) follows from its class.

Rejected: an attribute per mode that is None while it is closed, with a chain of questions about them.  The play
client had 14 modes in eight such attributes; each had to be known in the chain, in the drawing, in the loop and
wherever they all go at once, and two that were open at the same time were told apart by the chain's order alone.
Rejected, too: transitions by the name of the next mode.  Nearly every one would read "what was there before", which
is what a stack is.
"""

from collections.abc import Callable, Iterator
from typing import ClassVar, Generic, Protocol, TypeVar

from nhlog.values import dataclass
from terminal.screen.keys import Key

__all__ = ["Mode", "Modes", "Opened", "Stack"]

C = TypeVar("C")
T = TypeVar("T", bound="Opened")


class Opened(Protocol):
    """What a person opened: it takes the keys until it is done."""

    mode: ClassVar[str]
    """The name of its mode."""

    @property
    def done(self) -> bool:
        """Whether the last key left it."""
        ...

    def press(self, key: str) -> None:
        """Handle the key with this name."""


class Stack:
    """What is open, one above the other."""

    def __init__(self) -> None:
        self._open: list[Opened] = []

    @property
    def top(self) -> Opened | None:
        """What takes the keys; None if nothing is open."""
        return self._open[-1] if self._open else None

    @property
    def mode(self) -> str:
        """The name of the mode of what takes the keys; empty if nothing is open."""
        return self._open[-1].mode if self._open else ""

    def open(self, opened: Opened) -> None:
        """Have it take the keys."""
        self._open.append(opened)

    def close(self, *modes: str) -> None:
        """Close all that is in these modes, wherever it lies."""
        self._open = [opened for opened in self._open if opened.mode not in modes]

    def find(self, kind: type[T]) -> T | None:
        """The topmost one of this kind; None if none is open."""
        return next((opened for opened in reversed(self._open) if isinstance(opened, kind)), None)

    def press(self, kind: type[T], key: str) -> T:
        """Pass a key to the topmost one, which is of this kind, and close it if that leaves it; returns it."""
        opened = self._open[-1]
        assert isinstance(opened, kind)
        opened.press(key)
        if opened.done:
            self._open.remove(opened)
        return opened


@dataclass(frozen=True, slots=True)
class Mode(Generic[C]):
    """One meaning of the keys of a client: a row of its table."""

    name: str
    """What it is called, by what was opened and by documents."""

    when: str
    """When it holds, in words."""

    holds: Callable[[C], bool]
    """Whether it holds for this client, where no row above does."""

    other: Callable[[C, str], None]
    """What a key does that is none of `keys`."""

    does: str
    """And that in words; empty where it does nothing."""

    keys: tuple[Key[C], ...] = ()
    """The keys that are the same for every user."""

    fresh: bool = True
    """Whether a key ends what was said at the one before."""

    says: Callable[[C], str] | None = None
    """What is said as long as it holds; None for nothing."""

    def take(self, owner: C, key: str) -> None:
        """Do what the key of this name does."""
        row = next((row for row in self.keys if key in row.keys), None)
        if row is None:
            self.other(owner, key)
        else:
            row.act(owner)


class Modes(Generic[C]):
    """The table of a client's modes, those above first; the last one always holds."""

    def __init__(self, *rows: Mode[C]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Mode[C]]:
        return iter(self._rows)

    def of(self, owner: C) -> Mode[C]:
        """The mode that takes the key."""
        return next(mode for mode in self._rows if mode.holds(owner))

    def says(self, owner: C) -> str:
        """What is said as long as the modes hold, also below others; empty for nothing."""
        return next((mode.says(owner) for mode in self._rows if mode.says and mode.holds(owner)), "")
