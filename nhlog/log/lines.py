"""The lines of a log's body: bytes to frozen values and back (log spec section 6).

A line that parses is written back byte for byte by `format`.  No newline is part of a line here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from nhlog.errors import Damaged
from nhlog.log.blob import Blob

__all__ = [
    "DIRECTIONS",
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
    "backup_pointer",
    "kind_of",
    "parse_line",
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

MAX_NAME = 60  # bytes of a command's name
_MENU_BIAS = 4  # added to menu ids, so that small negative ones stay short
_WORD = 1 << 32  # menu ids are 32-bit two's complement
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
        """The bytes after the space."""
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
        """The line."""
        words = [self.name.encode("latin-1"), *(argument.format() for argument in self.arguments)]
        return b" ".join(words) + self.rest


@dataclass(frozen=True, slots=True)
class Time:
    """Microseconds on the log's clock since the previous time line, modulo 2**64."""

    delta: int

    def format(self) -> bytes:
        """The line."""
        return b"+%x" % self.delta


@dataclass(frozen=True, slots=True)
class PositionAnswer:
    """A place on the map and the character that accepted it, or None for a cancelled prompt."""

    place: tuple[int, int, str] | None

    def format(self) -> bytes:
        """The line."""
        return b"P!" if self.place is None else b"P%d,%d" % self.place[:2] + self.place[2].encode()


@dataclass(frozen=True, slots=True)
class DirectionAnswer:
    """A number of `DIRECTIONS`; -1 is a cancelled prompt."""

    direction: int

    def format(self) -> bytes:
        """The line."""
        return b"D%d" % self.direction


@dataclass(frozen=True, slots=True)
class KeyAnswer:
    """A key's code; `count` is None where the prompt takes none, -1 where none was given."""

    key: int
    count: int | None = None

    def format(self) -> bytes:
        """The line."""
        return b"K%d" % self.key if self.count is None else b"K%d,%d" % (self.key, self.count)


@dataclass(frozen=True, slots=True)
class YesNoAnswer:
    """One character; escape is a cancelled prompt."""

    answer: str

    def format(self) -> bytes:
        """The line."""
        return b"Y" + self.answer.encode("latin-1")


@dataclass(frozen=True, slots=True)
class MenuAnswer:
    """The ids picked from a menu; None for a cancelled one."""

    ids: tuple[int, ...] | None

    def format(self) -> bytes:
        """The line."""
        return b"M!" if self.ids is None else b"M" + b":".join(map(_format_id, self.ids))


@dataclass(frozen=True, slots=True)
class ObjectMenuAnswer:
    """The (id, count) pairs picked from an object menu, count -1 for all; None for a cancelled one."""

    items: tuple[tuple[int, int], ...] | None

    def format(self) -> bytes:
        """The line."""
        return b"O!" if self.items is None else b"O" + b":".join(_format_item(*item) for item in self.items)


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """A NUL-terminated string; escape alone is a cancelled prompt."""

    blob: Blob

    def format(self) -> bytes:
        """The line."""
        return b"L" + self.blob.text


@dataclass(frozen=True, slots=True)
class Bones:
    """A whole bones file, or None where a lookup found none."""

    blob: Blob | None

    def format(self) -> bytes:
        """The line."""
        return b"B!" if self.blob is None else b"B" + self.blob.text


@dataclass(frozen=True, slots=True)
class ScoreLookup:
    """FIQHack's look into the score list, as it stands."""

    text: bytes

    def format(self) -> bytes:
        """The line."""
        return b"R" + self.text


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ended here."""

    def format(self) -> bytes:
        """The line."""
        return b"Q"


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole save; `pointer` is the previous backup's offset, in the first backup a hint at the latest one's."""

    pointer: int
    blob: Blob = field(repr=False)

    def format(self) -> bytes:
        """The line."""
        return b"*%08x " % self.pointer + self.blob.text


@dataclass(frozen=True, slots=True)
class Diff:
    """A save as a diff against the one of the save line before it."""

    blob: Blob = field(repr=False)

    def format(self) -> bytes:
        """The line."""
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

