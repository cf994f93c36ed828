"""Protocols for what the loops need: a terminal, and a source of changes."""

from typing import Protocol

from nhlog.screen import Screen

__all__ = ["Changes", "Display", "HasFileno"]


class HasFileno(Protocol):
    """An object that `select` can wait for."""

    def fileno(self) -> int:
        """The file descriptor."""


class Display(Protocol):
    """A place to show screens and read keys; :class:`terminal.screen.console.Console` implements it."""

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and rows."""

    def draw(self, screen: Screen) -> None:
        """Show the screen."""

    def keys(self, timeout: float) -> list[str]:
        """The names of the keys pressed; waits for one at most `timeout` seconds."""

    def listen(self, source: HasFileno | None) -> None:
        """Make `keys` return early when there is something to read from `source`; None ends that."""


class Changes(HasFileno, Protocol):
    """A source of change notifications; :class:`nhlog.log.notify.Changes` implements it."""

    def take(self) -> bool:
        """Whether the recording changed since the last call."""
