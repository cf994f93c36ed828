"""What is seen at an event: the terminal, and what was recorded beside it."""

from nhlog.screencast.games import Status, read
from nhlog.values import dataclass
from nhlog.vt import Grid

__all__ = ["TerminalState"]


@dataclass(frozen=True, slots=True)
class TerminalState:
    """The terminal after the output of event `step` and of those before it.

    `typed` is what was typed last, `score` NLE's score; None where there was none.  `fault` says why the terminal is
    one of an earlier event, if it is.
    """

    step: int
    grid: Grid
    typed: bytes | None
    score: int | None
    fault: str

    @property
    def status(self) -> Status | None:
        """What the status lines of a game say on it; None if there are none, or they are covered."""
        return read(self.grid.text())
