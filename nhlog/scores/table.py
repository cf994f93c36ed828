"""The list of scores: of games that ended, from xlogfiles of any NetHack, and from finished logs themselves."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from heapq import nlargest
from typing import Final

from nhlog.cache import Index
from nhlog.errors import NhlogError
from nhlog.formats import format_of
from nhlog.formats.nhgame import ID
from nhlog.formats.nhgame.listing import glance_at_game
from nhlog.formats.nhgame.replay import LEFT, WON
from nhlog.log.wire.header import in_full
from nhlog.replay import Status
from nhlog.scores.entry import Ended, entry_of, log_of, told_of
from nhlog.scores.wire import Entry, number_of
from nhlog.scores.xlogfile import DUMPLOG, GAME, XLOGFILE, read_entries
from nhlog.values import dataclass

__all__ = ["Score", "best", "best_of_each", "score_in", "score_of", "scores_in"]

_MICROSECONDS: Final = 1_000_000
_SEEDS: Final = ("seed", "rngseed")  # as Crawl and some of NetHack 4's descendants call it
_WIZARD, _EXPLORE = 1, 2  # bits of the field `flags` of NetHack 3.6 and later
_OPEN_MODES: Final = ("explore", "wizard", "debug")  # games that are no contest
_UNKNOWN: Final = -(1 << 64)  # below every number of points
_ENTRIES: Final = Index("scores", 1, dict[str, str | int])  # of finished logs, each of which takes time to be opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A game that ended; None for what its source does not say.

    `depth` is where, `deepest` how deep the hero had come; `start` and `end` are UTC microseconds since 1970,
    `play_time` microseconds.  `mode` is in NetHack 4's words, empty if it is not told.  `dumplog` is the name of the
    file with the last state.  `file` tells of the game: its log, or the xlogfile.  The bits of `achieve` are what the
    hero achieved, and those of `conduct` what the hero never did, by the game's own numbers.  `seed` is the world's,
    if the line of an xlogfile says so.
    """

    player: str
    points: int | None
    role: str
    race: str
    gender: str
    alignment: str
    death: str
    turns: int | None
    depth: int | None
    deepest: int | None
    level: int | None
    hp: int | None
    hp_max: int | None
    start: int | None
    end: int | None
    play_time: int | None
    mode: str
    version: str
    dumplog: str | None
    file: str
    games: int = 1
    achieve: int | None = None
    conduct: int | None = None
    seed: str = ""

    @property
    def is_contest(self) -> bool:
        """Whether it counts: an explore or wizard game does not."""
        return self.mode not in _OPEN_MODES

    @property
    def won(self) -> bool:
        """Whether the game was won."""
        return self.death.casefold().startswith(WON)

    @property
    def died(self) -> bool:
        """Whether the hero died."""
        return not self.death.casefold().startswith(LEFT)

    @property
    def engine(self) -> str:
        """The id of the engine; empty if its source does not say, as NetHack's own xlogfiles."""
        return self.version.rpartition(" ")[0]

    @property
    def log(self) -> str | None:
        """Where the log of the game is, if it has one: games are put away under the names of their dumplogs."""
        if self.file.endswith(GAME):
            return self.file
        name = self.dumplog
        if name is None or os.path.basename(name) != name or not name.endswith(DUMPLOG):
            return None
        return os.path.join(os.path.dirname(self.file), name.removesuffix(DUMPLOG) + GAME)

    @property
    def rank(self) -> tuple[int, int]:
        """What is greater for the better of two scores; of equal ones the earlier is better."""
        return _UNKNOWN if self.points is None else self.points, -(self.end or 0)


def scores_in(path: str) -> Iterator[Score | NhlogError]:
    """The scores in an xlogfile, in the log of a finished game, or in a folder; an error for what cannot be read.

    Of a folder with an xlogfile its lines are taken, else the finished games in it.  All unreadable lines of an
    xlogfile are one error, the last thing that is told.
    """
    try:
        yield from _scores_in(path)
    except NhlogError as error:
        yield error


