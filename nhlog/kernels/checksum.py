"""CRC-32 of bytes of which a few were replaced, from that of the bytes before: the others are not looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["replaced"]

POLYNOMIAL: Final = 0xEDB88320  # the lowest power is the highest bit
ONE: Final = 0x80000000
DIGIT: Final = 4  # bits of a number of bytes that are dealt with at a time
LEVELS: Final = 7  # such digits; what is longer than 256 MB is not dealt with
NEAR: Final = 24  # bytes that are passed one at a time as fast as by their digits
UNKNOWN: Final = -1


def product(one: i64, other: i64) -> i64:
    """Of two polynomials."""
    total: i64 = 0
    bit: i64 = 31
    while bit >= 0:
        total ^= other & -(one >> bit & 1)
        other = other >> 1 ^ POLYNOMIAL & -(other & 1)
        bit -= 1
    return total


def bytes_table() -> list[int]:
    """What the last eight bits of a CRC add to the others when a byte is passed."""
    table: list[int] = []
    for byte in range(256):
        rest: i64 = byte
        for _ in range(8):
            rest = rest >> 1 ^ POLYNOMIAL & -(rest & 1)
        table.append(rest)
    return table


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
    if zeros <= NEAR:
        while zeros > 0:
            crc = crc >> 8 ^ BYTES[crc & 255]
            zeros -= 1
        return crc
    level: i64 = 0
    while zeros:
        digit: i64 = zeros & 15
        if digit:
            crc = product(crc, ZEROS[level + digit])
        zeros >>= DIGIT
        level += 16
    return crc


def replaced(crc: i64, data: bytes | bytearray, starts: list[int], ends: list[int], pieces: list[bytes]) -> i64:
    """The CRC-32 of `data`, which has this `crc`, with each of its ranges replaced by a piece; the ranges ascend.

    `UNKNOWN` where a piece has another length than its range, or there is too much data.
    """
    size: i64 = len(data)
    if size >> DIGIT * LEVELS:
        return UNKNOWN
    changed: i64 = 0  # the CRC, without its inversions, of what changed: zeros where nothing did
    at: i64 = 0
    for nth, piece in enumerate(pieces):
        start: i64 = starts[nth]
        end: i64 = ends[nth]
        if end - start != len(piece):
            return UNKNOWN
        if changed:
            changed = passing(changed, start - at)
        at = start
        while at < end:
            byte: i64 = data[at]
            byte ^= piece[at - start]
            changed = changed >> 8 ^ BYTES[(changed ^ byte) & 255]
            at += 1
    return crc ^ passing(changed, size - at)
