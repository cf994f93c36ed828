"""A second game with the past of a first one: the log up to a position, in a file of its own, to be played on there.

The lines are the first log's, byte for byte; the header says that the game goes on, and the first backup points at the
latest one that came along.  The first log is read as by any spectator, without a lock, and may be played meanwhile.

The game is no contest any more, whatever the first game was: who may try twice from one place has explored it.  So its
header says explore mode, and lists of scores leave it out.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from nhlog.engines import engine_named, guarded, lacking
from nhlog.errors import Damaged, Unsupported, Usage
from nhlog.files import atomic
from nhlog.formats.nhgame.engine import engine_name, head_of
from nhlog.formats.nhgame.open import open_log
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import state_at
from nhlog.log.log import Log
from nhlog.log.reading import pieces
from nhlog.log.wire.grammar import backup_pointer
from nhlog.log.wire.header import MODES, Identification
from nhlog.log.wire.lines import BACKUP_HEAD
from nhlog.operations import Record
from nhlog.savehead import HEAD_SIZE
from nhlog.timeline import parse_position

__all__ = ["branch_off", "save_at", "write_branch"]

_OPEN: Final = ("explore", "wizard")  # modes that stay what they are
_FIRST_COUNT: Final = 1  # of recoveries, as of a new game
_POINTER: Final = 8  # digits of it, behind the first letter of a backup


def branch_off(source: str, target: str, position: str) -> Record:
    """Write the game in the log `source`, up to the latest save at or before a position, to the new file `target`.

    Raises :class:`Usage` for a position that the game does not have or where it is over, and if there is such a file;
    :class:`Unsupported` where nothing here can play it on; :class:`Damaged` where no save can be rebuilt there, and for
    a header that is not the game's own; :class:`~nhlog.errors.LogRecovered` where the log was cut meanwhile, and
    :class:`~nhlog.files.CannotWrite`.
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
    size = _write(log, save, target, state=state_at(log, save), mode=mode)
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


def _write(log: Log, save: int, target: str, *, state: str, mode: int) -> int:
    """Write the lines of a log up to its save number `save` to the new file `target`; returns its size.

    `state` is the text for line 2 of the header, `mode` the play mode.
    """
    header = log.header
    whole = replace(
        header,
        identification=Identification("save", _FIRST_COUNT, header.identification.version),
        state=state,
        mode=mode,
    ).format()
    columns = log.columns
    first, latest, end = columns.backup_offset(0), columns.backup_at(save), columns.after(columns.save_lines[save])
    if len(whole) != header.length:  # other spaces than the game's own: every pointer would be wrong
        raise Damaged("the header cannot be rewritten in place", file=log.source.name, offset=0)

    def parts() -> Iterator[bytes]:
        yield whole
        yield from pieces(log.known.read, header.length, first)
        head = log.known.read(BACKUP_HEAD, first)
        pointer = b"%08x" % columns.backup_offset(latest)
        yield head if backup_pointer(head) is None else head[:1] + pointer + head[1 + _POINTER :]
        yield from pieces(log.known.read, first + BACKUP_HEAD, end)

    return atomic.write(target, parts(), force=False)
