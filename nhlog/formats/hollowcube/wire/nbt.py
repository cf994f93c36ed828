"""Reading and writing of NBT in its network form (spec 3): a type byte 0x0A and a compound's payload, no root name.

A value keeps its type, so that it is written as the same bytes, and converted to JSON and back without loss:
``{"t": 3, "v": 12}``, and for a list, with the type of its elements, ``{"t": 9, "e": 8, "v": [...]}``.
Depth and the number of values are limited, and lengths are checked against the bytes that are left.
"""

import struct
from collections.abc import Callable, Mapping
from enum import IntEnum
from struct import Struct
from typing import Any, Final

from nhlog.errors import Damaged, Unsupported, Usage
from nhlog.formats.hollowcube.wire.primitives import Incomplete
from nhlog.values import dataclass

__all__ = [
    "MAX_DEPTH",
    "Kind",
    "NbtList",
    "Tag",
    "from_json",
    "from_plain",
    "plain",
    "read_nbt",
    "to_json",
    "write_nbt",
]

MAX_DEPTH: Final = 128  # Minecraft stops at 512; what games store is a dozen deep, and we recurse
MAX_VALUES: Final = 1 << 20  # of one tree: far beyond what a preamble has room for in practice


class Kind(IntEnum):
    """The types of values, by their type byte."""

    END = 0
    BYTE = 1
    SHORT = 2
    INT = 3
    LONG = 4
    FLOAT = 5
    DOUBLE = 6
    BYTE_ARRAY = 7
    STRING = 8
    LIST = 9
    COMPOUND = 10
    INT_ARRAY = 11
    LONG_ARRAY = 12


@dataclass(frozen=True, slots=True)
class NbtList:
    """A list's elements and their common type; an empty list may have any type."""

    element: Kind
    values: tuple["Tag", ...]


@dataclass(frozen=True, slots=True)
class Tag:
    """A value with its type: an int, a float, a str, bytes, a tuple of ints, a list, or a dict of tags."""

    kind: Kind
    value: Any


_NUMBERS: Final = {
    Kind.BYTE: Struct(">b"),
    Kind.SHORT: Struct(">h"),
    Kind.INT: Struct(">i"),
    Kind.LONG: Struct(">q"),
    Kind.FLOAT: Struct(">f"),
    Kind.DOUBLE: Struct(">d"),
}
_ARRAYS: Final = {Kind.BYTE_ARRAY: ("b", 1), Kind.INT_ARRAY: ("i", 4), Kind.LONG_ARRAY: ("q", 8)}
_SIZE: Final = Struct(">i")
_TEXT_SIZE: Final = Struct(">H")


def read_nbt(data: bytes, offset: int = 0) -> tuple[Tag, int]:
    """Read the compound at `offset`; returns it and the offset behind it.

    Raises :class:`Incomplete` if the data ends inside it, :class:`~nhlog.errors.Damaged` for invalid NBT, and
    :class:`~nhlog.errors.Unsupported` for a tree that is too deep or too large.
    """
    reader = _Reader(data, offset)
    if reader.byte() != Kind.COMPOUND:
        raise Damaged("not an NBT compound", offset=offset, expected=int(Kind.COMPOUND), found=data[offset])
    return Tag(Kind.COMPOUND, reader.compound(1)), reader.offset


