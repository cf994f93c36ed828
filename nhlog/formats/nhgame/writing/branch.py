"""A second game with the past of a first one: the log up to a position, in a file of its own, to be played on there.

It is no contest any more, whatever the first game was: who may try twice from one place has explored it.  So its header
says explore mode, and lists of scores leave it out.
"""

from typing import Final

from nhlog.engines import engine_named, guarded, lacking
from nhlog.errors import Damaged, Unsupported, Usage
from nhlog.formats.nhgame.engine import engine_name, head_of
from nhlog.formats.nhgame.open import open_log
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import state_at
from nhlog.log.branching import branch
from nhlog.log.log import Log
from nhlog.log.wire.header import MODES
from nhlog.operations import Record
from nhlog.savehead import HEAD_SIZE
from nhlog.timeline import parse_position

__all__ = ["branch_off", "save_at", "write_branch"]

_OPEN: Final = ("explore", "wizard")  # modes that stay what they are


def branch_off(source: str, target: str, position: str) -> Record:
    """Write the game in the log `source`, up to the latest save at or before a position, to the new file `target`.

    Raises :class:`Usage` for a position that the game does not have or where it is over, :class:`Unsupported` where
    nothing here can play it on, :class:`Damaged` where no save can be rebuilt there, and what `nhlog.log.branching`
    raises.
    """
    with open_log(source) as log:
        return write_branch(log, save_at(log, position), target)


def write_branch(log: Log, save: int, target: str) -> Record:
    """Write the game in an open log, up to its save number `save`, to the new file `target`; raises as `branch_off`."""
    engine = engine_named(engine_name(log.header.identification.version, head_of(log)))
    if missing := lacking(engine.name):
        raise Unsupported(missing)
    if over := guarded.load(engine, log.save(save)[HEAD_SIZE:]).ending:
        raise Usage("the game is over there", file=log.source.name, expected="an earlier position", found=over)
    mode = log.header.mode if log.header.mode_word in _OPEN else MODES.index("explore")
    size = branch(log, save, target, state=state_at(log, save), mode=mode)
    return {
        "source": log.source.name,
        "target": target,
        "turn": log.columns.save_turns[save],
        "lines": log.columns.save_lines[save] + 1,
        "saves": save + 1,
        "size": size,
    }


def save_at(log: Log, position: str) -> int:
    """The number of the latest sound save at or before a position."""
    wanted, columns, timeline = parse_position(position), log.columns, LogReplay(log).timeline
    is_turn = not wanted.relative and wanted.axis in ("turn", "unit")
    if is_turn and int(wanted.value) > columns.last_turn:
        raise Usage("the game has no such turn", file=log.source.name, expected=f"at most turn {columns.last_turn}")
    save = log.last_sound(columns.save_at(timeline.resolve(wanted, timeline.last)))
    if save < 0:
        raise Damaged("no save can be rebuilt before that position", file=log.source.name, found=position)
    return save
