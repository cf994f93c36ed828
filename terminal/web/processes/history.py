"""What runs in the process that knows which games ended: it answers the questions of the server's pages.

The lists and dumps say what games and players wrote into them.  So their texts are cut to a length here, and a dump is
read only if a line of a list names it, from the folder of that list, and only as a file that has no other name.
"""

import os
import select
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from heapq import nlargest
from socket import socket
from typing import Any, Final

import msgspec

from nhlog.decoding import json_decoder
from nhlog.errors import NhlogError
from nhlog.files import open_folder, open_only_name, read_at
from nhlog.operations import as_record
from nhlog.scores.history import History
from nhlog.scores.table import Score, best
from nhlog.scores.tournament import Tournament
from terminal.web.processes.wire import ALL, RECEIVED, Inbox, Kind, packed

__all__ = ["MOST", "Answer", "Ended", "Question", "answering", "month_of"]

MOST: Final = 100
"""Games in an answer."""

LARGEST_DUMP: Final = 1 << 20  # bytes: what `terminal.hosting` collects is no larger
_REFRESH: Final = 2.0  # seconds between two looks at the lists
_LONGEST: Final = 200  # characters of a text in an answer
_CHOICES: Final = 60  # games, roles or months that one can choose from
_SECOND: Final = 1_000_000  # in the microseconds of a score
_AHEAD: Final = 86_400 * _SECOND  # by which a clock may be wrong
_GREATEST: Final = (1 << 53) - 1  # number that JavaScript has exactly; a list may say what it likes


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question: about the best games (``scores``), the latest (``recent``), those of a `player`, a ``dump``, or the
    board of a ``tournament``.

    `game`, `role` and `month` (as ``2026-11``) choose among the games; those that are empty choose nothing.
    """

    kind: str
    game: str = ""
    role: str = ""
    month: str = ""
    player: str = ""
    name: str = ""


class Asked(msgspec.Struct, frozen=True):
    """A question with the number of its answer."""

    number: int
    question: Question


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer: `scores` are records as `nhlog scores --json` prints them, without `file`.

    Of all games that were asked about, `total` is how many there are, `won` and `died` how many ended so, `played` the
    microseconds that they took, `best` the one with the most points.  `games`, `roles` and `months` are what one can
    choose from.  `text` is that of a dump, or the title of a tournament, of which `scores` are the places: each with
    its ``trophy``, ``place`` and ``value``; `untold` are its games of which nothing says from which seed their worlds
    are: how many, by the game.  `found` is whether there is such a player, dump or tournament.
    """

    scores: list[dict[str, Any]] = []
    total: int = 0
    won: int = 0
    died: int = 0
    played: int = 0
    best: dict[str, Any] | None = None
    games: list[str] = []
    roles: list[str] = []
    months: list[str] = []
    text: str = ""
    untold: dict[str, int] = {}
    found: bool = True


class Answered(msgspec.Struct, frozen=True):
    """An answer with the number of its question; number 0 says that earlier answers are out of date."""

    number: int
    answer: Answer = Answer()


Ended = tuple[list[str], dict[str, Tournament]]
"""The places of the games that ended, and the tournaments by their names."""


def answering(channel: socket, ended: Ended) -> None:
    """Answer the questions of the server at the other end about these games, until it is gone."""
    channel.setblocking(True)
    places, tournaments = ended
    history, inbox = History(places), Inbox()
    known = _Known((), tournaments)
    while True:
        if history.look():
            known = _Known(history.scores, tournaments)
            channel.sendall(packed(Kind.ANSWER, ALL, msgspec.json.encode(Answered(0))))
        if not select.select([channel], [], [], _REFRESH)[0]:
            continue
        data = channel.recv(RECEIVED)
        if not data:
            return
        for _, _, parts in inbox.feed(data):
            asked = json_decoder(Asked).decode(parts[0])
            answer = known.answer(asked.question)
            channel.sendall(packed(Kind.ANSWER, ALL, msgspec.json.encode(Answered(asked.number, answer))))


