"""What is done to the parts of a recording, whatever it is of: numbers, texts, bytes, JSON, and lists of parts.

Everything takes the `Random` it is done with, and returns something new.  A change may by chance change nothing.
"""

import gzip
import json
import lzma
import re
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from random import Random
from struct import Struct
from typing import Any, Final, TypeVar

from nhlog.compression import ZSTD, compressed

__all__ = [
    "SAMPLES",
    "TEXTS",
    "around",
    "bend",
    "bend_bytes",
    "bend_json",
    "bend_often",
    "bend_parts",
    "bend_text",
    "excerpt",
    "json_bytes",
    "rarely",
    "repacked",
    "signed",
    "var_int",
]

SAMPLES: Final = Path(__file__).resolve().parents[3] / "samples"

_EDGES: Final = (0, 1, 2, 15, 16, 63, 64, 127, 128, 255, 256, 1023, 1024, 32767, 32768, 65535, 65536)
_WIDE: Final = (1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 10**12, 10**15, (1 << 63) - 1, 1 << 63)

TEXTS: Final = (
    "",
    " ",
    "\x00",
    "\x07\x1b[2J\x1b]0;owned\x07",
    "\x9b31m\x85",
    "\u202e\u2066reversed\u2069",
    "\u200b\u200d\ufeff",
    "\ud800",
    "\udcff",
    "\U0010ffff\uffff",
    "a\u0301" * 40,
    "宽" * 30,
    "👩‍👩‍👧‍👦",
    "\n\r\t",
    "../../etc/passwd",
    "%s%n{0}",
    "-",
    "nan",
    "1e999",
    "9" * 400,
    "x" * 5000,
)
"""Texts that somebody might have believed."""

_FLOATS: Final = (0.0, -0.0, 1e-320, 1e18, -1e18, 1.7e308, float("inf"), float("-inf"), float("nan"))
_DEPTHS: Final = (5, 130, 1100, 20_000)  # of nested JSON
_NEST: Final = "fuzz: nested lists: "  # a text that begins so stands for as many as it names
_FORMS: Final = tuple(map(Struct, ("<h", "<H", "<i", "<I", "<q", ">h", ">i", ">q", "<f", ">f", "<d", ">d", "<e")))

T = TypeVar("T")


def rarely(chance: Random, one_in: int) -> bool:
    """True one time in so many."""
    return chance.randrange(one_in) == 0


def bend(chance: Random, number: int) -> int:
    """Another number: a little off, an edge of some type, or the same one with another sign or size."""
    match chance.randrange(6):
        case 0:
            return number + chance.choice((-1, 1, 2, -2, 8))
        case 1:
            return chance.choice(_EDGES) * chance.choice((1, 1, -1))
        case 2:
            return chance.choice(_WIDE) - chance.choice((0, 0, 1, 2 * chance.choice(_WIDE)))
        case 3:
            return -number
        case 4:
            return number * chance.choice((2, 10, 1000)) // chance.choice((1, 1, 3))
        case _:
            return number ^ 1 << chance.randrange(32)


def around(number: int, bits: int) -> int:
    """What is left of a number in so many bits."""
    return number & (1 << bits) - 1


def signed(number: int, bits: int) -> int:
    """The same, as a signed number."""
    return around(number + (1 << bits - 1), bits) - (1 << bits - 1)


def var_int(chance: Random, number: int, most: int = 10) -> bytes:
    """A number in groups of seven bits, the lowest first; now and then longer than need be, or without an end."""
    left = around(number, 7 * most)
    parts = [left & 0x7F]
    while left := left >> 7:
        parts.append(left & 0x7F)
    if rarely(chance, 12):
        parts += [0] * chance.randrange(1, most + 2)
    if rarely(chance, 30):
        return bytes(part | 0x80 for part in parts)
    return bytes(part | 0x80 for part in parts[:-1]) + bytes(parts[-1:])


def bend_text(chance: Random, text: str) -> str:
    """Another text."""
    match chance.randrange(4):
        case 0:
            return chance.choice(TEXTS)
        case 1:
            at = chance.randint(0, len(text))
            return text[:at] + chance.choice(TEXTS) + text[at:]
        case 2:
            return text[: chance.randint(0, len(text))]
        case _:
            return text * chance.choice((2, 3, 40))


def bend_bytes(chance: Random, data: bytes) -> bytes:
    """Other bytes: bits flipped, a number overwritten, or a stretch removed, doubled, filled, moved or put in."""
    size = len(data)
    at = chance.randint(0, size)
    end = min(size, at + chance.choice((1, 2, 3, 4, 8, 16, 60, 300, 5000)))
    match chance.randrange(9):
        case 0 | 1:
            flipped = bytearray(data)
            for _ in range(chance.choice((1, 1, 2, 5)) if size else 0):
                flipped[chance.randrange(size)] ^= 1 << chance.randrange(8)
            return bytes(flipped)
        case 2 | 3:
            return data[:at] + (new := _number(chance)) + data[at + len(new) :]
        case 4:
            return data[:at] + data[end:]
        case 5:
            return data[:end] + data[at:end] * chance.choice((1, 1, 5)) + data[end:]
        case 6:
            return data[:at] + chance.choice((b"\0", b"\xff", b"\x80", b"\x7f", b" ")) * (end - at) + data[end:]
        case 7:
            rest = data[:at] + data[end:]
            there = chance.randint(0, len(rest))
            return rest[:there] + data[at:end] + rest[there:]
        case _:
            return data[:at] if rarely(chance, 2) else data[:at] + chance.randbytes(chance.randrange(40)) + data[at:]


