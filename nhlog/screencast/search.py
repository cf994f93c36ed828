"""Where text comes up on the screen of a recorded terminal: the events after which a row shows what it did not before.

Every event may change the screen, and to read it takes ten times as long as to play it.  So what an event prints is
looked at first: mostly one sees there that it cannot have brought up what is searched for.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from nhlog.replay import Event
from nhlog.vt import Part, Size, Tape, Terminal

__all__ = ["needed", "search"]

_PULSE: Final = 512  # events after which one hears how far it is
_MOST_KNOWN: Final = 1 << 12  # rows of which one remembers what is found in them
_LONGEST: Final = 120  # characters of a row that are told


def search(
    tape: Tape, pattern: re.Pattern[str], first: int, last: int, *, backwards: bool = False
) -> Iterator[Event | int]:
    """The events from `first` to `last` that bring up a match, in their order or the other way round.

    Between them come numbers of events: how far it is.
    """
    if not backwards:
        yield from _forwards(tape, pattern, first, last)
        return
    for played, _ in tape.walk(min(tape.reach, last + 1), last + 1, _now_and_then):
        yield max(played - 1, 0)  # there have to be places to begin from
    for begin in reversed(tape.keys(first, last + 1)):
        yield from reversed([*_forwards(tape, pattern, max(begin, first), last)])
        last = begin - 1


def _now_and_then(played: int, part: Part) -> bool:
    return played % _PULSE == 0


def _forwards(tape: Tape, pattern: re.Pattern[str], first: int, last: int) -> Iterator[Event | int]:
    looks = _Looks(pattern)
    for played, terminal in tape.walk(first, last + 1, looks.wanted):
        row = looks.look(terminal)
        if row is not None and played > first:
            yield Event(played - 1, row.strip()[:_LONGEST], pattern.pattern)
        elif played % _PULSE == 0:
            yield played - 1


class _Looks:
    """What is found on a screen, as it changes, and whether it has to be looked at after an event."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._matches = lru_cache(_MOST_KNOWN)(self._matches_in)
        self._rows: dict[int, frozenset[str]] = {}  # those in which there is a match
        self._needed = needed(pattern)
        self._near: set[int] = set()  # rows with what is needed for one
        self._may_come = _may_come(self._needed) if self._needed else None
        self._ordered = True
        self._inside = False  # of a sequence

    def _matches_in(self, text: str) -> frozenset[str]:
        return frozenset(found.group() for found in self._pattern.finditer(text) if found.group())

    def wanted(self, played: int, part: Part) -> bool:
        """Whether the screen has to be looked at after an event."""
        if _now_and_then(played, part) or self._may_come is None or isinstance(part, Size) or not self._ordered:
            return True
        printed = _HARMLESS.sub(b"\n", part)
        inside, self._inside = self._inside, bool(_OTHER.search(printed))
        return bool(inside or self._inside or self._near or self._may_come.search(printed.lower()))

    def look(self, terminal: Terminal) -> str | None:
        """The row in which there is a match that was nowhere before; None without one."""
        changed, texts = terminal.changed_texts(), terminal.texts
        shown = frozenset[str]().union(*self._rows.values())
        for row in [*self._rows, *self._near]:
            if row >= len(texts):
                self._rows.pop(row, None)
                self._near.discard(row)
        new = None
        for row in changed:
            self._rows.pop(row, None)
            self._near.discard(row)
            if matches := self._matches(texts[row]):
                self._rows[row] = matches
                new = texts[row] if new is None and not matches <= shown else new
            if matches or (self._needed and self._needed in texts[row].lower()):
                self._near.add(row)
        self._ordered = terminal.prints_in_order
        return new


_HARMLESS: Final = re.compile(
    rb"\x1b(?:\[(?:[0-9;:]*[ABCDEFGHJKLMSTXadefmrsu`]|\?(?:1|12|25|100\d|1034|2004)[hl])|[()][0-9AB]|[78=>DEM]"
    rb"|\][^\x00-\x1f]*(?:\x07|\x1b\\))"
)
"""Sequences that put no text where it did not stand before, but move whole rows at the most."""
_OTHER: Final = re.compile(rb"\x1b|\xc2(?:[\x80-\x9f]|$)")


def _may_come(word: str) -> re.Pattern[bytes]:
    """Finds what an event has to print for a word to come up in whatever else is on the screen, in small letters.

    What is printed without a sequence in between stands together: it has the word, begins with an end of it, ends with
    a beginning of it, or is a part of it.
    """
    size = len(word)
    inner = {word[start:end] for start in range(1, size) for end in range(start + 1, size)}
    begin, end = r"(?<![ -~])", r"(?![ -~])"
    choices = [
        re.escape(word),
        *(re.escape(word[:count]) + end for count in range(1, size)),
        *(begin + re.escape(word[count:]) for count in range(1, size)),
        *(begin + re.escape(part) + end for part in sorted(inner)),
    ]
    return re.compile("|".join(choices).encode())


_ONE_OF: Final = re.compile(r"\[\^?\]?[^\]\\]*\]")
_CLASS: Final = re.compile(r"\\[bBdDsSwWAZ]")
_OPTIONAL: Final = re.compile(r".(?:[*?]|\{[^}]*\})\??", re.DOTALL)
_WORD: Final = re.compile(r"[A-Za-z0-9!\"#%&',/:;<=>@_`~-]{2,40}")
_SPECIAL: Final = "|()\\[]{}"


def needed(pattern: re.Pattern[str]) -> str:
    """A word that is in every match, in small letters; empty if none can be told."""
    text = _CLASS.sub("\n", _ONE_OF.sub("\n", pattern.pattern))
    text = _OPTIONAL.sub("\n", text)
    if any(char in text for char in _SPECIAL):
        return ""
    return max(_WORD.findall(text), key=len, default="").lower()
