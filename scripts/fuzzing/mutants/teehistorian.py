"""Teehistorians: the JSON header, messages as their variable integers and texts, whole recordings packed once more."""

import json
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, Final

from nhlog.formats.teehistorian.wire.extra import EXTRA_NAMES
from nhlog.formats.teehistorian.wire.header import MAGIC
from nhlog.formats.teehistorian.wire.split import Splitter
from nhlog.formats.teehistorian.wire.varint import NeedMore, pack, unpack
from scripts.fuzzing.mutants.change import (
    SAMPLES,
    TEXTS,
    bend,
    bend_bytes,
    bend_json,
    bend_parts,
    json_bytes,
    rarely,
    repacked,
    signed,
)

__all__ = ["mutant"]

_FEW: Final = 400  # messages that we take of a recording most of the time
_IDS: Final = (0, 1, 5, 63, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -64)
_INTEGERS: Final = {0: 2, -1: 0, -2: 1, -3: 3, -4: 1, -5: 11, -6: 11, -8: 1}  # behind the id of each message
_EXTRA: Final = -11
_HEADER: Final = ("map_name", "start_time", "server_name", "version", "version_minor", "config", "tuning", "map_size")


@cache
def _seed() -> tuple[Mapping[str, object], tuple[bytes, ...]]:
    """The header's values and the messages of the sample."""
    data = (SAMPLES / "coverage.teehistorian").read_bytes()
    end = data.index(b"\0", len(MAGIC))
    return json.loads(data[len(MAGIC) : end]), tuple(Splitter(end + 1).feed(data[end + 1 :]))


def mutant(chance: Random) -> Mapping[str, bytes]:
    """The beginning of a recording, bent in one to four places."""
    header: Any
    header, every = _seed()
    messages = list(every[: chance.randint(1, chance.choice((_FEW, len(every))))])
    if not rarely(chance, 3):
        messages.append(every[-1])  # the end of the recording
    magic = MAGIC
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        if rarely(chance, 5):
            header = _bend_header(chance, header)
        else:
            messages = bend_parts(chance, messages, _bend_message)
    if rarely(chance, 40):
        magic = bend_bytes(chance, magic)
    data = magic + json_bytes(chance, header) + b"\0" + b"".join(messages)
    if rarely(chance, 12):
        data = bend_bytes(chance, data)
    if rarely(chance, 10):
        ending, data = repacked(chance, data)
        return {f"case.teehistorian{ending}": data}
    return {"case.teehistorian": data}


def _bend_header(chance: Random, header: Any) -> Any:
    """The header with another value, more often one that is shown to people."""
    if not isinstance(header, dict) or rarely(chance, 2):
        return bend_json(chance, header)
    key = chance.choice(_HEADER)
    return {**header, key: bend_json(chance, header.get(key, ""))}


def _bend_message(chance: Random, message: bytes) -> bytes:
    """Another message, its bytes bent, or one of its numbers."""
    match chance.randrange(4):
        case 0:
            return _made(chance)
        case 1:
            return bend_bytes(chance, message)
        case _:
            try:
                numbers, rest = _numbers(message)
            except NeedMore:  # it is bent already
                return bend_bytes(chance, message)
            at = chance.randrange(len(numbers))
            numbers[at] = signed(bend(chance, numbers[at]), 32)
            return b"".join(map(pack, numbers)) + rest


def _numbers(message: bytes) -> tuple[list[int], bytes]:
    """What of a message is certainly made of numbers, and what follows them."""
    number, at = unpack(message, 0)
    numbers = [number]
    for _ in range(_INTEGERS.get(min(number, 0), 0)):
        number, at = unpack(message, at)
        numbers.append(number)
    return numbers, message[at:]


def _made(chance: Random) -> bytes:
    """A message of any kind with numbers, texts and sizes of any kind."""
    kind = chance.choice(_IDS)
    if kind == _EXTRA:
        return pack(kind) + chance.choice((*EXTRA_NAMES, chance.randbytes(16))) + _sized(chance, _fields(chance))
    if kind in _INTEGERS:
        return pack(kind) + b"".join(_any_number(chance) for _ in range(_INTEGERS[kind]))
    return pack(kind) + _any_number(chance) + chance.choice((_fields(chance), _sized(chance, _fields(chance))))


def _any_number(chance: Random) -> bytes:
    number = chance.choice((chance.randrange(8), chance.randrange(64), signed(bend(chance, 1000), 32)))
    return b"\xff" * 6 if rarely(chance, 60) else pack(number)


def _sized(chance: Random, data: bytes) -> bytes:
    return pack(signed(bend(chance, len(data)), 32) if rarely(chance, 12) else len(data)) + data


def _fields(chance: Random) -> bytes:
    """Numbers and texts, as messages end in them."""
    parts = []
    for _ in range(chance.randrange(5)):
        text = chance.choice(("alpha", "gämma", *TEXTS)).encode("utf-8", "surrogatepass") + b"\0"
        parts.append(chance.choice((_any_number(chance), text)))
    return b"".join(parts)
