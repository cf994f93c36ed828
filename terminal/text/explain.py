"""A save diff as text: each command, its offset, its effect, and its bits."""

from collections.abc import Iterator
from typing import Any, Final

from nhlog.mdiff.explain import Command, commands
from nhlog.mdiff.table import BETA2, BETA3, COORD_UNIT

__all__ = ["explain_diff", "name_format"]

_FORMATS: Final = {BETA2: "beta2", BETA3: "beta3"}

_WORDS: Final = {
    "copyedit": "copy {copy}, edit {edit}",
    "copy": "copy {copy}",
    "edit": "edit {edit}",
    "seek": "go {way} {distance} in the old save",
    "eof": "copy {copy}, end",
    "coord": f"copy up to the grid of {COORD_UNIT} and {{copy}} units on, then one step {{direction}}",
    "erase": "copy {copy}, then {zeros} zeros",
    "increment": "copy {copy}, add 1 to a byte",
    "copyedit1": "copy {copy}, edit 1",
    "eof_crc32": "copy {copy}, end, CRC-32 {crc:08x}",
}
"""The effect of each command; numbers count bytes."""

_DIRECTIONS: Final = ("W", "NW", "N", "NE", "E", "SE", "S", "SW")


def name_format(diff: bytes) -> str:
    """The format of a diff and its length, on one line."""
    return f"{_FORMATS.get(diff[:2], 'beta1')}, {len(diff)} bytes"


def explain_diff(diff: bytes) -> Iterator[tuple[dict[str, Any], str]]:
    """Each command of a diff, as a record for JSON and as a line of text.

    Raises :class:`~nhlog.mdiff.MdiffError` at the command where the diff is malformed.
    """
    for command in commands(diff):
        words, data = _in_words(command), command.data.hex(" ")
        line = f"{command.offset:>7}  {command.name:<9}  {words:<34}  {command.bits}  {data}".rstrip()
        yield {**command._asdict(), "data": data, "words": words}, line


def _in_words(command: Command) -> str:
    return _WORDS[command.name].format(
        copy=command.arg1,
        edit=len(command.data),
        way="back" if command.arg1 > 0 else "on",
        distance=abs(command.arg1),
        direction=_DIRECTIONS[command.arg2 % len(_DIRECTIONS)],
        zeros=command.arg2 + 3,
        crc=command.arg2,
    )