def _number(chance: Random) -> bytes:
    """The bytes of an odd number in some form."""
    form = chance.choice(_FORMS)
    if form.format[-1] in "efd":
        values = [value for value in _FLOATS if abs(value) < 6e4 or not isfinite(value) or form.format[-1] == "d"]
        return form.pack(chance.choice(values))
    bits = 8 * form.size
    number = bend(chance, chance.choice(_EDGES))
    return form.pack(around(number, bits) if form.format[-1].isupper() else signed(number, bits))


def bend_parts(chance: Random, parts: Sequence[T], change: Callable[[Random, T], T]) -> list[T]:
    """The parts, one of them changed, removed, doubled, moved or exchanged; or some of them not there."""
    new = list(parts)
    if not new:
        return new
    at, there = chance.randrange(len(new)), chance.randrange(len(new))
    match chance.randrange(10):
        case 0:
            del new[at]
        case 1:
            new[there:there] = [new[at]] * chance.choice((1, 1, 1, 3, 40))
        case 2:
            new[at], new[there] = new[there], new[at]
        case 3:
            first, last = sorted((at, there))
            del new[first:last]
        case _:
            new[at] = change(chance, new[at])
    return new


def bend_often(chance: Random, times: Sequence[int], parts: Sequence[T], change: Callable[[Random, T], T]) -> list[T]:
    """The parts, bent as often as one of `times` says."""
    bent = list(parts)
    for _ in range(chance.choice(times)):
        bent = bend_parts(chance, bent, change)
    return bent


def excerpt(chance: Random, parts: Sequence[T], most: int) -> list[T]:
    """Some parts that follow each other, at most so many."""
    size = min(len(parts), chance.randint(1, most))
    first = chance.choice((0, chance.randint(0, len(parts) - size)))
    return list(parts[first : first + size])


def bend_json(chance: Random, value: Any) -> Any:
    """Plain JSON, one value somewhere in it changed, removed, or exchanged for one of another type."""
    if isinstance(value, dict) and value and not rarely(chance, 8):
        key = chance.choice(list(value))
        match chance.randrange(12):
            case 0:
                return {name: inner for name, inner in value.items() if name != key}
            case 1:
                return {bend_text(chance, name) if name == key else name: inner for name, inner in value.items()}
            case _:
                return value | {key: bend_json(chance, value[key])}
    if isinstance(value, list) and value and not rarely(chance, 8):
        return bend_parts(chance, value, bend_json)
    match value:
        case _ if rarely(chance, 4):
            return _odd_json(chance)
        case bool() | None:
            return _odd_json(chance)
        case int():
            return bend(chance, value)
        case float():
            return chance.choice((*_FLOATS, value * 1e6, -value))
        case str():
            return bend_text(chance, value)
    return _odd_json(chance)


def _odd_json(chance: Random) -> Any:
    match chance.randrange(8):
        case 0:
            return None
        case 1:
            return chance.choice((True, False))
        case 2:
            return bend(chance, chance.choice(_WIDE))
        case 3:
            return chance.choice(_FLOATS)
        case 4:
            return chance.choice(TEXTS)
        case 5:
            return [chance.choice((0, None, "x", -1, {}))] * chance.choice((0, 1, 3, 300))
        case 6:
            return {chance.choice(TEXTS): chance.choice((0, None, []))}
        case _:
            return f"{_NEST}{chance.choice(_DEPTHS)}"


def json_bytes(chance: Random, value: Any) -> bytes:
    """The JSON of what :func:`bend_json` made: what lists in lists stand for, and now and then ill-formed UTF-8."""
    escaped = not rarely(chance, 4)
    text = json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))
    nested = re.sub(f'"{_NEST}(\\d+)"', lambda found: "[" * int(found[1]) + "]" * int(found[1]), text)
    return nested.encode("utf-8", "surrogatepass")


def repacked(chance: Random, data: bytes) -> tuple[str, bytes]:
    """The ending of a name, and the data as such files are packed; now and then packed data that is damaged."""
    ending, packed = chance.choice(
        (
            (".gz", lambda: gzip.compress(data, 1, mtime=0)),
            (".xz", lambda: lzma.compress(data, preset=0)),
            (".zst", lambda: b"".join(compressed([data], ZSTD))),
        )
    )
    return ending, bend_bytes(chance, packed()) if rarely(chance, 3) else packed()