class _Known:
    """The games, found by their players and their dumps."""

    def __init__(self, scores: Iterable[Score], tournaments: Mapping[str, Tournament]) -> None:
        self._scores = [*scores]
        self._tournaments = tournaments
        self._of_player: dict[str, list[Score]] = defaultdict(list)
        self._folders: dict[str, str] = {}  # of dumps, by their names
        for score in self._scores:
            self._of_player[score.player.casefold()].append(score)
            if score.dumplog is not None:
                self._folders[score.dumplog] = os.path.dirname(score.file)
        self._choices = {
            "games": _most(score.engine for score in self._scores),
            "roles": _most(score.role for score in self._scores),
            "months": sorted({month_of(score.end) for score in self._scores} - {""}, reverse=True)[:_CHOICES],
        }

    def answer(self, question: Question) -> Answer:
        """The answer to a question."""
        match question.kind:
            case "scores":
                scores = [score for score in self._chosen(question, self._scores) if score.is_contest]
                ranked = [{"rank": rank, **_told(score)} for rank, score in enumerate(best(scores, MOST), 1)]
                return msgspec.structs.replace(_counted(scores), scores=ranked, **self._choices)
            case "recent":
                scores = [*self._chosen(question, self._scores)]
                return msgspec.structs.replace(_counted(scores), scores=_latest(scores), **self._choices)
            case "player":
                scores = self._of_player.get(question.player.casefold(), [])
                return msgspec.structs.replace(_counted(scores), scores=_latest(scores), found=bool(scores))
            case "tournament" if tournament := self._tournaments.get(question.name):
                board = tournament.board(self._scores)
                places = [
                    {
                        **_told(one.score),
                        "trophy": one.trophy,
                        "measure": one.measure,
                        "place": one.place,
                        "value": _bounded(one.value),
                    }
                    for one in board.standings
                ]
                untold = {name[:_LONGEST]: count for name, count in board.untold.most_common(_CHOICES)}
                return Answer(text=tournament.title, scores=places, untold=untold)
            case "dump":
                text = self._dump(question.name)
                return Answer(text=text or "", found=text is not None)
        return Answer(found=False)

    @staticmethod
    def _chosen(question: Question, scores: Iterable[Score]) -> Iterator[Score]:
        for score in scores:
            if (
                (not question.game or score.engine == question.game)
                and (not question.role or score.role == question.role)
                and (not question.month or month_of(score.end) == question.month)
            ):
                yield score

    def _dump(self, name: str) -> str | None:
        """The text of a dump; None if no line names it, or it is no file that may be read."""
        folder = self._folders.get(name)
        if folder is None or "/" in name or name.startswith(".") or not name.endswith(".txt"):
            return None
        try:
            place = open_folder(folder)
        except OSError:
            return None
        try:
            file = open_only_name(place, name)
            try:
                return read_at(file, LARGEST_DUMP, 0, name).decode("utf-8", "replace")
            finally:
                os.close(file)
        except (NhlogError, ValueError):  # a NUL in the name
            return None
        finally:
            os.close(place)


def month_of(end: int | None) -> str:
    """The month of a moment, as ``2026-11`` in UTC; empty for one that is unknown, or in no calendar."""
    try:
        return "" if end is None else f"{datetime.fromtimestamp(end // _SECOND, UTC):%Y-%m}"
    except (OverflowError, ValueError, OSError):
        return ""


def _most(names: Iterable[str]) -> list[str]:
    """The most frequent of these, by name."""
    return sorted(name for name, _ in Counter(filter(None, names)).most_common(_CHOICES) if len(name) <= _LONGEST)


def _latest(scores: list[Score]) -> list[dict[str, Any]]:
    """The games that ended last; one that will end in the future is none of them."""
    soon = time.time_ns() // 1000 + _AHEAD
    past = (score for score in scores if score.end is not None and score.end < soon)
    return [_told(score) for score in nlargest(MOST, past, key=lambda score: score.end or 0)]


def _counted(scores: list[Score]) -> Answer:
    first = best((score for score in scores if score.is_contest), 1)
    return Answer(
        total=len(scores),
        won=sum(score.won for score in scores),
        died=sum(score.died for score in scores),
        played=min(sum(max(score.play_time or 0, 0) for score in scores), _GREATEST),
        best=_told(first[0]) if first else None,
    )


def _told(score: Score) -> dict[str, Any]:
    record = as_record(score)
    del record["file"], record["games"]
    told = {name: _bounded(value) for name, value in record.items()}
    return told | {"game": score.engine[:_LONGEST], "won": score.won, "died": score.died}


def _bounded(value: str | int | None) -> str | int | None:
    if isinstance(value, str):
        return value[:_LONGEST]
    return value if value is None else max(min(value, _GREATEST), -_GREATEST)
