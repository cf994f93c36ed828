"""A save diff in words: each command, where it stands, what it does, and its bits."""

from typing import Final

from nhlog.mdiff import Command, commands
from nhlog.mdiff.table import BETA2, BETA3, COORD_UNIT
from terminal.output import print_json

__all__ = ["print_diff"]

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
"""What each command does; numbers count bytes."""

_DIRECTIONS: Final = ("W", "NW", "N", "NE", "E", "SE", "S", "SW")


def print_diff(diff: bytes, as_json: bool) -> None:
    """Print its commands, a line each, up to where it is malformed: there MdiffError is raised."""
    if not as_json:
        print(f"{_FORMATS.get(diff[:2], 'beta1')}, {len(diff)} bytes")
    for command in commands(diff):
        words, data = _in_words(command), command.data.hex(" ")
        if as_json:
            print_json({**command._asdict(), "data": data, "words": words})
        else:
            print(f"{command.offset:>7}  {command.name:<9}  {words:<34}  {command.bits}  {data}".rstrip())


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
