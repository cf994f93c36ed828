"""What taking a game back to a position costs, before anything is done.

Planned on a replay; carried out by `nhlog.log.recovery` alone.
"""

from dataclasses import dataclass
from typing import Any

from nhlog.errors import Damaged
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.recovery import Truncation, plan_rewind
from nhlog.timeline import Position

__all__ = ["Loss", "plan"]


@dataclass(frozen=True, slots=True)
class Loss:
    """The truncation (None where nothing comes after the position) and what goes with it.

    `turn` is where the game will stand, `time` microseconds of recorded play; `finished` says that the game was over.
    """

    truncation: Truncation | None
    turn: int
    turns: int
    saves: int
    lines: int
    time: int
    finished: bool

    @property
    def percent(self) -> float:
        """How much of the file goes."""
        return 0.0 if self.truncation is None else 100 * (1 - self.truncation.offset / self.truncation.size)

    def record(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "offset": None if self.truncation is None else self.truncation.offset,
            "recovery_count": None if self.truncation is None else self.truncation.raised.recovery_count,
            "turn": self.turn,
            "lost_turns": self.turns,
            "lost_saves": self.saves,
            "lost_lines": self.lines,
            "lost_time": self.time,
            "lost_bytes": 0 if self.truncation is None else self.truncation.size - self.truncation.offset,
            "finished": self.finished,
        }


def plan(replay: LogReplay, position: Position, *, exact: bool = False) -> Loss:
    """What a rewind to `position` means; relative positions count from the end.

    The game will stand after the latest save line at or before the position, or with `exact` after the line itself.
    Raises :class:`Damaged` for a log without a save there.
    """
    log, timeline = replay.log, replay.timeline
    columns = log.columns
    save = columns.save_at(timeline.resolve(position, timeline.last))
    if save < 0:
        raise Damaged("no save line comes before that position", file=log.source.name)
    line = timeline.resolve(position, timeline.last) if exact else columns.save_lines[save]
    return Loss(
        truncation=plan_rewind(log, line),
        turn=columns.save_turns[save],
        turns=max(columns.save_turns[-1] - columns.save_turns[save], 0),
        saves=len(columns.save_lines) - 1 - save,
        lines=timeline.last - line,
        time=timeline.time(timeline.last) - timeline.time(line),
        finished=log.header.finished,
    )
