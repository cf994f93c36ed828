"""Parse the lines of a log's body (log spec section 6).

Every line that a NetHack 4 process writes has a value, and the value's `format` gives the same bytes again.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
    BACKUP_HEAD,
    MENU_BIAS,
    WORD,
    Argument,
    Backup,
    BadLine,
    Bones,
    Command,
    Diff,
    DirectionAnswer,
    GameOver,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    ScoreLookup,
    TextAnswer,
    Time,
    YesNoAnswer,
)
from nhlog.values import pattern

__all__ = ["backup_pointer", "diff_blob", "kind_of", "parse_line", "time_delta"]

MAX_NAME = 60  # bytes of a command's name
_SHORT = 16  # bytes of a command that is likely to come again

_POINTER = pattern(rb"\*([0-9a-f]{8}) ")
_NUMBER = rb"(0|[1-9]\d{0,9})"
_SIGNED = rb"(0|-?[1-9]\d{0,9})"
_NUMBER_ARGUMENT = pattern(_SIGNED)
_PLACE_ARGUMENT = pattern(_SIGNED + rb"," + _SIGNED)
_TEXT_ARGUMENT = pattern(rb"([^ ]*)")
_LETTER_ARGUMENT = pattern(rb"(.)", re.DOTALL)
_TIME = pattern(rb"\+(0|[1-9a-f][0-9a-f]{0,15})")
_POSITION_ANSWER = pattern(rb"P" + _SIGNED + rb"," + _SIGNED + rb"([.,:;])")
_DIRECTION_ANSWER = pattern(rb"D(10|\d|-1)")
_KEY_ANSWER = pattern(rb"K" + _SIGNED + rb"(?:," + _SIGNED + rb")?")
_ID = rb"(?:0|[1-9a-f][0-9a-f]{0,7})"
_MENU = pattern(rb"M(?:" + _ID + rb"(?::" + _ID + rb")*)?")
_ITEM = _ID + rb"(?:," + _NUMBER + rb")?"
_OBJECT_MENU = pattern(rb"O(?:" + _ITEM + rb"(?::" + _ITEM + rb")*)?")


def kind_of(line: bytes) -> str:
    """The name of the line's kind, by its first byte; ``unreadable`` if there is no such kind."""
    return "command" if b"a" <= line[:1] <= b"z" else _KINDS.get(line[:1], ("unreadable",))[0]


def backup_pointer(head: bytes) -> int | None:
    """The pointer of the backup line that begins with `head`; None if it is no backup line (log spec section 6.12)."""
    found = _POINTER.match(head)
    return int(found[1], 16) if found else None


def time_delta(line: bytes) -> int | None:
    """What a time line adds to the clock, in microseconds modulo 2**64; None for any other line."""
    found = _TIME.fullmatch(line)
    return int(found[1], 16) if found else None


def parse_line(line: bytes) -> Line:
    """Parse a complete line without its newline; raises :class:`BadLine`."""
    if b"a" <= line[:1] <= b"z":
        return _command(line) if len(line) > _SHORT else _known_command(line)
    if line[:1] not in _KINDS:
        raise BadLine("unknown kind of line", offset=0, expected="a-z or one of +PDKYMOLBRQ*~", found=repr(line[:1]))
    _, parser = _KINDS[line[:1]]
    return parser(line)


@lru_cache(maxsize=512)
def _known_command(line: bytes) -> Command:
    """The value of a command that is given again and again, as most are."""
    return _command(line)


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


def _parse_id(text: bytes) -> int:
    number = int(text, 16) - MENU_BIAS
    return number if number < WORD // 2 else number - WORD


def _bones(line: bytes) -> Bones:
    return Bones(None if line == b"B!" else Blob(line[1:]))


def _game_over(line: bytes) -> GameOver:
    if line != b"Q":
        raise BadLine("bad game-over line", offset=0, expected="Q alone", found=repr(line[:40]))
    return GameOver()


def _backup(line: bytes) -> Backup:
    pointer = backup_pointer(line)
    if pointer is None or len(line) == BACKUP_HEAD:
        raise BadLine("bad save backup", offset=0, expected="* and 8 hexadecimal digits, data", found=repr(line[:24]))
    return Backup(pointer, Blob(line[BACKUP_HEAD:]))


def diff_blob(line: bytes) -> Blob:
    """What a line that begins as a save diff holds; raises :class:`BadLine`."""
    if line == b"~":
        raise BadLine("bad save diff", offset=0, expected="~ and data", found=repr(line))
    return Blob(line[1:])


def _diff(line: bytes) -> Diff:
    return Diff(diff_blob(line))


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
    b"~": ("diff", _diff),
}
