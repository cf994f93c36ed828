"""Protocols for what the loops need: a terminal, and a source of changes."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, TypeVar

from nhlog.screen import Screen
from terminal.screen.keys import KeyTable

if TYPE_CHECKING:
    from terminal.screen.preferences import Appearance

__all__ = ["Changes", "Display", "Lender"]

C = TypeVar("C")


class Lender(Protocol):
    """A terminal that is lent to others."""

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and rows."""
        ...

    def bound(self, table: KeyTable[C], /) -> KeyTable[C]:
        """The table with the keys that the user of the terminal chose."""
        ...

    def lent(self) -> AbstractContextManager[bytes]:
        """A context in which others use the terminal; it gives the keys that were typed ahead, as they came."""
        ...


class Display(Lender, Protocol):
    """A place to show screens and read keys; :class:`terminal.screen.console.Console` implements it."""

    def draw(self, screen: Screen) -> None:
        """Show the screen."""

    def keys(self, timeout: float) -> Iterable[str]:
        """The names of the keys pressed; waits for one at most `timeout` seconds.

        Those that are not taken from it come first the next time.
        """
        ...

    def dress(self, appearance: "Appearance") -> None:
        """Show screens like this from now on, as far as it goes."""

    def listen(self, source: "Changes | None") -> None:
        """Make `keys` return early when there is a change, and pause `source` while stopped; None ends that."""


class Changes(Protocol):
    """A source of change notifications; :class:`nhlog.log.notify.Changes` implements it."""

    def fileno(self) -> int:
        """The descriptor that is readable after a change."""
        ...

    def take(self) -> bool:
        """Whether the recording changed since the last call."""
        ...

    def pause(self) -> None:
        """Hold no lock until `resume`: the process is about to be stopped."""

    def resume(self) -> None:
        """Go on, and tell of a change."""
