"""What is seen at a frame: the terminal, and what NLE recorded beside it."""

from dataclasses import dataclass

from nhlog.vt import Grid

__all__ = ["TerminalState"]


@dataclass(frozen=True, slots=True)
class TerminalState:
    """The terminal after the output of frame `step` and of those before it.

    `key` is what was typed last, `score` the last one that was recorded; both None if there was none.  `fault` says why
    the terminal is one of an earlier frame, if it is.
    """

    step: int
    grid: Grid
    key: bytes | None
    score: int | None
    fault: str
