"""The ledger: the lines of a log grouped into rows of a command, its answers, and the save it ended in.

Every line belongs to exactly one row; a row that is still being written grows.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.formats.nhgame.rows import RowEnds
from nhlog.formats.nhgame.state import Entry
from nhlog.formats.nhgame.words import in_words
from nhlog.log.heads import Heads
from nhlog.log.log import Log
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.lines import Backup, BadLine, Diff, Time
from nhlog.nethack4.heroes import HeroReader
from nhlog.nethack4.save.head import HERO_SIZE, Hero, read_hero
from nhlog.nethack4.save.version import has_hero
from nhlog.savehead import HEAD_SIZE

if TYPE_CHECKING:
    from nhlog.engines.protocol import Engine, Vitals

__all__ = ["Ledger", "hero_of"]


def hero_of(told: "Vitals") -> Hero:
    """The hero that an engine tells of."""
    level, depth = told.level or 0, told.depth or 0
    return Hero(told.place, level, told.hp, told.hp_max, depth, told.states, told.deeds, told.firsts)


class Ledger:
    """The rows of a log; `ends` has the last line of each."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lost = log.columns.lost()
        self.ends = RowEnds(log.columns.kinds)
        self._places: dict[int, str] = {}
        self._rows: dict[int, Entry] = {}  # by number, those asked for lately
        self._heads = Heads(log.columns, HERO_SIZE)
        self._heroes = HeroReader()
        self._same: tuple[range, Hero | None] = (range(0), None)  # saves of one hero, who was read from the first
        self._head_tells = True  # whether the engine may tell the hero from the first bytes of a save

    def extend(self) -> None:
        """Add the new lines of the log; the last row may grow."""
        lost = self._log.columns.lost()
        if lost == self._lost:
            self._rows.pop(len(self.ends) - 1, None)
        else:
            self._rows.clear()
        self._lost = lost
        self.ends = RowEnds(self._log.columns.kinds, self.ends)

    def rows(self, first: int, last: int) -> Iterator[Entry]:
        """The rows that end in lines `first` to `last`."""
        for number in range(self.ends.before(first), self.ends.before(last + 1)):
            row = self._rows.get(number)
            if row is None:
                row = self._rows[number] = self._row(number)
                if len(self._rows) > KEPT:
                    del self._rows[next(iter(self._rows))]
            yield row

    def happened(self, first: int, last: int) -> Iterator[tuple[int, str]]:
        """The last line and the text of each row that ends in lines `first` to `last`.

        That is what a list of events needs, for a tenth of what :meth:`rows` costs, which looks into the saves, too.
        """
        number = self.ends.before(first)
        begin = self._first(number)
        columns = self._log.columns
        acts = columns.kinds.translate(_ACTS)
        words = map(_in_words, compress(columns.stretches.each_line(begin), memoryview(acts)[begin:]))
        for end in self.ends.onwards(number):
            if end > last:
                return
            yield end, self._text(begin, end, islice(words, acts.count(1, begin, end + 1)))
            begin = end + 1

    def _first(self, number: int) -> int:
        """The first line of row `number`."""
        return self.ends[number - 1] + 1 if number else 0

    def _acts(self, first: int, last: int) -> list[int]:
        """Those of these lines that are somebody's doing."""
        kinds = self._log.columns.kinds
        return [line for line in range(first, last + 1) if kinds[line] not in _SILENT]

    def _text(self, first: int, last: int, told: Iterable[str]) -> str:
        """The row of these lines in words; `told` are those of what is somebody's doing."""
        if self._lost and self._is_lost(last):
            told = (*told, "its save is lost")
        return "; ".join(told) or ("saved" if first else "the game begins")

    def _row(self, number: int) -> Entry:
        first, last = self._first(number), self.ends[number]
        columns = self._log.columns
        save = _SAVES.get(columns.kinds[last], "")
        acts = self._acts(first, last)
        return Entry(
            step=last,
            text=self._text(first, last, map(self.words, acts)),
            source=" ".join(self._log.raw(line).data.decode("latin-1") for line in acts),
            first=first,
            turn=columns.turn(max(first - 1, 0)),
            utc=columns.utc(last),
            place=self.place(columns.save_at(last)),
            save=save,
            save_bytes=columns.after(last) - columns.offsets[last] - 1 if save else 0,
        )

    def _is_lost(self, line: int) -> bool:
        """Whether the line has a save that, or one that it depends on, is on an unreadable line."""
        columns = self._log.columns
        if columns.kinds[line] not in _SAVES:
            return False
        save = columns.save_at(line)
        index = bisect_right(self._lost, save, key=lambda saves: saves[0]) - 1
        return index >= 0 and save < self._lost[index][1]

    def latest(self, first: int, last: int) -> str:
        """The latest input of lines `first` to `last` in words; empty if there is none."""
        kinds = self._log.columns.kinds
        given = (number for number in range(last, first - 1, -1) if kinds[number] not in _SILENT)
        return next(map(self.words, given), "")

    def since_save(self, line: int) -> str:
        """The lines up to `line` that came after the latest save, in words; the first ones left out if many."""
        columns = self._log.columns
        save = columns.save_at(line)
        first = columns.save_lines[save] + 1 if save >= 0 else 0
        acts = self._acts(max(first, line - FEW), line)
        words = [self.words(number) for number in acts[-MOST_TOLD:]]
        return ", ".join(["…", *words] if len(acts) > MOST_TOLD else words)

    def words(self, number: int) -> str:
        """Line `number` in words for a player; empty for times and saves."""
        return _in_words(self._log.raw(number).data)

    def place(self, save: int) -> str:
        """The place of the hero in save number `save`; empty if it is not known."""
        if save < 0:
            return ""
        if save not in self._places:
            hero = self.hero(save)
            self._places[save] = hero.place if hero else ""
        return self._places[save]

    def hero(self, save: int) -> Hero | None:
        """The hero of save number `save`; None if its engine does not tell, or the save cannot be read."""
        if self.teller:
            told = self.vitals(save)
            return None if told is None else hero_of(told)
        saves, hero = self._same
        if hero is not None and save == saves.stop == self._heads.number + 1:
            self._heads.go_on(len(self._log.columns.save_lines) - 1, self._heroes.watched)
            saves = range(saves.start, self._heads.number)
            self._same = saves, hero
        return hero if save in saves else self._read_hero(save)

    def _read_hero(self, save: int) -> Hero | None:
        """The hero of a save of NetHack 4 or FIQHack, read from its head; None of another one."""
        head = self.head(save)
        if not has_hero(head):
            return None
        hero = self._heroes.read(head)
        self._same = range(save, save + 1 if hero else save), hero
        return hero or self._whole_hero(save)

    def vitals(self, save: int) -> "Vitals | None":
        """How the hero is in a save, by the game's engine; None for NetHack 4, and where no engine tells."""
        if self.engine is None:
            return None
        told = self._vitals(self.engine, self.head(save)) if self._head_tells else None
        if told is None:
            told = self._vitals(self.engine, self._whole(save))
            self._head_tells &= told is None  # of an engine that needs whole saves no other head is tried in vain
        return told

    @staticmethod
    def _vitals(engine: "Engine", save: bytes) -> "Vitals | None":
        from nhlog.engines.guarded import vitals

        try:
            return vitals(engine, save[HEAD_SIZE:]) if save else None
        except NhlogError:  # whatever is wrong with it: who plays the game is told
            return None

    @cached_property
    def engine(self) -> "Engine | None":
        """The engine of the game; None for NetHack 4, and where none of that id can be loaded."""
        from nhlog.engines import engine_named

        try:
            return engine_named(self.teller) if self.teller else None
        except NhlogError:
            return None

    @cached_property
    def teller(self) -> str:
        """The id of the engine that tells of the hero; empty for NetHack 4, and where no engine of the game is here."""
        from nhlog.engines import engines
        from nhlog.formats.nhgame.engine import engine_name, head_of

        try:
            head = head_of(self._log)
        except NhlogError:
            return ""
        if has_hero(head):
            return ""
        name = engine_name(self._log.header.identification.version, head)
        return name if name in engines() else ""

    def _whole_hero(self, save: int) -> Hero | None:
        """The hero of a save that is rebuilt completely, if the heads of the saves since the backup do not suffice."""
        return read_hero(self._whole(save))

    def _whole(self, save: int) -> bytes:
        """That save; empty if it cannot be rebuilt."""
        try:
            return self._log.save(save)
        except (Damaged, Unsupported):
            return b""

    def head(self, save: int) -> bytes:
        """The first bytes of a save, computed from the heads of the saves since the nearest backup.

        Empty if it cannot be rebuilt.
        """
        columns, heads = self._log.columns, self._heads
        index = columns.backup_at(save)
        if index < 0:
            return b""
        before = columns.backups[index] - 1
        if not before <= heads.number <= save:
            heads.stand(before, b"")
        if save - heads.number > MANY_HEADS and (whole := self._whole(save)):
            heads.stand(save, whole[:HERO_SIZE])
        heads.come_to(save)
        return heads.head


def _in_words(line: bytes) -> str:
    return _words(line) if len(line) > _SHORT else _known_words(line)


def _words(line: bytes) -> str:
    try:
        value = parse_line(line)
    except BadLine:
        return "unreadable line"
    return "" if isinstance(value, Time | Backup | Diff) else in_words(value)


_known_words = lru_cache(maxsize=1024)(_words)
"""Of lines that are given again and again, as most are."""

KEPT = 512  # rows that are kept: those on a screen, and as many around it
MOST_TOLD = 4  # lines without a save that are told
FEW = 20  # lines that are looked at for them
MANY_HEADS = 16  # saves whose heads take longer than a whole save, where it is not far from a keyframe
_SHORT = 64  # bytes of a line whose words are kept
_SILENT = b"+*~"  # lines that are not anybody's doing
_ACTS = bytes(kind not in _SILENT for kind in range(256))  # which are, by kind
_SAVES = {ord("*"): "backup", ord("~"): "diff"}