BACKUP_HEAD = 10  # bytes of a backup line before its blob
_POINTER = re.compile(rb"\*([0-9a-f]{8}) ")
_COMMAND_NAME = re.compile(rb"[a-z][^ ]*")
_NUMBER = rb"(0|[1-9]\d{0,9})"
_SIGNED = rb"(0|-?[1-9]\d{0,9})"
_NUMBER_ARGUMENT = re.compile(_SIGNED)
_PLACE_ARGUMENT = re.compile(_SIGNED + rb"," + _SIGNED)
_TEXT_ARGUMENT = re.compile(rb"([^ ]*)")
_LETTER_ARGUMENT = re.compile(rb"(.)", re.DOTALL)
_TIME = re.compile(rb"\+(0|[1-9a-f][0-9a-f]{0,15})")
_POSITION_ANSWER = re.compile(rb"P" + _SIGNED + rb"," + _SIGNED + rb"([.,:;])")
_DIRECTION_ANSWER = re.compile(rb"D(10|\d|-1)")
_KEY_ANSWER = re.compile(rb"K" + _SIGNED + rb"(?:," + _SIGNED + rb")?")
_ID = rb"(?:0|[1-9a-f][0-9a-f]{0,7})"
_MENU = re.compile(rb"M(?:" + _ID + rb"(?::" + _ID + rb")*)?")
_ITEM = _ID + rb"(?:," + _NUMBER + rb")?"
_OBJECT_MENU = re.compile(rb"O(?:" + _ITEM + rb"(?::" + _ITEM + rb")*)?")


def kind_of(line: bytes) -> str:
    """The name of the line's kind, as its first byte tells; ``unreadable`` where there is no such kind."""
    return "command" if b"a" <= line[:1] <= b"z" else _KINDS.get(line[:1], ("unreadable",))[0]


def backup_pointer(head: bytes) -> int | None:
    """The pointer of the backup line that begins with `head`, None if no backup does (log spec section 6.12)."""
    found = _POINTER.match(head)
    return int(found[1], 16) if found else None


def parse_line(line: bytes) -> Line:
    """The value of a complete line without its newline; raises :class:`BadLine`."""
    if b"a" <= line[:1] <= b"z":
        return _command(line)
    if line[:1] not in _KINDS:
        raise BadLine("no such kind of line", offset=0, expected="a-z or one of +PDKYMOLBRQ*~", found=repr(line[:1]))
    _, parser = _KINDS[line[:1]]
    return parser(line)


def _command(line: bytes) -> Command:
    name = line.partition(b" ")[0]
    if len(name) > MAX_NAME:
        raise BadLine("command name too long", offset=0, expected=f"at most {MAX_NAME} bytes", found=len(name))
    arguments = []
    at = len(name)
    while line[at : at + 1] == b" ":
        argument, at = _argument(line, at + 1)
        arguments.append(argument)
    return Command(name.decode("latin-1"), tuple(arguments), line[at:])


def _argument(line: bytes, at: int) -> tuple[Argument, int]:
    letter = line[at : at + 1]
    form = _ARGUMENTS.get(letter)
    found = form and form.match(line, at + 1)
    if not found:
        raise BadLine(
            "bad command argument",
            offset=at,
            expected="D P I T S L or K and a value",
            found=repr(line[at : at + 16]),
        )
    value: int | str | tuple[int, int] | Blob
    if letter == b"P":
        value = (int(found[1]), int(found[2]))
    elif letter == b"T":
        value = Blob(found[1])
    elif letter in b"IS":
        value = found[1].decode("latin-1")
    else:
        value = int(found[1])
    return Argument(letter.decode(), value), found.end()


def _match(form: re.Pattern[bytes], line: bytes, what: str, expected: str) -> re.Match[bytes]:
    found = form.fullmatch(line)
    if not found:
        raise BadLine(f"bad {what}", offset=0, expected=expected, found=repr(line[:40]))
    return found


def _time(line: bytes) -> Time:
    return Time(int(_match(_TIME, line, "time line", "+HEX")[1], 16))


