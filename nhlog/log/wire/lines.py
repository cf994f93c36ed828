"""The lines of a log's body as immutable values (log spec section 6).

`format` gives the bytes that `grammar` parses to the value.  Lines have no newline here.
"""

from dataclasses import field

from nhlog.errors import Damaged
from nhlog.log.wire.blob import Blob
from nhlog.values import dataclass

__all__ = [
    "BACKUP_HEAD",
    "CLOCK_WRAP",
    "DIRECTIONS",
    "MENU_BIAS",
    "WORD",
    "Argument",
    "Backup",
    "BadLine",
    "Bones",
    "Command",
    "Diff",
    "DirectionAnswer",
    "GameOver",
    "KeyAnswer",
    "Line",
    "MenuAnswer",
    "ObjectMenuAnswer",
    "PositionAnswer",
    "ScoreLookup",
    "TextAnswer",
    "Time",
    "YesNoAnswer",
]

DIRECTIONS = {
    -1: "nowhere",
    0: "west",
    1: "northwest",
    2: "north",
    3: "northeast",
    4: "east",
    5: "southeast",
    6: "south",
    7: "southwest",
    8: "up",
    9: "down",
    10: "self",
}
"""The directions by their numbers in a log."""

MENU_BIAS = 4  # added to menu ids, so that small negative ones stay short
WORD = 1 << 32  # menu ids are 32-bit two's complement
CLOCK_WRAP = 1 << 64  # time differences are 64-bit and wrap


class BadLine(Damaged):
    """A line that no NetHack 4 process writes or reads; `offset` counts from the line's first byte."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a command.

    `letter` is its kind: ``D`` direction and ``L`` limit (int), ``P`` position (x, y), ``I`` inventory and ``S`` spell
    letter (one character), ``T`` text (a Blob holding a NUL-terminated string), ``K`` key (int; FIQHack only).
    """

    letter: str
    value: int | str | tuple[int, int] | Blob

    def format(self) -> bytes:
        """The argument's bytes, without the space before it."""
        match self.value:
            case Blob(text):
                value = text
            case (x, y):
                value = b"%d,%d" % (x, y)
            case int(number):
                value = b"%d" % number
            case letter:
                value = letter.encode("latin-1")
        return self.letter.encode() + value


@dataclass(frozen=True, slots=True)
class Command:
    """A command and its arguments; `rest` is what follows them, which readers ignore."""

    name: str
    arguments: tuple[Argument, ...] = ()
    rest: bytes = b""

    def format(self) -> bytes:
        """The line's bytes."""
        words = [self.name.encode("latin-1"), *(argument.format() for argument in self.arguments)]
        return b" ".join(words) + self.rest


@dataclass(frozen=True, slots=True)
class Time:
    """Microseconds on the log's clock since the previous time line, modulo 2**64."""

    delta: int

    def format(self) -> bytes:
        """The line's bytes."""
        return b"+%x" % self.delta


@dataclass(frozen=True, slots=True)
class PositionAnswer:
    """A square of the map and the key that accepted it, or None for a cancelled prompt."""

    place: tuple[int, int, str] | None

    def format(self) -> bytes:
        """The line's bytes."""
        return b"P!" if self.place is None else b"P%d,%d" % self.place[:2] + self.place[2].encode()


@dataclass(frozen=True, slots=True)
class DirectionAnswer:
    """An index of `DIRECTIONS`; -1 for a cancelled prompt."""

    direction: int

    def format(self) -> bytes:
        """The line's bytes."""
        return b"D%d" % self.direction


@dataclass(frozen=True, slots=True)
class KeyAnswer:
    """A key code; `count` is None if the prompt takes none, -1 if none was given."""

    key: int
    count: int | None = None

    def format(self) -> bytes:
        """The line's bytes."""
        return b"K%d" % self.key if self.count is None else b"K%d,%d" % (self.key, self.count)


@dataclass(frozen=True, slots=True)
class YesNoAnswer:
    """One character; escape for a cancelled prompt."""

    answer: str

    def format(self) -> bytes:
        """The line's bytes."""
        return b"Y" + self.answer.encode("latin-1")


@dataclass(frozen=True, slots=True)
class MenuAnswer:
    """The ids picked from a menu; None for a cancelled prompt."""

    ids: tuple[int, ...] | None

    def format(self) -> bytes:
        """The line's bytes."""
        return b"M!" if self.ids is None else b"M" + b":".join(map(_format_id, self.ids))


@dataclass(frozen=True, slots=True)
class ObjectMenuAnswer:
    """The (id, count) pairs picked from an object menu, count -1 for all; None for a cancelled prompt."""

    items: tuple[tuple[int, int], ...] | None

    def format(self) -> bytes:
        """The line's bytes."""
        return b"O!" if self.items is None else b"O" + b":".join(_format_item(*item) for item in self.items)


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """A NUL-terminated string; escape alone for a cancelled prompt."""

    blob: Blob

    def format(self) -> bytes:
        """The line's bytes."""
        return b"L" + self.blob.text


@dataclass(frozen=True, slots=True)
class Bones:
    """A whole bones file, or None if a lookup found none."""

    blob: Blob | None

    def format(self) -> bytes:
        """The line's bytes."""
        return b"B!" if self.blob is None else b"B" + self.blob.text


@dataclass(frozen=True, slots=True)
class ScoreLookup:
    """FIQHack's lookup in the score list, unparsed."""

    text: bytes

    def format(self) -> bytes:
        """The line's bytes."""
        return b"R" + self.text


@dataclass(frozen=True, slots=True)
class GameOver:
    """The end of the game."""

    def format(self) -> bytes:
        """The line's bytes."""
        return b"Q"


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole save; `pointer` is the previous backup's offset, in the first backup a hint at the latest one's."""

    pointer: int
    blob: Blob = field(repr=False)

    def format(self) -> bytes:
        """The line's bytes."""
        return b"*%08x " % self.pointer + self.blob.text


@dataclass(frozen=True, slots=True)
class Diff:
    """A save as a diff from the save of the previous save line."""

    blob: Blob = field(repr=False)

    def format(self) -> bytes:
        """The line's bytes."""
        return b"~" + self.blob.text


Line = (
    Command
    | Time
    | PositionAnswer
    | DirectionAnswer
    | KeyAnswer
    | YesNoAnswer
    | MenuAnswer
    | ObjectMenuAnswer
    | TextAnswer
    | Bones
    | ScoreLookup
    | GameOver
    | Backup
    | Diff
)
"""Any line of a log's body."""

BACKUP_HEAD = 10  # bytes of a backup line before its blob


def _format_item(number: int, count: int) -> bytes:
    return _format_id(number) + (b"" if count == -1 else b",%d" % count)


def _format_id(number: int) -> bytes:
    return b"%x" % ((number + MENU_BIAS) % WORD)
