"""Decode the bytes of a diff, in any of the three formats, to commands of one table (spec 2, 3, 4.1 to 4.3).

Invariant: this module does not have the base: a command that it yields is well formed and inside the diff, but may read
bytes that the base does not have. All commands of beta1 and beta2 exist in beta3 as copy, edit, copyedit and seek, so
they have these names; only the coding of the numbers differs.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.mdiff.errors import MAX_COMMANDS, MAX_WIDER, MdiffError
from nhlog.mdiff.table import (
    BETA2,
    BETA3,
    CODES,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    COPYEDIT_SIZES,
    EDIT,
    EOF,
    EOF_CRC32,
    FORMS,
    ORDER,
    RLE,
    SEEK,
    WIDER,
    measure,
)

__all__ = ["Fields", "Word", "read"]

Fields = tuple[int, int, int]
"""The numbers of bits of a command's codes, arg2 and arg1, in this order."""

Word = tuple[int, int, int, int, int, int, Fields]
"""A decoded command: its offset in the diff, where its data starts and where it ends, its number in FORMS, arg1 and
arg2 as coded, and its fields."""

_BETA1: Final = (SEEK, None, EDIT, COPY)
_BETA1_FIELDS: Final = (2, 0, 14)
"""The fields of a beta1 word: two bits for the command, then arg1 (spec 2)."""

_BETA2: Final = (
    *4 * [(COPYEDIT, (1, 2, 13), 1)],
    (COPYEDIT, (3, 4, 25), 0),
    (EDIT, (3, 0, 29), 0),
    (SEEK, (3, 0, 29), 0),
    (SEEK, (3, 0, 13), 0),
)
"""By the top three bits of a beta2 command: number, fields, and what is added to the edit size (spec 3)."""

_ENDS: Final = frozenset((EOF, EOF_CRC32))

_INDEXES: Final = tuple(
    next(
        ((index, bits) for index, (code, bits) in enumerate(CODES) if octet >> 8 - bits == code),
        (len(CODES), 0),
    )
    for octet in range(256)
)
"""For eight bits that begin with a code: its index in the order and its length (spec 4.2); index 12 for no code."""

_Layout = tuple[int, int, int, int, Fields]
"""Of a beta3 command: size without its data, bits of arg1, masks of arg1 and arg2, fields."""


def _layout(command: int, code_bits: int, wider: int) -> _Layout:
    width, length = measure(command, code_bits, wider)
    arg2_bits = FORMS[command].arg2
    return length, width, (1 << width) - 1, (1 << arg2_bits) - 1, (code_bits, arg2_bits, width)


_LAYOUTS: Final = tuple(tuple(_layout(command, bits, 0) for bits in range(7)) for command in ORDER)
"""The layout of each command without prefixes, by the length of its code."""


def read(diff: bytes) -> Iterator[Word]:
    """The commands of `diff` up to its end, with wider prefixes merged into their command.

    Raises :class:`MdiffError` if the diff is truncated or malformed.
    """
    if diff.startswith(BETA3):
        return _read_beta3(diff)
    if diff.startswith(BETA2):
        return _read_beta2(diff)
    return _read_beta1(diff)


def _cut(offset: int, where: str) -> MdiffError:
    return MdiffError(f"diff ends {where}", offset=offset)


def _unknown(offset: int) -> MdiffError:
    return MdiffError("diff contains an unknown command", offset=offset)


def _too_long() -> MdiffError:
    return MdiffError(f"diff has more than {MAX_COMMANDS} commands")


def _signed(number: int, width: int) -> int:
    """The two's complement value of `width` bits."""
    return number - (1 << width) if number >> width - 1 else number


