"""Statistics of a game, counted in one pass over its lines and the heads of its saves.

Turns and time belong to a place only where the save before them tells it: what lost saves would tell is not guessed.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.nhgame.ledger import Ledger
from nhlog.formats.nhgame.records import damage_words, status_of
from nhlog.log.columns import SAVES, Columns
from nhlog.log.log import Log
from nhlog.log.wire.grammar import kind_of
from nhlog.log.wire.lines import Command
from nhlog.nethack4.save.head import Hero
from nhlog.operations import Record

__all__ = ["PlayTime", "stats_records"]

_TIME: Final = ord("+")
_ANSWERS: Final = b"PDKYMOL"  # first bytes of the lines that answer a prompt of the player's


@dataclass(slots=True)
class _Stay:
    """What was spent in one place since turn `first`, in `entered` visits."""

    first: int
    turns: int = 0
    time: int = 0
    entered: int = 0


class _Course:
    """The hero's way from save to save.

    By name the stays in `places`, by level the turns at which `levels` were reached, the `lowest` hit points with their
    turn, and the place where the hero is; None where that is not known.
    """

    def __init__(self) -> None:
        self.places: dict[str, _Stay] = {}
        self.levels: dict[int, int] = {}
        self.lowest: tuple[int, int] | None = None
        self.place: str | None = None
        self._seen = ""  # the latest place that was known
        self._turn = self._time = 0

    def stay_until(self, turn: int, time: int) -> None:
        """Let turns and time pass where the hero is; a damaged turn counter can fall, and takes no turns away."""
        if self.place is not None:
            stay = self.places[self.place]
            stay.turns += max(turn - self._turn, 0)
            stay.time += time - self._time
        self._turn, self._time = turn, time

    def meet(self, hero: Hero | None) -> None:
        """Take the hero as the next save has him; None if it does not tell."""
        self.place = hero.place if hero else None
        if hero is None:
            return
        stay = self.places.setdefault(hero.place, _Stay(self._turn))
        stay.entered += hero.place != self._seen
        self._seen = hero.place
        if hero.level > next(reversed(self.levels), 0):
            self.levels[hero.level] = self._turn
        if self.lowest is None or hero.hp < self.lowest[0]:
            self.lowest = (hero.hp, self._turn)


class _Inputs:
    """What the player did: `commands` by name and `answers` by kind; `broken` has the lines that break the rules."""

    def __init__(self) -> None:
        self.commands: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.broken: list[int] = []

    def count(self, log: Log, number: int) -> None:
        """Count line `number`, if it is a command or an answer."""
        try:
            line = log.line(number)
        except Damaged:
            self.broken.append(number)
            return
        kind = log.columns.kinds[number]
        if isinstance(line, Command):
            self.commands[line.name] += 1
        elif kind in _ANSWERS:
            self.answers[kind_of(bytes((kind,)))] += 1


class PlayTime:
    """How long a game was played: all time but that between a session's last line and the next one's first."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        elapsed, last = columns.elapsed, len(columns.kinds) - 1
        gaps = (elapsed[min(line + 1, last)] - elapsed[line] for line in columns.sessions)  # the next line is a time
        self._away = [0, *accumulate(gaps)]
        self.total = self.upto(last) if last >= 0 else 0

    def upto(self, line: int) -> int:
        """The microseconds up to `line`."""
        return self._columns.elapsed[line] - self._away[bisect_left(self._columns.sessions, line)]


def stats_records(log: Log) -> Iterator[Record]:
    """One record of the game, one per place, experience level, command and kind of answer; if damaged, an error."""
    course, inputs, played = _Course(), _Inputs(), PlayTime(log.columns)
    _pass_over(log, course, inputs, played)
    yield _game(log, course, inputs, played)
    for place, stay in course.places.items():
        yield {
            "kind": "place",
            "place": place,
            "first": stay.first,
            "turns": stay.turns,
            "play_time": stay.time,
            "entered": stay.entered,
        }
    for level, turn in course.levels.items():
        yield {"kind": "level", "level": level, "turn": turn}
    for command, count in inputs.commands.most_common():
        yield {"kind": "command", "command": command, "count": count}
    for answer, count in inputs.answers.most_common():
        yield {"kind": "answer", "answer": answer, "count": count}
    broken = sorted({*log.columns.broken, *inputs.broken})
    if broken:
        yield {"kind": "error", "error": damage_words(log.columns, broken)}


def _pass_over(log: Log, course: _Course, inputs: _Inputs, played: PlayTime) -> None:
    columns, ledger = log.columns, Ledger(log)
    save = -1
    for line, kind in enumerate(columns.kinds):
        if kind in SAVES:
            save += 1
            course.stay_until(columns.save_turns[save], played.upto(line))
            course.meet(ledger.hero(save))
        elif kind != _TIME:
            inputs.count(log, line)
    course.stay_until(columns.last_turn, played.total)


def _game(log: Log, course: _Course, inputs: _Inputs, played: PlayTime) -> Record:
    columns = log.columns
    lowest_hp, lowest_hp_turn = course.lowest or (None, None)
    return {
        "kind": "game",
        "turn": columns.last_turn,
        "play_time": played.total,
        "sessions": len(columns.sessions),
        "commands": inputs.commands.total(),
        "answers": inputs.answers.total(),
        "lowest_hp": lowest_hp,
        "lowest_hp_turn": lowest_hp_turn,
        "place": course.place,
        "status": status_of(log.header),
        "state": log.header.state,
    }
