"""CRC-32 of bytes of which a few were replaced, from that of the bytes before: the others are not looked at.

The two, of as many bytes, differ by the CRC, without its inversions, of what is zero where the bytes stayed the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["UNKNOWN", "differing", "passing"]

POLYNOMIAL: Final = 0xEDB88320  # the lowest power is the highest bit
ONE: Final = 0x80000000
DIGIT: Final = 8  # bits of a number of bytes that are dealt with at a time
LEVELS: Final = 4  # such digits: a save has 32 MB at most
UNKNOWN: Final = -1
"""Instead of a CRC."""


def product(one: i64, other: i64) -> i64:
    """Of two polynomials."""
    total: i64 = 0
    bit: i64 = 31
    while bit >= 0:
        total ^= other & -(one >> bit & 1)
        other = other >> 1 ^ POLYNOMIAL & -(other & 1)
        bit -= 1
    return total


def bytes_table() -> bytes:
    """What the last eight bits of a CRC add to the others when a byte is passed: four bytes each, the lowest first."""
    table: list[bytes] = []
    for byte in range(256):
        rest: i64 = byte
        for _ in range(8):
            rest = rest >> 1 ^ POLYNOMIAL & -(rest & 1)
        table.append(bytes([rest & 255, rest >> 8 & 255, rest >> 16 & 255, rest >> 24]))
    return b"".join(table)


def zeros_table() -> list[int]:
    """By level and digit: what a CRC is multiplied by when so many zero bytes are passed."""
    table: list[int] = []
    power: i64 = ONE >> 8  # one byte
    for _ in range(LEVELS):
        passed: i64 = ONE
        for _ in range(1 << DIGIT):
            table.append(passed)
            passed = product(passed, power)
        power = passed
    return table


BYTES: Final = bytes_table()
ZEROS: Final = zeros_table()


def passing(crc: i64, zeros: i64) -> i64:
    """The CRC after so many zero bytes."""
    level: i64 = 0
    while zeros:
        digit: i64 = zeros & 255
        if digit:
            crc = product(crc, ZEROS[level + digit])
        zeros >>= DIGIT
        level += 256
    return crc


def differing(crc: i64, before: bytes, after: bytes, start: i64, end: i64) -> i64:
    """The CRC after the differences between two runs of bytes, from one place to another."""
    while start < end:
        byte: i64 = before[start]
        byte ^= after[start]
        entry: i64 = ((crc ^ byte) & 255) << 2
        low: i64 = BYTES[entry]
        middle: i64 = BYTES[entry + 1]
        upper: i64 = BYTES[entry + 2]
        high: i64 = BYTES[entry + 3]
        crc = crc >> 8 ^ low ^ middle << 8 ^ upper << 16 ^ high << 24
        start += 1
    return crc
