"""The beta3 command table and its move-to-front codes (spec 4.1 to 4.4).

Invariant: a command's bits depend only on its arguments and on the *order*, the list of the twelve command
numbers with the latest used in front. An order is 12 `bytes`, so it is immutable, hashable and cheap to keep.
"""

from typing import Final

from nhlog.values import NamedTuple

__all__ = [
    "BETA2",
    "BETA3",
    "CODES",
    "COORD",
    "COORD_UNIT",
    "COPY",
    "COPYEDIT",
    "COPYEDIT1",
    "COPYEDIT_SIZES",
    "DIRECTIONS",
    "EDIT",
    "EOF",
    "EOF_CRC32",
    "ERASE",
    "ERASE_SIZES",
    "FORMS",
    "INCREMENT",
    "ORDER",
    "RLE",
    "SEEK",
    "WIDER",
    "Form",
    "encode",
    "measure",
    "size",
    "to_front",
]

BETA2: Final = b"\x01\x40"
BETA3: Final = b"\x01\x43"
"""First two bytes of a beta2 or beta3 diff; beta1 has no header (spec 1.1)."""

COPYEDIT_SIZES: Final = range(1, 5)
ERASE_SIZES: Final = range(3, 11)
"""For each arg2 of `copyedit` and `erase`, how many bytes follow the copy (spec 4.1)."""

COORD_UNIT: Final = 85
"""Bytes in the usual monster record: the unit that `coord` counts in (spec 4.4)."""

DIRECTIONS: Final = (
    b"\xff",  # 0 W: x - 1
    b"\xff\xff",  # 1 NW: x - 1, y - 1
    b"\x00\xff",  # 2 N
    b"\x01\xff",  # 3 NE
    b"\x01",  # 4 E
    b"\x01\x01",  # 5 SE
    b"\x00\x01",  # 6 S
    b"\xff\x01",  # 7 SW
)
"""For each arg2 of `coord`, what is added (mod 256) to the next bytes of the base (spec 4.4)."""


class Form(NamedTuple):
    """The layout of one command: its name, the least number of bits of arg1, and the number of bits of arg2."""

    name: str
    arg1: int
    arg2: int


FORMS: Final = (
    Form("copyedit", 12, 2),  # copy arg1, then edit COPYEDIT_SIZES[arg2]
    Form("copy", 6, 0),  # copy arg1, and set the anchor of coord
    Form("edit", 4, 0),  # edit arg1 + 1
    Form("seek", 8, 0),  # move arg1 (the only signed one) back in the base
    Form("wider", 0, 0),  # prefix: the next command's arg1 has 8 bits more
    Form("eof", 12, 0),  # copy arg1, end
    Form("coord", 1, 3),  # copy to the anchor's grid and arg1 units more, then adjust by DIRECTIONS[arg2]
    Form("erase", 7, 3),  # copy arg1, then ERASE_SIZES[arg2] zero bytes
    Form("increment", 12, 0),  # copy arg1, then the next byte + 1
    Form("copyedit1", 4, 0),  # copy arg1, then edit 1
    Form("eof_crc32", 12, 32),  # copy arg1, the CRC of the whole output is arg2, end
    Form("rle", 2, 0),  # reserved: never written, an error to read
)
"""The commands by number (spec 4.1). A number never changes its meaning; new ones would be appended."""

COPYEDIT, COPY, EDIT, SEEK, WIDER, EOF, COORD, ERASE, INCREMENT, COPYEDIT1, EOF_CRC32, RLE = range(len(FORMS))

ORDER: Final = bytes(range(len(FORMS)))
"""The order at the start of every diff."""

CODES: Final = tuple(
    (((1 << group) - 2) << group | place, 2 * group) for group in (1, 2, 3) for place in range(1 << group)
)[: len(FORMS)]
"""For each index in the order, the code as a number and its length in bits: 2, 4 or 6 (spec 4.2)."""

_NUMBERS: Final = tuple(bytes([number]) for number in ORDER)


def to_front(order: bytes, command: int) -> bytes:
    """The order after `command` was used."""
    number = _NUMBERS[command]
    return number + order.replace(number, b"")


def measure(command: int, code_bits: int, wider: int) -> tuple[int, int]:
    """The width of arg1 in bits, and the size of the command in bytes, prefixes included, data not.

    `code_bits` is the total length of its codes. arg1 has its least width, 8 bits more for each `wider` prefix, and is
    then padded to a whole byte (spec 4).
    """
    _, least, arg2_bits = FORMS[command]
    least += 8 * wider
    bits = code_bits + arg2_bits
    width = least + -(bits + least) % 8
    return width, (bits + width) // 8


_UNPREFIXED: Final = tuple(tuple((0, code, *measure(command, bits, 0)) for code, bits in CODES) for command in ORDER)
"""For each command and index: no prefixes, code, width of arg1, size. The result of `_shortest`, if arg1 fits."""


def _shortest(order: bytes, command: int, arg1: int) -> tuple[int, int, int, int]:
    """The shortest form that holds arg1: wider prefixes, all code bits as a number, width of arg1, size (spec 5.4).

    Seek has a sign bit; like the C code, it does not use the most negative number of a width.
    """
    needed = arg1.bit_length() + (command == SEEK)
    index = order.index(command)
    unprefixed = _UNPREFIXED[command][index]
    if needed <= unprefixed[2]:
        return unprefixed
    before = order.index(WIDER)
    prefix, prefix_bits = CODES[before]
    code, code_bits = CODES[index + (index < before)]  # the first prefix goes to the front, past the command
    wider = 1
    while True:
        width, length = measure(command, prefix_bits + code_bits, wider)
        if needed <= width:
            return wider, prefix << code_bits | code, width, length
        wider += 1
        code_bits += 2  # the prefix is in front now: its code is 00


def size(order: bytes, command: int, arg1: int) -> int:
    """The size of `command` in bytes when written in this order, wider prefixes included, data not."""
    return _shortest(order, command, arg1)[3]


def encode(order: bytes, command: int, arg1: int, arg2: int = 0) -> tuple[bytes, bytes]:
    """A command's bytes (wider prefixes, code, arg2, arg1; no data bytes) and the order after it (spec 4)."""
    wider, code, width, length = _shortest(order, command, arg1)
    bits = (code << FORMS[command].arg2 | arg2) << width | arg1 & (1 << width) - 1
    if wider:
        order = to_front(order, WIDER)
    return bits.to_bytes(length), to_front(order, command)
