"""What a NetHack 4 log shows at one step: values only."""

from dataclasses import dataclass

from nhlog.replay import Event

__all__ = ["Entry", "LogState"]


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


@dataclass(frozen=True, slots=True)
class LogState:
    """The state just after one line of the log.

    `offset` and `kind` ("command", "time", "diff", ...) are those of the line, `text` its meaning in words.
    `turn`, `place` and `save` are those of the latest save line at or before it, found at `save_offset`; `save` is the
    whole binary save, empty if it cannot be rebuilt, and then `fault` says why.  `utc` is the log's clock in
    microseconds since 1970, `zone` the game's seconds east of it.
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
    save: bytes
    fault: str