def _position_answer(line: bytes) -> PositionAnswer:
    if line == b"P!":
        return PositionAnswer(None)
    found = _match(_POSITION_ANSWER, line, "position answer", "P! or PX,Y and one of . , : ;")
    return PositionAnswer((int(found[1]), int(found[2]), found[3].decode()))


def _direction_answer(line: bytes) -> DirectionAnswer:
    return DirectionAnswer(int(_match(_DIRECTION_ANSWER, line, "direction answer", "D-1 to D10")[1]))


def _key_answer(line: bytes) -> KeyAnswer:
    found = _match(_KEY_ANSWER, line, "key answer", "KCODE or KCODE,COUNT")
    return KeyAnswer(int(found[1]), None if found[2] is None else int(found[2]))


def _yes_no_answer(line: bytes) -> YesNoAnswer:
    if len(line) != 2:
        raise BadLine("bad yes/no answer", offset=0, expected="Y and one character", found=repr(line[:40]))
    return YesNoAnswer(line[1:].decode("latin-1"))


def _menu_answer(line: bytes) -> MenuAnswer:
    if line == b"M!":
        return MenuAnswer(None)
    _match(_MENU, line, "menu answer", "M, M! or hexadecimal ids between colons")
    return MenuAnswer(tuple(_parse_id(text) for text in line[1:].split(b":") if text))


def _object_menu_answer(line: bytes) -> ObjectMenuAnswer:
    if line == b"O!":
        return ObjectMenuAnswer(None)
    _match(_OBJECT_MENU, line, "object menu answer", "O, O! or ID[,COUNT] between colons")
    return ObjectMenuAnswer(tuple(_parse_item(text) for text in line[1:].split(b":") if text))


def _parse_item(text: bytes) -> tuple[int, int]:
    number, comma, count = text.partition(b",")
    return _parse_id(number), int(count) if comma else -1


def _format_item(number: int, count: int) -> bytes:
    return _format_id(number) + (b"" if count == -1 else b",%d" % count)


def _parse_id(text: bytes) -> int:
    number = int(text, 16) - _MENU_BIAS
    return number if number < _WORD // 2 else number - _WORD


def _format_id(number: int) -> bytes:
    return b"%x" % ((number + _MENU_BIAS) % _WORD)


def _bones(line: bytes) -> Bones:
    return Bones(None if line == b"B!" else Blob(line[1:]))


def _game_over(line: bytes) -> GameOver:
    if line != b"Q":
        raise BadLine("bad game-over line", offset=0, expected="Q alone", found=repr(line[:40]))
    return GameOver()


def _backup(line: bytes) -> Backup:
    pointer = backup_pointer(line)
    if pointer is None:
        raise BadLine(
            "bad save backup", offset=0, expected="* and 8 hexadecimal digits", found=repr(line[:BACKUP_HEAD])
        )
    return Backup(pointer, Blob(line[BACKUP_HEAD:]))


_ARGUMENTS = {
    b"D": _NUMBER_ARGUMENT,
    b"P": _PLACE_ARGUMENT,
    b"I": _LETTER_ARGUMENT,
    b"T": _TEXT_ARGUMENT,
    b"S": _LETTER_ARGUMENT,
    b"L": _NUMBER_ARGUMENT,
    b"K": _NUMBER_ARGUMENT,
}

_KINDS: dict[bytes, tuple[str, Callable[[bytes], Line]]] = {
    b"+": ("time", _time),
    b"P": ("position", _position_answer),
    b"D": ("direction", _direction_answer),
    b"K": ("key", _key_answer),
    b"Y": ("yes_no", _yes_no_answer),
    b"M": ("menu", _menu_answer),
    b"O": ("object_menu", _object_menu_answer),
    b"L": ("text", lambda line: TextAnswer(Blob(line[1:]))),
    b"B": ("bones", _bones),
    b"R": ("score_lookup", lambda line: ScoreLookup(line[1:])),
    b"Q": ("game_over", _game_over),
    b"*": ("backup", _backup),
    b"~": ("diff", lambda line: Diff(Blob(line[1:]))),
}