class _Reader:
    """Reads values from bytes, one after the other."""

    def __init__(self, data: bytes, offset: int) -> None:
        self.data, self.offset, self.count = data, offset, 0

    def take(self, size: int, what: str) -> bytes:
        start, end = self.offset, self.offset + size
        if size < 0:
            raise Damaged(f"{what} of a negative length", offset=start, found=size)
        if end > len(self.data):
            raise Incomplete(f"the data ends in {what}", offset=start, expected=size, found=len(self.data) - start)
        self.offset = end
        return self.data[start:end]

    def unpack(self, shape: Struct, what: str) -> Any:
        try:
            value = shape.unpack_from(self.data, self.offset)[0]
        except struct.error:
            raise Incomplete(f"the data ends in {what}", offset=self.offset) from None
        self.offset += shape.size
        return value

    def byte(self) -> int:
        return self.take(1, "a type")[0]

    def kind(self) -> Kind:
        try:
            return Kind(self.byte())
        except ValueError:
            raise Damaged(
                "unknown NBT type", offset=self.offset - 1, expected="0 to 12", found=self.data[self.offset - 1]
            ) from None

    def text(self) -> str:
        start = self.offset
        return _text(self.take(self.unpack(_TEXT_SIZE, "a text"), "a text"), start)

    def compound(self, depth: int) -> dict[str, Tag]:
        values: dict[str, Tag] = {}
        while (kind := self.kind()) is not Kind.END:
            name = self.text()
            values[name] = self.value(kind, depth)
        return values

    def value(self, kind: Kind, depth: int) -> Tag:
        self.count += 1
        if depth > MAX_DEPTH or self.count > MAX_VALUES:
            raise Unsupported("NBT is nested too deeply or too large", offset=self.offset)
        if kind in _NUMBERS:
            return Tag(kind, self.unpack(_NUMBERS[kind], "a number"))
        if kind in _ARRAYS:
            code, size = _ARRAYS[kind]
            count = self.unpack(_SIZE, "an array")
            return Tag(kind, Struct(f">{max(count, 0)}{code}").unpack(self.take(count * size, "an array")))
        if kind is Kind.STRING:
            return Tag(kind, self.text())
        if kind is Kind.COMPOUND:
            return Tag(kind, self.compound(depth + 1))
        return Tag(kind, self.list(depth + 1))

    def list(self, depth: int) -> NbtList:
        start = self.offset
        element, count = self.kind(), self.unpack(_SIZE, "a list")
        if count > 0 and element is Kind.END:
            raise Damaged("a list without a type", offset=start, found=count)
        if count > len(self.data) - self.offset:  # each takes a byte at least
            raise Incomplete("the data ends in a list", offset=start, expected=count)
        return NbtList(element, tuple(self.value(element, depth) for _ in range(max(count, 0))))


def _text(data: bytes, offset: int) -> str:
    """Decode modified UTF-8: zero in two bytes, characters beyond 16 bits as two surrogates of three bytes each."""
    try:
        if b"\xc0\x80" in data:
            data = data.replace(b"\xc0\x80", b"\0")
        text = data.decode("utf-8", "surrogatepass")
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    except UnicodeDecodeError:
        raise Damaged("text is not modified UTF-8", offset=offset) from None


