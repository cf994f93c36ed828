"""Where text comes up on the screen of a recorded terminal: the events after which a row shows what it did not before.

Every event may change the screen, and to read it takes ten times as long as to play it.  So what an event prints is
looked at first: mostly one sees there that it cannot have brought up what is searched for.
"""

import re
from collections.abc import Iterator
from typing import Final

from nhlog.replay import Event
from nhlog.vt import MOST_AHEAD, Part, Reading, Size, Tape

__all__ = ["needed", "search"]

_PULSE: Final = 512  # events after which one hears how far it is
_LONGEST: Final = 120  # characters of a row that are told
_NOTHING: Final[frozenset[str]] = frozenset()


def search(
    tape: Tape, pattern: re.Pattern[str], first: int, last: int, *, backwards: bool = False
) -> Iterator[Event | int]:
    """The events from `first` to `last` that bring up a match, in their order or the other way round.

    Between them come numbers of events: how far it is.
    """
    if not backwards:
        yield from _forwards(tape, pattern, first, last)
        return
    for played in range(tape.reach, last + 1, _PULSE):
        tape.go(played)  # there have to be places to begin from
        yield max(played - 1, 0)
    tape.go(last + 1)
    for begin in reversed(tape.keys(first, last + 1)):
        yield from reversed([*_forwards(tape, pattern, max(begin, first), last)])
        last = begin - 1


def _forwards(tape: Tape, pattern: re.Pattern[str], first: int, last: int) -> Iterator[Event | int]:
    looks = _Looks(pattern)
    for played, reading in tape.walk(first, last + 1, looks.wanted, looks.word, looks.ahead):
        row = looks.look(played, reading)
        if row is not None and played > first:
            yield Event(played - 1, row.strip()[:_LONGEST], row)
        elif played % _PULSE == 0:
            yield played - 1


class _Looks:
    """What is found on a screen, as it changes, and whether it has to be looked at after an event."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._rows: list[frozenset[str]] = []  # what is found in each row
        self._shown = _NOTHING  # in all of them
        self.word = needed(pattern)
        self._word = _Word(self.word) if self.word else None
        self._looked = self._wanted = 0  # after how many events
        self._ahead = 1
        self._near = False  # the word that is needed may be on the screen
        self._ordered = False  # what is printed without a sequence in between stands together
        self._other = True  # something else than harmless sequences came since that was asked
        self._inside = False  # of a sequence

    def wanted(self, played: int, part: Part) -> bool:
        """Whether the screen has to be looked at after an event."""
        if self._wanted > self._looked or self._has_to_look(part) or played % _PULSE == 0:
            self._wanted = played
            return True
        return False

    def _has_to_look(self, part: Part) -> bool:
        """Whether it has to, where it was looked at whenever that was wanted before."""
        if self._word is None or isinstance(part, Size) or not self._ordered or self._near:
            return True
        printed = _HARMLESS.sub(b"\n", part)
        self._other |= self._inside or bool(_OTHER.search(printed))
        return self._other or self._word.may_come(printed)

    def ahead(self) -> int:
        """How many looks are wanted at once: the more, the longer each is."""
        every = self._word is None or self._near or not self._ordered
        self._ahead = min(2 * self._ahead, MOST_AHEAD) if every else 1
        return self._ahead

    def look(self, played: int, reading: Reading) -> str | None:
        """The row in which there is a match that was nowhere before; None without one."""
        new = None
        changed, texts = reading.changed, reading.texts
        self._looked, self._other = played, False
        self._ordered, self._inside = reading.prints_in_order, reading.is_unfinished
        if changed or len(texts) != len(self._rows):
            rows = (self._rows + [_NOTHING] * len(texts))[: len(texts)]
            for row in changed:
                rows[row] = frozenset(filter(None, map(re.Match.group, self._pattern.finditer(texts[row]))))
                new = texts[row] if new is None and not rows[row] <= self._shown else new
            if rows != self._rows:
                self._rows, self._shown = rows, _NOTHING.union(*rows)
            self._near = self._word is not None and any(texts)
        return new


_HARMLESS: Final = re.compile(
    rb"\x1b(?:\[(?:[0-9;:]*[ABCDEFGHJKLMSTXadefmrsu`]|\?(?:1|12|25|100\d|1034|2004)[hl])|[()][0-9AB]|[78=>DEM]"
    rb"|\][^\x00-\x1f]*(?:\x07|\x1b\\))"
)
"""Sequences that put no text where it did not stand before, but move whole rows at the most."""
_OTHER: Final = re.compile(rb"\x1b|\xc2(?:[\x80-\x9f]|$)")


class _Word:
    """Whether what an event prints can make a word come up, in whatever else is on the screen.

    What is printed without a sequence in between stands together: it has the word, begins with an end of it, ends with
    a beginning of it, or is a part of it.
    """

    def __init__(self, word: str) -> None:
        self._word = word.encode()
        self._begins = tuple(self._word[:count] for count in range(1, len(word)))
        self._ends = tuple(self._word[count:] for count in range(1, len(word)))
        letters = self._word + self._word.upper()
        self._kinds = bytes(
            ord("w") if byte in letters else ord("x") if 0x20 <= byte < 0x7F else ord("\n") for byte in range(256)
        )

    def may_come(self, printed: bytes) -> bool:
        """Whether it can; between what stands together there is something that cannot be printed."""
        kinds = b"\n%b\n" % printed.translate(self._kinds)
        printed = printed.lower()
        if self._word in printed:
            return True
        at = kinds.find(b"\nw")
        while at >= 0:  # where one begins
            if printed.startswith(self._ends, at) or printed[at : kinds.index(b"\n", at + 1) - 1] in self._word:
                return True
            at = kinds.find(b"\nw", at + 1)
        at = kinds.find(b"w\n")
        while at >= 0:  # where one ends
            if printed.endswith(self._begins, 0, at):
                return True
            at = kinds.find(b"w\n", at + 1)
        return False


_ONE_OF: Final = re.compile(r"\[\^?\]?[^\]\\]*\]")
_CLASS: Final = re.compile(r"\\[bBdDsSwWAZ]")
_OPTIONAL: Final = re.compile(r".(?:[*?]|\{[^}]*\})\??", re.DOTALL)
_WORD: Final = re.compile(r"[A-Za-z0-9!\"#%&',/:;<=>@_`~-]{2,40}")
_GROUP: Final = re.compile(r"\([^()\\]*\)")
_SPECIAL: Final = "|()\\[]{}"


def needed(pattern: re.Pattern[str]) -> str:
    """A word that is in every match, in small letters; empty if none can be told."""
    text = _CLASS.sub("\n", _ONE_OF.sub("\n", pattern.pattern))
    while text != (text := _GROUP.sub("\n", text)):  # the inner ones first
        pass
    text = _OPTIONAL.sub("\n", text)
    if pattern.flags & re.VERBOSE or any(char in text for char in _SPECIAL):
        return ""
    return max(_WORD.findall(text), key=len, default="").lower()
