"""The three header lines of a log (log spec sections 2 to 4).

The lines that are rewritten in place have a fixed width: line 1 (31 bytes) and line 2 (78 bytes and a newline).
"""

import re

from nhlog.errors import Damaged, TooShort, Unsupported
from nhlog.log.wire.blob import Blob
from nhlog.values import dataclass

__all__ = [
    "HEADER_LINES",
    "IDENTIFICATION_SIZE",
    "MAX_HEADER",
    "MODES",
    "STATE_OFFSET",
    "STATE_WIDTH",
    "STATUS_OFFSET",
    "SUMMARY_OFFSET",
    "BadHeader",
    "Header",
    "HeaderTooShort",
    "Identification",
    "NotALog",
    "format_state",
    "in_full",
    "parse_header",
    "parse_identification",
]

HEADER_LINES = 3  # the body's lines are counted on from these
IDENTIFICATION_SIZE = 31  # line 1 with its newline
STATUS_OFFSET = 7
STATE_OFFSET = IDENTIFICATION_SIZE
STATE_WIDTH = 78
SUMMARY_OFFSET = STATE_OFFSET + STATE_WIDTH + 1
MAX_SUMMARY = 4096  # the game's own limit for one formatted line
MAX_HEADER = SUMMARY_OFFSET + MAX_SUMMARY

MODES = ("normal", "explore", "wizard", "set seed")
_ROLES = {
    "Arc": "Archeologist",
    "Bar": "Barbarian",
    "Cav": "Caveman",
    "Hea": "Healer",
    "Kni": "Knight",
    "Mon": "Monk",
    "Pri": "Priest",
    "Rog": "Rogue",
    "Ran": "Ranger",
    "Sam": "Samurai",
    "Tou": "Tourist",
    "Val": "Valkyrie",
    "Wiz": "Wizard",
}
_RACES = {"hum": "human", "elf": "elven", "dwa": "dwarven", "gno": "gnomish", "orc": "orcish"}
_GENDERS = {"mal": "male", "fem": "female", "neu": "neuter"}
_ALIGNMENTS = {"law": "lawful", "neu": "neutral", "cha": "chaotic", "una": "unaligned"}

_MAGIC = b"NHGAME"
_ONE_LINE = bytes.maketrans(b"\0\n", b"??")
_IDENTIFICATION = re.compile(rb"NHGAME\s*(save|done)\s+([0-9a-fA-F]{1,8})\s+(\d+\.\d{1,3}\.\d{1,3})")
_SUMMARY = re.compile(
    rb"\s*([0-9a-f]{1,16})\s+([0-9a-f]{1,16})\s+(-?\d{1,9})\s+(\S{1,64})" + rb"\s+(\S{1,6})" * 4 + rb"\s*"
)


class NotALog(Unsupported):
    """The file does not begin like a NetHack 4 log."""


class BadHeader(Damaged):
    """The header of a log is invalid or incomplete, so that the log cannot be read."""


class HeaderTooShort(BadHeader, TooShort):
    """The file ends inside the header of a log."""


@dataclass(frozen=True, slots=True)
class Identification:
    """Line 1: `status` is ``save`` or ``done``; `version` is that of the engine that wrote it (``4.003.000``)."""

    status: str
    recovery_count: int
    version: str

    def format(self) -> bytes:
        """The 31 bytes, newline included."""
        return b"NHGAME %s %08x %s\n" % (self.status.encode(), self.recovery_count, self.version.encode())


@dataclass(frozen=True, slots=True)
class Header:
    """The three header lines.

    `state` is line 2 without its padding, `start` in UTC microseconds since 1970, `mode` the play mode's number (see
    `MODES`), `unused` the zero of line 3.  `length` is the header's size in bytes, where the body begins.
    """

    identification: Identification
    state: str
    start: int
    unused: int
    mode: int
    name: Blob
    role: str
    race: str
    gender: str
    alignment: str
    length: int

    @property
    def player(self) -> str:
        """The player's name; bytes that are not UTF-8 become replacement characters."""
        return self.name.decode().decode("utf-8", "replace")

    @property
    def mode_word(self) -> str:
        """The play mode's name."""
        return MODES[self.mode] if 0 <= self.mode < len(MODES) else f"mode {self.mode}"

    @property
    def words(self) -> dict[str, str]:
        """Role, race, gender and alignment in full; unchanged if the game has no such word."""
        return in_full(self.role, self.race, self.gender, self.alignment)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.identification.status == "done"

    @property
    def status(self) -> str:
        """``finished`` or ``live``, for people."""
        return "finished" if self.finished else "live"

    def format(self) -> bytes:
        """The bytes of the header."""
        words = " ".join((self.role, self.race, self.gender, self.alignment)).encode("latin-1")
        summary = b"%x %x %d %s %s\n" % (self.start, self.unused, self.mode, self.name.text, words)
        return self.identification.format() + format_state(self.state) + b"\n" + summary