def _scores_in(path: str) -> Iterator[Score | NhlogError]:
    if os.path.isdir(path):
        listed = os.path.join(path, XLOGFILE)
        yield from _of_lines(listed) if os.path.lexists(listed) else _of_logs(path)
    elif path.endswith(GAME) or (format_of(path).id == ID and _is_log(path)):
        yield _of_log(path)
    else:
        yield from _of_lines(path)


def best(scores: Iterable[Score], most: int) -> list[Score]:
    """The best of the scores, the best first."""
    return nlargest(most, scores, key=lambda score: score.rank)


def best_of_each(scores: Iterable[Score]) -> list[Score]:
    """The best score of each player, with the number of their `games`."""
    found: dict[str, Score] = {}
    games: Counter[str] = Counter()
    for score in scores:
        games[score.player] += 1
        if score.player not in found or score.rank > found[score.player].rank:
            found[score.player] = score
    return [replace(score, games=games[player]) for player, score in found.items()]


def _of_lines(path: str) -> Iterator[Score | NhlogError]:
    first, more = None, 0
    for entry in read_entries(path):
        if not isinstance(entry, NhlogError):
            yield score_in(entry, path)
        elif first is None:
            first = entry
        else:
            more += 1
    if first is not None:
        first.what += f", and {more} more such lines" if more else ""
        yield first


def _of_logs(folder: str) -> Iterator[Score | NhlogError]:
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        try:
            if name.endswith(GAME) and glance_at_game(path).status is Status.FINISHED:
                yield _of_log(path)
        except NhlogError as error:
            yield error


def _is_log(path: str) -> bool:
    try:
        glance_at_game(path)
    except NhlogError:
        return False
    return True


def score_of(replay: Ended) -> Score:
    """The score of a game that is over, from its log, which stands at its last line."""
    return _of_entry(entry_of(replay, os.geteuid()), log_of(replay).log.source.name)


def _of_log(path: str) -> Score:
    return _of_entry(told_of(path, lambda replay: entry_of(replay, os.stat(path).st_uid), _ENTRIES), path)


def _of_entry(entry: Entry, path: str) -> Score:
    return score_in({name: str(value) for name, value in entry.items()}, path)


def score_in(fields: Mapping[str, str], file: str) -> Score:
    """The score in a line of the xlogfile `file` that has these fields."""
    role, *others = (fields.get(name, "") for name in ("role", "race", "gender", "align"))
    words = in_full(role, *(word.lower() for word in others))
    return Score(
        player=fields.get("name", ""),
        points=number_of(fields, "points"),
        role=words["role"],
        race=words["race"],
        gender=words["gender"],
        alignment=words["alignment"],
        death=fields.get("death", ""),
        turns=number_of(fields, "turns"),
        depth=number_of(fields, "deathlev"),
        deepest=number_of(fields, "maxlvl"),
        level=number_of(fields, "xplevel"),
        hp=number_of(fields, "hp"),
        hp_max=number_of(fields, "maxhp"),
        start=_moment(fields, "start", "birthdate"),
        end=_moment(fields, "end", "deathdate"),
        play_time=_scaled(number_of(fields, "realtime")),
        mode=_mode(fields),
        version=" ".join(filter(None, (fields.get("engine"), fields.get("version")))),
        dumplog=fields.get("dumplog") or None,
        file=file,
        achieve=number_of(fields, "achieve"),
        conduct=number_of(fields, "conduct"),
        seed=next((fields[name] for name in _SEEDS if name in fields), ""),
    )


def _moment(fields: Mapping[str, str], name: str, day: str) -> int | None:
    """A moment by the most exact of the fields that tell of it."""
    exact, seconds = number_of(fields, f"{name}timeus"), number_of(fields, f"{name}time")
    if exact is not None or seconds is not None:
        return exact if exact is not None else _scaled(seconds)
    try:
        return int(datetime.strptime(fields.get(day, ""), "%Y%m%d").replace(tzinfo=UTC).timestamp()) * _MICROSECONDS
    except ValueError:
        return None


def _scaled(seconds: int | None) -> int | None:
    return None if seconds is None else seconds * _MICROSECONDS


def _mode(fields: Mapping[str, str]) -> str:
    flags = number_of(fields, "flags") or 0
    return fields.get("mode", "debug" if flags & _WIZARD else "explore" if flags & _EXPLORE else "")
