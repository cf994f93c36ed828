"""Plans rewinding a game to a position, and computes what would be lost, before anything is changed.

The plan is made on a replay; `nhlog.log.recovery` carries it out.
"""

from typing import Any, Final

from nhlog.engines import engine_named, engines, guarded
from nhlog.errors import Damaged, LockNotObtained, LogRecovered, NhlogError
from nhlog.formats.nhgame.engine import engine_name, head_of
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.log.log import Log
from nhlog.log.recovery import Truncation, plan_rewind
from nhlog.nethack4.hero.state import state_of
from nhlog.savehead import HEAD_SIZE
from nhlog.timeline import Position
from nhlog.values import dataclass

__all__ = ["Loss", "plan", "state_after", "state_at"]


_OVER: Final = "game over"  # of a NetHack 4 game only line 2 told how, before it was cut


@dataclass(frozen=True, slots=True)
class Loss:
    """The truncation (None if nothing comes after the position) and the number of turns, saves and lines lost with it.

    `turn` is the turn after the rewind, `time` the lost time in microseconds; `finished` is whether the game was over.
    """

    truncation: Truncation | None
    turn: int
    turns: int
    saves: int
    lines: int
    time: int
    finished: bool

    def record(self) -> dict[str, Any]:
        """The loss as a record of plain values."""
        return {
            "offset": None if self.truncation is None else self.truncation.offset,
            "size": None if self.truncation is None else self.truncation.size,
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
    """Plan a rewind to `position`; relative positions count from the end.

    The log will end with the latest save line at or before the position, or with `exact` at the line itself.
    Raises :class:`Damaged` if there is no save at or before it.
    """
    log, timeline = replay.log, replay.timeline
    columns = log.columns
    save = columns.save_at(timeline.resolve(position, timeline.last))
    if save < 0:
        raise Damaged("no save line comes before that position", file=log.source.name)
    line = timeline.resolve(position, timeline.last) if exact else columns.save_lines[save]
    return Loss(
        truncation=plan_rewind(log, line, state_at(log, save)),
        turn=columns.save_turns[save],
        turns=max(columns.save_turns[-1] - columns.save_turns[save], 0),
        saves=len(columns.save_lines) - 1 - save,
        lines=timeline.last - line,
        time=timeline.time(timeline.last) - timeline.time(line),
        finished=log.header.finished,
    )


def state_after(log: Log) -> str:
    """What line 2 of the header says at the log's end: how a game ended that is over, as far as its engine knows."""
    columns = log.columns
    number = log.last_sound(len(columns.save_lines) - 1)
    if not columns.kinds.endswith(b"Q"):
        return state_at(log, number)
    engine = engine_name(log.header.identification.version, head_of(log))
    if engine not in engines():
        return _OVER
    return guarded.load(engine_named(engine), log.save(number)[HEAD_SIZE:]).ending or _OVER


def state_at(log: Log, number: int) -> str:
    """What line 2 of the header says of the game at save `number`; its turn alone where nobody can read that save."""
    engine = engine_name(log.header.identification.version, head_of(log))
    try:
        save = log.save(number)
        return guarded.load(engine_named(engine), save[HEAD_SIZE:]).state if engine in engines() else state_of(save)
    except (LockNotObtained, LogRecovered):
        raise  # these say nothing about the save
    except NhlogError:
        return f"{log.columns.save_turns[number]} turns"
