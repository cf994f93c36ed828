"""Values of MessagePack with one of them changed, and written again as a cache or an archive has them."""

from array import array
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec

from scripts.fuzzing.mutants.change import TEXTS, bend, bend_bytes, bend_parts, bend_text, rarely

__all__ = ["bend_entry", "bend_value"]

_STATE: Final = 6  # numbers of a file's fingerprint
_LARGEST: Final = 1 << 64


def bend_entry(chance: Random, data: bytes) -> bytes:
    """An entry of the cache, without its seal, with one to four of its values bent; still about its file."""
    tree = msgspec.msgpack.decode(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        tree = [tree[0], _bend_rest(chance, tree[1])]
    return msgspec.msgpack.encode(tree)


def _bend_rest(chance: Random, parts: Any) -> Any:
    """The parts of an entry, but for the state of the file that it is about."""
    if not isinstance(parts, list) or not parts:
        return bend_value(chance, parts)
    places = [place for place, part in enumerate(parts) if not _is_state(part)]
    last = places[-1]  # which has most in it
    at = (
        last
        if len(places) == len(parts) - 1 and parts[0] != parts[last] and not rarely(chance, 3)
        else chance.choice(places)
    )
    return [bend_value(chance, part) if place == at else part for place, part in enumerate(parts)]


def _is_state(part: Any) -> bool:
    return isinstance(part, list) and len(part) == _STATE and all(type(number) is int for number in part)


def bend_value(chance: Random, value: Any) -> Any:
    """Another value: most of the time one of the same type, which is where checks of types end."""
    if rarely(chance, 20):
        return chance.choice((None, True, 0, -1, (1 << 63) - 1, 1.5, "", b"", [], {}, [0], *TEXTS[:6]))
    match value:
        case list() if value:
            return bend_parts(chance, value, bend_value)
        case dict() if value:
            key = chance.choice(list(value))
            rest = {name: inner for name, inner in value.items() if name != key}
            if rarely(chance, 6):
                return rest
            if rarely(chance, 4):
                return rest | {
                    bend_text(chance, key).encode("utf-8", "replace").decode() if isinstance(key, str) else -1: value[
                        key
                    ]
                }
            return value | {key: bend_value(chance, value[key])}
        case bool():
            return not value
        case int():
            return max(min(bend(chance, value), _LARGEST - 1), -_LARGEST // 2)
        case float():
            return chance.choice((0.0, -1.0, 1e300, float("nan"), float("inf")))
        case str():
            return bend_text(chance, value).encode("utf-8", "replace").decode()
        case bytes():
            return _bend_column(chance, value)
    return chance.choice((0, "", None, []))


def _bend_column(chance: Random, data: bytes) -> bytes:
    """Bytes, which may be numbers in a row."""
    kind = chance.choice("BIQ")
    if len(data) % array(kind).itemsize or rarely(chance, 4):
        return bend_bytes(chance, data)
    numbers: Sequence[int] = array(kind, data)
    most = (1 << 8 * array(kind).itemsize) - 1
    return array(kind, bend_parts(chance, numbers, lambda _, number: bend(chance, number) & most)).tobytes()