def in_full(role: str, race: str, gender: str, alignment: str) -> dict[str, str]:
    """The words behind the game's abbreviations; one that is none stays as it is."""
    return {
        "role": _ROLES.get(role, role),
        "race": _RACES.get(race, race),
        "gender": _GENDERS.get(gender, gender),
        "alignment": _ALIGNMENTS.get(alignment, alignment),
    }


def format_state(text: str) -> bytes:
    """Line 2 without its newline: the first 78 bytes of `text`, padded on the left.

    A character that such a line cannot hold becomes a question mark, so that players may have any name.
    """
    line = text.encode("latin-1", "replace").translate(_ONE_LINE)
    return line[:STATE_WIDTH].rjust(STATE_WIDTH)


def parse_identification(line: bytes) -> Identification:
    """Parse line 1 from the file's first bytes; raises :class:`NotALog` or :class:`BadHeader`."""
    found = _IDENTIFICATION.match(line)
    if found:
        return Identification(found[1].decode(), int(found[2], 16), found[3].decode())
    if not line:
        raise HeaderTooShort("empty file", offset=0, expected="a NetHack 4 log")
    if not line.startswith(_MAGIC) and not _MAGIC.startswith(line):
        raise NotALog("not a NetHack 4 log", offset=0, expected="NHGAME", found=repr(line[:8]))
    if len(line) < IDENTIFICATION_SIZE - 1 and b"\n" not in line:
        raise HeaderTooShort("the header is cut short", offset=len(line), expected="three lines")
    raise BadHeader(
        "bad first line",
        offset=0,
        expected="NHGAME save|done COUNT VERSION",
        found=repr(line[:IDENTIFICATION_SIZE]),
    )


def parse_header(data: bytes) -> Header:
    """Parse the header at the start of `data`; raises :class:`NotALog` or :class:`BadHeader`.

    As lenient as the game's own reader: about spacing in lines 1 and 3, and the version's value.
    """
    offset = data.find(b"\n") + 1 or len(data)
    identification = parse_identification(data[:offset])
    state, newline, rest = data[offset:].partition(b"\n")
    if not newline and len(state) <= STATE_WIDTH:
        raise HeaderTooShort("the header is cut short", offset=len(data), expected="three lines")
    if len(state) != STATE_WIDTH or 0 in state:
        raise BadHeader("bad second line", offset=offset, expected=f"{STATE_WIDTH} bytes", found=f"{len(state)} bytes")
    offset += STATE_WIDTH + 1
    summary, newline, _ = rest[:MAX_SUMMARY].partition(b"\n")
    if not newline and len(rest) < MAX_SUMMARY:
        raise HeaderTooShort("the header is cut short", offset=len(data), expected="three lines")
    found = _SUMMARY.fullmatch(summary)
    if not newline or not found:
        raise BadHeader(
            "bad third line",
            offset=offset,
            expected="START 0 MODE NAME ROLE RACE GENDER ALIGNMENT",
            found=repr(summary[:80]),
        )
    name = Blob(found[4])
    try:
        name.decode()
    except (Damaged, Unsupported) as error:
        raise BadHeader(f"bad player name: {error.what}", offset=offset) from None
    role, race, gender, alignment = (found[group].decode("latin-1") for group in (5, 6, 7, 8))
    return Header(
        identification=identification,
        state=state.lstrip(b" ").decode("latin-1"),
        start=int(found[1], 16),
        unused=int(found[2], 16),
        mode=int(found[3]),
        name=name,
        role=role,
        race=race,
        gender=gender,
        alignment=alignment,
        length=offset + len(summary) + 1,
    )
