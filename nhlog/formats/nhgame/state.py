"""What a NetHack 4 log shows at one step: values only."""

from dataclasses import dataclass
from typing import Protocol

from nhlog.replay import Event

__all__ = ["Entry", "LogState", "Saved", "StoredSave"]


@dataclass(frozen=True, slots=True)
class Entry(Event):
    """One row of the ledger: a command with its answers and the save it ended in.

    The row covers steps `first` to `step`.  `turn` is the turn in which it was done, `utc` the moment in microseconds
    since 1970, `place` as in the log's second line ("Dungeons:2"; empty where it is not known).  `save` is "backup",
    "diff" or empty, `save_bytes` the length of that line in the log.
    """

    first: int
    turn: int
    utc: int
    place: str
    save: str
    save_bytes: int


class Saved(Protocol):
    """A game at one moment, as its save and as what the save is made of."""

    @property
    def save(self) -> bytes:
        """The whole binary save; empty if it cannot be rebuilt."""

    @property
    def game(self) -> object | None:
        """The engine's game itself, to be looked at and not kept; None where nobody has it: then the save tells."""


@dataclass(frozen=True, slots=True)
class StoredSave:
    """A save that is in the log; nobody has the game."""

    save: bytes

    @property
    def game(self) -> None:
        """None."""


@dataclass(frozen=True, slots=True)
class LogState:
    """The state just after one line of the log.

    `offset` and `kind` ("command", "time", "diff", ...) are those of the line, `text` its meaning in words.
    `turn`, `place` and `saved` are those of the latest save line at or before it, found at `save_offset`; where the
    save cannot be rebuilt `fault` says why.  `utc` is the log's clock in microseconds since 1970, `zone` the game's
    seconds east of it.
    """

    step: int
    offset: int
    kind: str
    text: str
    turn: int
    place: str
    utc: int
    zone: int
    save_offset: int
    saved: Saved
    fault: str

    @property
    def save(self) -> bytes:
        """The whole binary save; empty if it cannot be rebuilt."""
        return self.saved.save

    @property
    def game(self) -> object | None:
        """The engine's game itself, to be looked at and not kept; None where nobody has it: then the save tells."""
        return self.saved.game
