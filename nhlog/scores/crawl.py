"""The lines of Dungeon Crawl's `logfile` in the words of NetHack's xlogfile; other fields keep their names."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

__all__ = ["in_nethacks_words"]

_IS_CRAWL: Final = frozenset({"sc", "xl", "cls", "ktyp"})  # fields that tell whose line it is
_WORDS: Final = {
    "v": "version",
    "sc": "points",
    "cls": "role",
    "xl": "xplevel",
    "mhp": "maxhp",
    "turn": "turns",
    "absdepth": "deathlev",
    "dur": "realtime",
    "start": "starttime",
    "end": "endtime",
}
_MOMENTS: Final = ("start", "end")
_DEATHS: Final = ("vmsg", "tmsg", "ktyp")
"""How it ended, the fullest first."""


def in_nethacks_words(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of a line, under NetHack's names if they are Crawl's."""
    if not fields.keys() >= _IS_CRAWL:
        return dict(fields)
    told = {**fields, **{name: _seconds(fields[name]) for name in _MOMENTS if name in fields}}
    words = {_WORDS.get(name, name): value for name, value in told.items()}
    return {**words, "death": next(fields[name] for name in _DEATHS if name in fields)}


def _seconds(text: str) -> str:
    """A moment in seconds since 1970; empty for what is none.  Crawl counts months from 0, and writes UTC."""
    year, month, rest = text[:4], text[4:6], text[6:14]
    try:
        moment = datetime.strptime(f"{year}{int(month) + 1:02}{rest}", "%Y%m%d%H%M%S")
        return str(int(moment.replace(tzinfo=UTC).timestamp()))
    except ValueError:
        return ""
