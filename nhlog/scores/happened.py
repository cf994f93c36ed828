"""What happened in a game that ended, and when: the markers of its log, such as a place that the hero came to.

A trophy asks this of every game that could have it, so what a log tells is kept as long as its file stays as it is.
"""

from contextlib import closing
from typing import Final, NamedTuple

from nhlog.cache import Index, fingerprint_of
from nhlog.engines import engines
from nhlog.errors import NhlogError
from nhlog.scores.entry import log_of, open_ended

__all__ = ["Happened", "first_of"]

_OF_THE_FILE: Final = ("backup", "session", "recovery", "damage")  # kinds of markers that tell nothing of the hero


class Happened(NamedTuple):
    """An event of a game: its marker's name, the turn, and the moment in UTC microseconds since 1970."""

    name: str
    turn: int
    moment: int


_KEPT: Final = Index("happened", 1, list[Happened])


def first_of(path: str, text: str) -> Happened | None:
    """The first event of the log `path` that has this text in its name, in any case of letters.

    None if there is none, and for what is not the log of a game that ended.
    """
    wanted = text.casefold()
    try:
        return next((event for event in _happened(path) if wanted in event.name.casefold()), None)
    except NhlogError:
        return None


def _happened(path: str) -> list[Happened]:
    state, how = fingerprint_of(path), " ".join(engines())  # without its engine a log tells less
    kept = _KEPT.load(state, how)
    if kept is None:
        kept = _read(path)
        _KEPT.store(state, kept, how)
    return kept


def _read(path: str) -> list[Happened]:
    with closing(open_ended(path)) as replay:
        log = log_of(replay).log
        if not log.header.finished:
            raise NhlogError("this game is not finished", file=path, found=log.header.state)
        timeline = replay.timeline
        return [
            Happened(marker.name, timeline.at("turn", marker.step), log.columns.utc(marker.step))
            for marker in timeline.markers
            if marker.kind not in _OF_THE_FILE
        ]