def _read_beta1(diff: bytes) -> Iterator[Word]:
    """Little-endian words. Only this format forbids a seek to before the base; the others forbid to read there.

    This and beta2 end at a zero word or at the end of the data: the encoders wrote no zero word, as their reader saw
    zeros after the data. So a single byte at the end is a whole word of beta1 (spec 1.2).
    """
    _, _, width = _BETA1_FIELDS
    end = position = 0
    for _ in range(MAX_COMMANDS):
        offset, body = end, min(end + 2, len(diff))
        word = int.from_bytes(diff[offset:body], "little")
        if not word:
            if offset < body:
                yield offset, body, body, EOF, 0, 0, _BETA1_FIELDS
            return
        end = body
        command, arg1 = _BETA1[word >> width], word & (1 << width) - 1
        if command is None:
            raise _unknown(offset)
        if command == SEEK:
            arg1 = _signed(arg1, width)
            position -= arg1
            if position < 0:
                raise MdiffError("diff seeks before the start of the base", offset=offset)
        else:
            position += arg1
        if command == EDIT:
            end += arg1
        if end > len(diff):
            raise _cut(offset, "during edit data")
        yield offset, body, end, command, arg1, 0, _BETA1_FIELDS
    raise _too_long()


def _read_beta2(diff: bytes) -> Iterator[Word]:
    """Big-endian commands of two or four bytes."""
    end = len(BETA2)
    for _ in range(MAX_COMMANDS):
        offset, body = end, min(end + 2, len(diff))
        if not any(diff[offset:body]):
            if offset < body:
                yield offset, body, body, EOF, 0, 0, (0, 0, 16)
            return
        command, fields, one = _BETA2[diff[offset] >> 5]
        _, arg2_bits, width = fields
        end = body = offset + sum(fields) // 8
        if body > len(diff):
            raise _cut(offset, "in a command")
        head = int.from_bytes(diff[offset:body])
        arg1 = head & (1 << width) - 1
        arg2 = head >> width & (1 << arg2_bits) - 1
        if command == SEEK:
            arg1 = _signed(arg1, width)
        elif command == EDIT:
            end += arg1
        else:
            end += arg2 + one
        if end > len(diff):
            raise _cut(offset, "during edit data")
        yield offset, body, end, command, arg1, arg2, fields
    raise _too_long()


def _read_beta3(diff: bytes) -> Iterator[Word]:
    """Move-to-front codes, then arg2, then arg1, which fills the last byte."""
    order = list(ORDER)
    size = len(diff)
    end = len(BETA3)
    for _ in range(MAX_COMMANDS):
        offset = end
        if offset >= size:
            raise _cut(offset, "in a command")
        index, bits = _INDEXES[diff[offset]]
        if index == len(ORDER):
            raise _unknown(offset)
        command = order[index]
        if index:
            del order[index]
            order.insert(0, command)
        if command == WIDER:
            command, layout = _widened(diff, offset, bits, order)
        else:
            layout = _LAYOUTS[command][bits]
        length, width, arg1_mask, arg2_mask, fields = layout
        end = body = offset + length
        if body > size:
            raise _cut(offset, "in a command")
        head = int.from_bytes(diff[offset:body])
        arg1 = head & arg1_mask
        arg2 = head >> width & arg2_mask
        if command == COPYEDIT1:
            end += 1
        elif command == COPYEDIT:
            end += COPYEDIT_SIZES[arg2]
        elif command == EDIT:
            end += arg1 + 1
        elif command == SEEK:
            arg1 = _signed(arg1, width)
        elif command == RLE:
            raise _unknown(offset)
        if end > size:
            raise _cut(offset, "during edit data")
        yield offset, body, end, command, arg1, arg2, fields
        if command in _ENDS:
            return
    raise _too_long()


def _widened(diff: bytes, offset: int, bits: int, order: list[int]) -> tuple[int, _Layout]:
    """The command after a wider prefix of `bits` bits, and its layout; updates `order`."""
    for wider in range(1, MAX_WIDER + 1):
        at = offset + bits // 8
        if at >= len(diff):
            raise _cut(offset, "in a command")
        octet = int.from_bytes(diff[at : at + 2].ljust(2, b"\0")) >> 8 - bits % 8 & 0xFF
        index, code_bits = _INDEXES[octet]
        if index == len(ORDER):
            raise _unknown(offset)
        command = order.pop(index)
        order.insert(0, command)
        bits += code_bits
        if command != WIDER:
            return command, _layout(command, bits, wider)
    raise MdiffError(f"diff has more than {MAX_WIDER} wider prefixes", offset=offset)
