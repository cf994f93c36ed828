"""A tournament: rules in a file of TOML, and the board that they make of games that ended.

    title = "November"
    begin = 2026-11-01T00:00:00Z
    end = 2026-12-01T00:00:00Z
    games = ["nethack"]               # all without it, as for players
    players = ["ann", "ben"]
    seeds = [42]

    [[trophies]]
    title = "Fastest ascension"
    least = "turns"
    where = ["won = true", "role = Wizard"]

A game counts if it began and ended within that time, and is no explore or wizard game; with `seeds`, if its world was
made from one of them, by what its xlogfile or its log says.  A trophy goes by the `most` or the `least` of a field, by
`first = true` (who did it first) or `count = true` (who did it most often); each player has one place, by their best
game.  Fields are those of a score; of the sets of what the hero achieved and never did ``achieve & 0x600`` asks for all
of these bits.  With `event` only games count in whose log there is an event with this in its name; turns and the moment
of `first` are then those of the event, not of the game's end.
"""

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from nhlog.config.toml import NotTOML, parse_toml
from nhlog.errors import Usage
from nhlog.files import read_whole
from nhlog.scores.happened import first_of
from nhlog.scores.table import Score
from nhlog.scores.worlds import is_of_one
from nhlog.values import NamedTuple, dataclass

__all__ = ["Board", "Standing", "Tournament", "Trophy", "read_tournament"]

PLACES: Final = 10
"""Players on the board of a trophy."""

_LARGEST: Final = 1 << 16  # bytes of a file
_MOST: Final = 100  # trophies
_SEEDS: Final = 1 << 64  # numbers that a seed may be
_TEXTS: Final = ("player", "game", "role", "race", "gender", "alignment", "death", "mode", "version")
_NUMBERS: Final = ("points", "turns", "depth", "deepest", "level", "hp", "hp_max", "play_time", "start", "end")
_TRUTHS: Final = ("won", "died")
_SETS: Final = ("achieve", "conduct")
_CONDITION: Final = re.compile(r"\s*(\w+)\s*(!=|<=|>=|=|<|>|~|&)\s*(.*?)\s*")
_SIGNS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "~": operator.contains,
    "&": lambda bits, wanted: bits & wanted == wanted,
}
_OF_TEXTS: Final = ("=", "!=", "~")
_KEYS: Final = {"title", "begin", "end", "games", "players", "seeds", "trophies"}
_TROPHY: Final = {"title", "most", "least", "first", "count", "where", "event"}
_OF_THE_EVENT: Final = {"turns": "turn", "end": "moment"}  # fields of the game, and of what happened in it


class Standing(NamedTuple):
    """A place on the board of a trophy: what the player has by the trophy's `measure`, and the game."""

    trophy: str
    measure: str
    place: int
    player: str
    value: int
    score: Score


class Board(NamedTuple):
    """The `standings` of all trophies, by trophy and place.

    `untold` are games that would count if anything said from which seed their worlds were made: how many, by the game.
    """

    standings: list[Standing]
    untold: Counter[str]


@dataclass(frozen=True, slots=True)
class Trophy:
    """A trophy: `measure` is ``most``, ``least``, ``first`` or ``count``, `field` that of the first two.

    With an `event` only games count in whose log there is one.
    """

    title: str
    measure: str
    field: str
    conditions: tuple[tuple[str, str, str | int | bool], ...]
    event: str

    def board(self, scores: Iterable[Score]) -> list[Standing]:
        """The places of these games' players."""
        fitting = (score for score in scores if all(self._holds(score, *one) for one in self.conditions))
        measured = [(value, score) for score in fitting if (value := self._measured(score)) is not None]
        if self.measure == "count":
            games = Counter(score.player for _, score in measured)
            last = {score.player: score for _, score in measured}
            ranked = sorted(last.values(), key=lambda score: (-games[score.player], score.end or 0))
            return [self._standing(at, score, games[score.player]) for at, score in enumerate(ranked[:PLACES], 1)]
        turned = -1 if self.measure == "most" else 1
        best: dict[str, tuple[int, Score]] = {}
        for value, score in sorted(measured, key=lambda one: (turned * one[0], one[1].end or 0)):
            best.setdefault(score.player, (value, score))
        ranked_best = [*best.values()][:PLACES]
        return [self._standing(at, score, value) for at, (value, score) in enumerate(ranked_best, 1)]

    def _measured(self, score: Score) -> int | None:
        """What the game has by the measure; None for a game that does not count."""
        if self.event:
            event = first_of(score.log, self.event) if score.log is not None else None
            if event is None:
                return None
            if self.field in _OF_THE_EVENT:
                return int(getattr(event, _OF_THE_EVENT[self.field]))
        value: int | None = _value(score, self.field)
        return value

    @staticmethod
    def _holds(score: Score, field: str, sign: str, wanted: str | int | bool) -> bool:
        value = _value(score, field)
        if isinstance(value, str):
            value, wanted = value.casefold(), str(wanted).casefold()
        return value is not None and _SIGNS[sign](value, wanted)

    def _standing(self, place: int, score: Score, value: int) -> Standing:
        return Standing(self.title, self.measure, place, score.player, value, score)


