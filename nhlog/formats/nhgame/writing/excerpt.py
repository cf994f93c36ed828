"""An excerpt of a game as a log of its own, or the whole game written as small as its saves can be.

The excerpt begins with a backup of the save from which it goes on, and ends with a save or with the game.  All lines
but the saves stand as they are, so every time does; every save is the source's, as the smaller of the source's diff and
ours, and whole where NetHack 4 would write it whole.  The clock of its first save is the log's start.
"""

from dataclasses import replace
from typing import Final

from nhlog.errors import Damaged, Usage
from nhlog.files import atomic
from nhlog.formats.nhgame.open import open_log
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.rewind import state_at
from nhlog.log.columns import SAVES
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.header import Identification
from nhlog.log.wire.lines import CLOCK_WRAP, Backup, Diff
from nhlog.mdiff import compact
from nhlog.operations import Record
from nhlog.progress import report
from nhlog.savehead import parse_save_head
from nhlog.timeline import Timeline, parse_position

__all__ = ["convert"]

_FIRST_COUNT: Final = 1
_PULSE: Final = 64  # lines between two reports of how far it is
_DIFF: Final = b"~"
_POINTER: Final = slice(1, 9)  # of the first backup, with which the body begins


def convert(
    source: str, target: str, *, first: str | None = None, last: str | None = None, force: bool = False
) -> Record:
    """Write what happened between two positions of the log `source` to `target`; all of it without them.

    Of a damaged log the lines that tell nothing are left out, and ``error`` in the record says how many.  Raises
    :class:`Usage` for a part that ends before it begins; :class:`Damaged` or :class:`~nhlog.errors.Unsupported` if no
    save can be rebuilt there.
    """
    with open_log(source) as log:
        timeline = LogReplay(log).timeline
        begin, end = _part(log, timeline, first, last)
        header = _header(log, begin, end)
        body = _Body(len(header))
        _fill(body, log, begin, end)
        size = log.size
        note = timeline.skipped((first, log.columns.save_lines[begin]), (last, end))
    written = atomic.write(target, [header, bytes(body.data)], force=force)
    return {
        "source": source,
        "target": target,
        "first": body.turns[0],
        "last": body.turns[-1],
        "lines": body.lines,
        "saves": len(body.turns),
        "backups": len(body.backups),
        "size": written,
        "source_size": size,
        "note": note,
        "error": f"{body.left_out} lines that cannot be read are left out" if body.left_out else None,
    }


def _part(log: Log, timeline: Timeline, first: str | None, last: str | None) -> tuple[int, int]:
    """The number of the save that the excerpt begins with, and that of its last line."""
    columns = log.columns
    begin = 0 if first is None else max(columns.save_at(timeline.resolve(parse_position(first))), 0)
    end = len(log) - 1
    if last is not None:
        save = columns.save_at(timeline.resolve(parse_position(last)))
        if save < 0:
            raise Damaged("no save comes before that position", file=log.source.name, found=last)
        if save < begin:
            raise Usage("the end is before the start", expected=f"a position behind {first or 'start'}", found=last)
        end = columns.save_lines[save]
    sound = (number for number in range(begin, columns.save_at(end) + 1) if log.last_sound(number) == number)
    number = next(sound, begin)
    log.save(number)  # raises why none can be rebuilt
    return number, end


def _header(log: Log, begin: int, end: int) -> bytes:
    """The header of an excerpt from save `begin` to line `end`."""
    header, head = log.header, parse_save_head(log.save(begin))
    to_end = end == len(log) - 1
    latest = log.last_sound(log.columns.save_at(end))
    status = header.identification.status if to_end else "save"
    return replace(
        header,
        identification=Identification(status, _FIRST_COUNT, header.identification.version),
        state=header.state if to_end else state_at(log, latest),
        start=header.start if head is None else head.clock % CLOCK_WRAP,
    ).format()


class _Body:
    """The lines behind a header of so many bytes; `turns` has the turn of each save, `backups` where whole ones begin.

    `left_out` counts the lines of the source that tell nothing.
    """

    def __init__(self, offset: int) -> None:
        self.data = bytearray()
        self.turns: list[int] = []
        self.backups: list[int] = []
        self.lines = self.left_out = 0
        self._offset = offset
        self._newest = 0  # where the last line begins
        self._saved = b""

    def add(self, line: bytes) -> None:
        """Append a line that is no save."""
        self._newest = self._offset + len(self.data)
        self.data += line + b"\n"
        self.lines += 1

    def save(self, save: bytes, turn: int, diff: bytes | None) -> None:
        """Append a save; `diff` is the line that the source has for it, if that is a diff from the save before.

        It is written whole where the game would do so (log spec section 8.4).
        """
        if not self.backups or len(self._saved) < self._newest - self.backups[-1]:
            self._backup(save)
        else:
            ours = Diff(Blob.of(compact.encode(self._saved, save, _line_length))).format()
            self.add(ours if diff is None else min(ours, diff, key=len))
        self._saved = save
        self.turns.append(turn)

    def _backup(self, save: bytes) -> None:
        """Append a backup, which points at the one before; the first one points at this."""
        at = self._offset + len(self.data)
        self.add(Backup(self.backups[-1] if self.backups else at, Blob.of(save)).format())
        self.backups.append(at)
        self.data[_POINTER] = b"%08x" % at


def _fill(body: _Body, log: Log, begin: int, end: int) -> None:
    """Write the lines of a log from its save `begin` to its line `end`; those that cannot be read are left out."""
    columns = log.columns
    number, latest = begin - 1, begin - 1  # the save that was met last, and the one that was written
    for line in range(columns.save_lines[begin], end + 1):
        if line % _PULSE == 0:
            report("writing", line, end)
        raw = log.raw(line).data
        try:
            if columns.kinds[line] not in SAVES:
                parse_line(raw)
                body.add(raw)
                continue
            number += 1
            follows = raw.startswith(_DIFF) and latest == number - 1
            body.save(log.save(number), columns.save_turns[number], raw if follows else None)
            latest = number
        except Damaged:
            body.left_out += 1


def _line_length(diff: bytes) -> int:
    return len(Blob.of(diff).text)
