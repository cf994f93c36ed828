"""The bytes of a diff, in any of the three formats, as commands of one table (spec 2, 3, 4.1 to 4.3).

Invariant: this module knows bits and never the base: what it yields is well formed and inside the diff, but may
still ask for bytes that the base does not have. All that beta1 and beta2 can say is beta3's copy, edit, copyedit
and seek, so their commands bear these names; only the coding of the numbers differs.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.mdiff.commands import (
    BETA2,
    BETA3,
    CODES,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    EDIT,
    EOF,
    EOF_CRC32,
    FORMS,
    ORDER,
    RLE,
    SEEK,
    WIDER,
)
from nhlog.mdiff.errors import MAX_COMMANDS, MAX_WIDER, MdiffError

__all__ = ["Word", "read"]

Word = tuple[int, int, int, int, int, int, int]
"""A command as read: its offset in the diff, where its data starts and ends, its number in FORMS, arg1 and arg2
as coded, and the bits of arg1, which are the last before the data."""

_BETA1: Final = (SEEK, None, EDIT, COPY)
"""Command by the top two bits of a beta1 word; the other 14 are arg1 (spec 2)."""
_BETA1_WIDTH: Final = 14

_BETA2: Final = (
    *(4 * [(COPYEDIT, 2, 13, 2, 1)]),
    (COPYEDIT, 4, 25, 4, 0),
    (EDIT, 4, 29, 0, 0),
    (SEEK, 4, 29, 0, 0),
    (SEEK, 2, 13, 0, 0),
)
"""By the top three bits of a beta2 command: command, bytes, bits of arg1 and of arg2, added to the edit size."""

_INDEXES: Final = tuple(
    next(
        ((index, bits) for index, (code, bits) in enumerate(CODES) if octet >> 8 - bits == code),
        (len(CODES), 0),
    )
    for octet in range(256)
)
"""For eight bits that begin with a code: its index in the order and its bits (spec 4.2); index 12 when none does."""


def read(diff: bytes) -> Iterator[Word]:
    """The commands of `diff` up to its end, wider prefixes folded into their command.

    Raises MdiffError where the diff is cut short or says what its format cannot.
    """
    if diff.startswith(BETA3):
        return _read_beta3(diff)
    if diff.startswith(BETA2):
        return _read_beta2(diff)
    return _read_beta1(diff)


def _ends(offset: int, where: str) -> MdiffError:
    return MdiffError(f"diff ends {where}", offset=offset)


def _unknown(offset: int) -> MdiffError:
    return MdiffError("diff contains an unknown command", offset=offset)


def _too_long() -> MdiffError:
    return MdiffError(f"diff has more than {MAX_COMMANDS} commands")


def _signed(number: int, width: int) -> int:
    """The two's complement value of `width` bits."""
    return number - (1 << width) if number >> width - 1 else number


def _read_beta1(diff: bytes) -> Iterator[Word]:
    """Little-endian words of 16 bits. Only this format forbids to seek before the base; the others to copy there.

    The end, for beta2 too, is a zero word, or the end of the data: the encoders wrote no zero word, because their
    reader saw zeros behind the data. So a last odd byte of beta1 is a whole word (spec 1.2).
    """
    end = position = 0
    for _ in range(MAX_COMMANDS):
        offset, body = end, min(end + 2, len(diff))
        word = int.from_bytes(diff[offset:body], "little")
        if not word:
            if offset < body:
                yield offset, body, body, EOF, 0, 0, _BETA1_WIDTH
            return
        command, size = _BETA1[word >> _BETA1_WIDTH], word & (1 << _BETA1_WIDTH) - 1
        end = body
        if command is None:
            raise _unknown(offset)
        if command == SEEK:
            size = _signed(size, _BETA1_WIDTH)
            position -= size
            if position < 0:
                raise MdiffError("diff seeks past the start of the base", offset=offset)
        else:
            position += size
        if command == EDIT:
            end += size
            if end > len(diff):
                raise _ends(offset, "during edit data")
        yield offset, body, end, command, size, 0, _BETA1_WIDTH
    raise _too_long()


def _read_beta2(diff: bytes) -> Iterator[Word]:
    """Big-endian commands of two or four bytes."""
    end = len(BETA2)
    for _ in range(MAX_COMMANDS):
        offset, body = end, min(end + 2, len(diff))
        if not any(diff[offset:body]):
            if offset < body:
                yield offset, body, body, EOF, 0, 0, 13
            return
        command, length, width, arg2_width, one = _BETA2[diff[offset] >> 5]
        body = offset + length
        if body > len(diff):
            raise _ends(offset, "in a command")
        head = int.from_bytes(diff[offset:body])
        arg1 = head & (1 << width) - 1
        arg2 = head >> width & (1 << arg2_width) - 1
        end = body
        if command == COPYEDIT:
            end += arg2 + one
        elif command == EDIT:
            end += arg1
        else:
            arg1 = _signed(arg1, width)
        if end > len(diff):
            raise _ends(offset, "during edit data")
        yield offset, body, end, command, arg1, arg2, width
    raise _too_long()


def _read_beta3(diff: bytes) -> Iterator[Word]:
    """Move-to-front codes, then arg2, then an arg1 that fills the last byte."""
    order = list(ORDER)
    padded = diff + b"\0"  # a code may begin in one byte and end in the next
    end = len(BETA3)
    for _ in range(MAX_COMMANDS):
        offset = end
        fixed = least = 0
        for _ in range(MAX_WIDER + 1):
            at = offset + fixed // 8
            if at >= len(diff):
                raise _ends(offset, "in a command")
            index, bits = _INDEXES[(padded[at] << 8 | padded[at + 1]) >> 8 - fixed % 8 & 0xFF]
            if index == len(order):
                raise _unknown(offset)
            command = order.pop(index)
            order.insert(0, command)
            fixed += bits
            if command != WIDER:
                break
            least += 8
        else:
            raise MdiffError(f"diff has more than {MAX_WIDER} wider prefixes", offset=offset)
        _, arg1_width, arg2_width = FORMS[command]
        fixed += arg2_width
        least += arg1_width
        width = least + -(fixed + least) % 8
        body = offset + (fixed + width) // 8
        if body > len(diff):
            raise _ends(offset, "in a command")
        head = int.from_bytes(diff[offset:body])
        arg1 = head & (1 << width) - 1
        arg2 = head >> width & (1 << arg2_width) - 1
        end = body
        if command == SEEK:
            arg1 = _signed(arg1, width)
        elif command == COPYEDIT:
            end += arg2 + 1
        elif command == EDIT:
            end += arg1 + 1
        elif command == COPYEDIT1:
            end += 1
        elif command == RLE:
            raise _unknown(offset)
        if end > len(diff):
            raise _ends(offset, "during edit data")
        yield offset, body, end, command, arg1, arg2, width
        if command in (EOF, EOF_CRC32):
            return
    raise _too_long()