def _modified(text: str) -> bytes:
    parts = []
    for char in text:
        if char == "\0":
            parts.append(b"\xc0\x80")
        elif char <= "\uffff":
            parts.append(char.encode("utf-8", "surrogatepass"))
        else:
            pair = char.encode("utf-16-be")
            for half in (pair[:2], pair[2:]):
                parts.append(half.decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass"))
    data = b"".join(parts)
    if len(data) > 0xFFFF:
        raise Usage("a text is too long for NBT", expected="65535 bytes", found=len(data))
    return _TEXT_SIZE.pack(len(data)) + data


def write_nbt(compound: Tag) -> bytes:
    """The bytes of a compound, the inverse of :func:`read_nbt`; raises :class:`Usage` for any other tag."""
    if compound.kind is not Kind.COMPOUND:
        raise Usage("metadata must be a compound", found=compound.kind.name.lower())
    return bytes((Kind.COMPOUND,)) + _payload(compound, 1)


def _payload(tag: Tag, depth: int) -> bytes:
    if depth > MAX_DEPTH:
        raise Usage("NBT is nested too deeply", expected=MAX_DEPTH)
    kind, value = tag.kind, tag.value
    if kind in _NUMBERS:
        try:
            return _NUMBERS[kind].pack(value)
        except (struct.error, OverflowError):
            raise Usage(f"not a value of the NBT type {kind.name.lower()}", found=value) from None
    if kind in _ARRAYS:
        try:
            return _SIZE.pack(len(value)) + Struct(f">{len(value)}{_ARRAYS[kind][0]}").pack(*value)
        except struct.error:
            raise Usage(f"a number is too large for a {kind.name.lower().replace('_', ' ')} of NBT") from None
    if kind is Kind.STRING:
        return _modified(value)
    if kind is Kind.LIST:
        head = bytes((value.element,)) + _SIZE.pack(len(value.values))
        return head + b"".join(_payload(element, depth + 1) for element in value.values)
    parts = [bytes((inner.kind,)) + _modified(name) + _payload(inner, depth + 1) for name, inner in value.items()]
    return b"".join(parts) + bytes((Kind.END,))


def to_json(tag: Tag) -> dict[str, Any]:
    """The value as JSON with types: `t` is the type, `v` the value, `e` the type of a list's elements."""
    if tag.kind is Kind.COMPOUND:
        return {"t": int(tag.kind), "v": {name: to_json(inner) for name, inner in tag.value.items()}}
    if tag.kind is Kind.LIST:
        elements = [to_json(element) for element in tag.value.values]
        return {"t": int(tag.kind), "e": int(tag.value.element), "v": elements}
    return {"t": int(tag.kind), "v": list(tag.value) if tag.kind in _ARRAYS else tag.value}


def from_json(record: Any, depth: int = 1) -> Tag:
    """The inverse of :func:`to_json`; raises :class:`Usage` for anything else than its result."""
    try:
        kind, value = Kind(record["t"]), record["v"]
        _check(depth <= MAX_DEPTH)
        if kind is Kind.COMPOUND:
            return Tag(kind, {str(name): from_json(inner, depth + 1) for name, inner in value.items()})
        if kind is Kind.LIST:
            element = Kind(record["e"])
            values = tuple(from_json(inner, depth + 1) for inner in value)
            _check(all(inner.kind is element for inner in values))
            return Tag(kind, NbtList(element, values))
        return Tag(kind, _LEAVES[kind](value))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise Usage("not NBT as JSON", expected='{"t": type, "v": value}', found=f"{record!r:.60}") from None


def _check(holds: bool) -> None:
    if not holds:
        raise ValueError


def _whole(value: object) -> int:
    _check(isinstance(value, int) and not isinstance(value, bool))
    return int(value)  # type: ignore[call-overload, no-any-return]


def _words(value: object) -> str:
    _check(isinstance(value, str))
    return str(value)


_LEAVES: Final[Mapping[Kind, Callable[[Any], Any]]] = {
    **dict.fromkeys((Kind.BYTE, Kind.SHORT, Kind.INT, Kind.LONG), _whole),
    **dict.fromkeys((Kind.FLOAT, Kind.DOUBLE), float),
    **dict.fromkeys(_ARRAYS, lambda value: tuple(map(_whole, value))),
    Kind.STRING: _words,
}


def plain(tag: Tag) -> Any:
    """The value as plain JSON, without types: dicts, lists, numbers and strings."""
    if tag.kind is Kind.COMPOUND:
        return {name: plain(inner) for name, inner in tag.value.items()}
    if tag.kind is Kind.LIST:
        return [plain(element) for element in tag.value.values]
    return list(tag.value) if tag.kind in _ARRAYS else tag.value


def from_plain(value: Any, depth: int = 1) -> Tag:
    """Convert plain JSON to NBT: integers become ints, or longs if they are too large, other numbers doubles.

    Raises :class:`Usage` for null and for a list of different types, which NBT does not have.
    """
    if depth > MAX_DEPTH:
        raise Usage("NBT is nested too deeply", expected=MAX_DEPTH)
    match value:
        case bool():
            return Tag(Kind.BYTE, int(value))
        case int() if -(1 << 63) <= value < 1 << 63:
            return Tag(Kind.INT if -(1 << 31) <= value < 1 << 31 else Kind.LONG, value)
        case float():
            return Tag(Kind.DOUBLE, value)
        case str():
            return Tag(Kind.STRING, value)
        case dict():
            return Tag(Kind.COMPOUND, {str(name): from_plain(inner, depth + 1) for name, inner in value.items()})
        case list():
            return Tag(Kind.LIST, _list(value, depth + 1))
    raise Usage("this value cannot be stored as NBT", found=f"{value!r:.60}")


_WIDER: Final = (Kind.INT, Kind.LONG, Kind.DOUBLE)  # a list of numbers takes the widest of its elements


def _list(values: list[Any], depth: int) -> NbtList:
    tags = [from_plain(value, depth) for value in values]
    kinds = {tag.kind for tag in tags}
    if kinds and kinds <= set(_WIDER):
        widest = max(kinds, key=_WIDER.index)
        as_kind = float if widest is Kind.DOUBLE else int
        return NbtList(widest, tuple(Tag(widest, as_kind(tag.value)) for tag in tags))
    if len(kinds) > 1:
        raise Usage("all elements of an NBT list must have the same type", found=f"{values!r:.60}")
    return NbtList(kinds.pop() if kinds else Kind.END, tuple(tags))
