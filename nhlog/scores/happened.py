"""What happened in a game that ended, and when: the markers of its log, such as a place that the hero came to.

A trophy asks this of every game that could have it, so what a log tells is kept as long as its file stays as it is.
"""

from typing import Final

from nhlog.cache import Index
from nhlog.errors import NhlogError
from nhlog.scores.entry import Ended, log_of, told_of
from nhlog.values import NamedTuple

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
        return next((event for event in told_of(path, _happened, _KEPT) if wanted in event.name.casefold()), None)
    except NhlogError:
        return None


def _happened(replay: Ended) -> list[Happened]:
    timeline, columns = replay.timeline, log_of(replay).log.columns
    return [
        Happened(marker.name, timeline.at("turn", marker.step), columns.utc(marker.step))
        for marker in timeline.markers
        if marker.kind not in _OF_THE_FILE
    ]
