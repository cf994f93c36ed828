"""What loops need of the terminal and of a source of changes, as protocols."""

from typing import Protocol

from nhlog.screen import Screen

__all__ = ["Changes", "Display", "HasFileno"]


class HasFileno(Protocol):
    """Something that `select` can wait for."""

    def fileno(self) -> int:
        """The file descriptor."""


class Display(Protocol):
    """Where screens are shown and keys come from; :class:`terminal.screen.console.Console` is one."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows, as they are now."""

    def draw(self, screen: Screen) -> None:
        """Show the screen."""

    def keys(self, timeout: float) -> list[str]:
        """The names of the keys pressed; waits for one at most `timeout` seconds."""

    def listen(self, source: HasFileno | None) -> None:
        """Make `keys` return early when there is something to read from `source`; None ends that."""


class Changes(HasFileno, Protocol):
    """A source of changes of a recording; :class:`nhlog.log.notify.Changes` is one."""

    def take(self) -> bool:
        """Whether the recording changed since the last call."""
