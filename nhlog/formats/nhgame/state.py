"""The state of a NetHack 4 log at one step."""

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from nhlog.replay import Event, Remarked
from nhlog.values import dataclass

if TYPE_CHECKING:
    from nhlog.engines.prompts import Prompt

__all__ = ["Entry", "LogState", "Saved", "StoredSave"]


@dataclass(frozen=True, slots=True)
class Entry(Event):
    """One row of the ledger: a command with its answers and the save it ended in.

    The row covers steps `first` to `step`.  `turn` is the turn of the command, `utc` its time in microseconds since
    1970, `place` the hero's place as in the log's second line ("Dungeons:2"; empty if unknown).  `save` is "backup",
    "diff" or empty, `save_bytes` the length of that line in the log.
    """

    first: int
    turn: int
    utc: int
    place: str
    save: str
    save_bytes: int


class Saved(Protocol):
    """A game at one moment, as its save and as the engine's own game."""

    @property
    def save(self) -> bytes:
        """The whole binary save; empty if it cannot be rebuilt."""
        ...

    @property
    def game(self) -> object | None:
        """The engine's own game, to be read before the replay moves; None if there is only the save."""
        ...


@dataclass(frozen=True, slots=True)
class StoredSave:
    """A save from the log, without the engine's game."""

    save: bytes

    @property
    def game(self) -> None:
        """Always None."""


def _nobody_can_tell() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class LogState(Remarked):
    """The state just after one line of the log.

    `offset` and `kind` ("command", "time", "diff", ...) are those of the line, `text` its meaning in words.
    `turn`, `place` and `saved` are those of the latest save line at or before it, found at `save_offset`; if the save
    cannot be rebuilt `fault` says why.  `utc` is the log's clock in microseconds since 1970, `zone` the game's time
    zone in seconds east of UTC.

    `since` is what was done since the save of which the picture is, empty if nothing was.  `note` is a remark on the
    picture, empty if there is none: that it is older than that, or why the engine cannot follow the lines.
    `check()`, which must be called before the replay moves, says where the save differs from the game that the engine
    computes from the commands before it; empty if it does not differ, or if this is unknown.  If the engine follows
    the lines, `asks` is the prompt that the player has to answer, `here` the hero's column and row on the map, and
    `told` the messages of the last command.
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
    note: str = ""
    check: Callable[[], str] = field(default=_nobody_can_tell, compare=False, repr=False)
    asks: "Prompt | None" = None
    here: tuple[int, int] = (0, 0)
    told: Sequence[str] = ()
    since: str = ""

    @property
    def is_older(self) -> bool:
        """Whether something was done since the save."""
        return bool(self.since)

    @property
    def save(self) -> bytes:
        """The whole binary save; empty if it cannot be rebuilt."""
        return self.saved.save

    @property
    def game(self) -> object | None:
        """The engine's own game, to be read before the replay moves; None if there is only the save."""
        return self.saved.game