@dataclass(frozen=True, slots=True)
class Tournament:
    """The rules; `begin` and `end` are UTC microseconds since 1970, `games`, `players` and `seeds` empty for all."""

    title: str
    begin: int
    end: int
    games: tuple[str, ...]
    players: tuple[str, ...]
    seeds: tuple[str, ...]
    trophies: tuple[Trophy, ...]

    def board(self, scores: Iterable[Score]) -> Board:
        """What these games make of the rules."""
        counted: list[Score] = []
        untold: Counter[str] = Counter()
        for score in filter(self._fits, scores):
            counts = is_of_one(score, self.seeds) if self.seeds else True
            if counts is None:
                untold[score.engine] += 1
            elif counts:
                counted.append(score)
        return Board([standing for trophy in self.trophies for standing in trophy.board(counted)], untold)

    def _fits(self, score: Score) -> bool:
        """Whether the game counts, in whichever world it was."""
        return (
            score.is_contest
            and score.start is not None
            and score.end is not None
            and self.admits(score.player, score.engine, score.start, score.end)
        )

    def admits(self, player: str, game: str, start: int, end: int) -> bool:
        """Whether the game (an engine's id) is one of those asked for, and this player's, from `start` to `end`."""
        return (
            self.begin <= start <= end < self.end
            and (not self.games or game in self.games)
            and (not self.players or player.casefold() in self.players)
        )


def _value(score: Score, field: str) -> Any:
    return score.engine if field == "game" else getattr(score, field)


def read_tournament(path: str) -> Tournament:
    """The rules in a file; raises :class:`Usage` for what cannot be meant, and :class:`~nhlog.files.CannotOpen`."""
    try:
        values = parse_toml(read_whole(path, _LARGEST).decode())
        return _tournament(values)
    except (NotTOML, UnicodeDecodeError) as error:
        raise Usage(f"not TOML: {error}", file=path) from None
    except Usage as error:
        raise error.within(path) from None


def _tournament(values: Mapping[str, Any]) -> Tournament:
    _check_keys(values, _KEYS, "a tournament")
    begin, end = _moment(values, "begin"), _moment(values, "end")
    if begin >= end:
        raise Usage("it ends before it begins", expected="begin before end")
    trophies = values.get("trophies", [])
    if not isinstance(trophies, list) or not 0 < len(trophies) <= _MOST:
        raise Usage("no trophies", expected=f"1 to {_MOST} tables [[trophies]]")
    players = tuple(name.casefold() for name in _names(values, "players"))
    made = tuple(_trophy(trophy) for trophy in trophies)
    return Tournament(_text(values, "title"), begin, end, _names(values, "games"), players, _seeds(values), made)


def _trophy(values: object) -> Trophy:
    if not isinstance(values, dict):
        raise Usage("no table", expected="[[trophies]]")
    _check_keys(values, _TROPHY, "a trophy")
    title = _text(values, "title")
    measures = [name for name in ("most", "least", "first", "count") if values.get(name)]
    if len(measures) != 1:
        raise Usage(
            f"trophy {title}", expected="one of most, least, first and count", found=" ".join(measures) or "none"
        )
    [measure] = measures
    field = "end" if measure in ("first", "count") else _text(values, measure)
    if field not in _NUMBERS:
        raise Usage(f"trophy {title}: no number: {field}", expected=" ".join(_NUMBERS))
    event = _text(values, "event") if "event" in values else ""
    return Trophy(title, measure, field, tuple(map(_condition, _names(values, "where"))), event)


def _condition(text: str) -> tuple[str, str, str | int | bool]:
    found = _CONDITION.fullmatch(text)
    field, sign, wanted = found.groups() if found else ("", "", "")
    if field in _TEXTS and sign in _OF_TEXTS:
        return field, sign, wanted
    if field in _SETS and sign == "&" and re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}|\d{1,18}", wanted):
        return field, sign, int(wanted, 0 if wanted[1:2] in ("x", "X") else 10)
    if field in _NUMBERS and sign not in ("~", "&") and re.fullmatch(r"-?\d{1,18}", wanted):
        return field, sign, int(wanted)
    if field in _TRUTHS and sign == "=" and wanted in ("true", "false"):
        return field, sign, wanted == "true"
    expected = f"FIELD SIGN VALUE, FIELD one of {' '.join((*_TEXTS, *_NUMBERS, *_TRUTHS, *_SETS))}"
    raise Usage("no condition", expected=expected, found=repr(text))


def _check_keys(values: Mapping[str, Any], known: set[str], what: str) -> None:
    if unknown := sorted(values.keys() - known):
        raise Usage(f"unknown in {what}: {unknown[0]!r}", expected=" ".join(sorted(known)))


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str) or not value or not value.isprintable():
        raise Usage(f"bad {name}", expected="a text", found=repr(value))
    return value


def _names(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = values.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Usage(f"bad {name}", expected="a list of texts", found=repr(value))
    return tuple(value)


def _seeds(values: Mapping[str, Any]) -> tuple[str, ...]:
    value = values.get("seeds", [])
    if not isinstance(value, list) or not all(map(_is_seed, value)):
        raise Usage("bad seeds", expected="a list of numbers below 2^64, or of texts", found=repr(value))
    return tuple(map(str, value))


def _is_seed(value: object) -> bool:
    if isinstance(value, str):
        return value != ""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _SEEDS


def _moment(values: Mapping[str, Any], name: str) -> int:
    value = values.get(name)
    if not isinstance(value, datetime):
        raise Usage(f"bad {name}", expected="a moment, as 2026-11-01T00:00:00Z", found=repr(value))
    return int((value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()) * 1_000_000
