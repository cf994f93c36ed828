"""The layout of a save's bytes, and a cursor to walk them (save spec section 1).

A record class is its layout: the fields with a wire type, in order, little-endian, without padding; a fork that stores
them otherwise has an order of its own. A cursor never leaves the bytes, and checks every count against the bytes that
are left.
"""

import struct
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Annotated, Any, Final, Generic, Self, TypeVar, overload

from nhlog.errors import Damaged

__all__ = [
    "FIQHACK",
    "FIQHACKS",
    "FIQHACK_18",
    "FIQHACK_21",
    "I8",
    "I16",
    "I32",
    "I64",
    "MAGIC_SIZE",
    "NETHACK4",
    "U8",
    "U16",
    "U32",
    "BadSave",
    "Bit",
    "Bits",
    "Cursor",
    "Layout",
    "Stored",
    "check",
    "cut_short",
    "signed",
    "text",
    "unrotated",
]

NETHACK4: Final = "NetHack 4.3"
FIQHACK: Final = "FIQHack"
FIQHACK_18: Final = "FIQHack, revision 18"
FIQHACK_21: Final = "FIQHack, revision 21"
FIQHACKS: Final = (FIQHACK_18, FIQHACK_21)
"""The editions of FIQHack.  Tables of layouts and numbers are by edition; NetHack 4.3 has one, of the same name."""

I8 = Annotated[int, "b"]
U8 = Annotated[int, "B"]
I16 = Annotated[int, "h"]
U16 = Annotated[int, "H"]
I32 = Annotated[int, "i"]
U32 = Annotated[int, "I"]
I64 = Annotated[int, "q"]

_SIGN: Final = 1 << 31
_WORD: Final = struct.Struct("<I")
MAGIC_SIZE: Final = 4

Stored = tuple[tuple[str, str], ...]
"""The fields of a record in the order of their bytes, each with its code of `struct`; one without a name is skipped."""

R = TypeVar("R", bound=tuple[Any, ...])


class BadSave(Damaged):
    """A save that breaks its layout; `offset` counts from the save's first byte, the section is in the message."""

    def inside(self, section: str) -> Self:
        """Add an outer section to the message; returns the error itself."""
        self.what = f"{section}: {self.what}"
        return self


def cut_short(what: str, data: bytes, at: int, size: int) -> BadSave:
    """The error for fewer than `size` bytes at `at`."""
    return BadSave(f"{what}: cut short", offset=at, expected=f"{size} bytes", found=max(len(data) - at, 0))


def check(value: int, allowed: range, what: str, at: int) -> int:
    """The value, if it is allowed, so that later code may use it as an index; else raises :class:`BadSave`."""
    if value not in allowed:
        raise BadSave(f"{what} out of range", offset=at, expected=f"{allowed[0]} to {allowed[-1]}", found=value)
    return value


def text(raw: bytes) -> str:
    """A string of the game: up to the first NUL, if there is one."""
    return raw.partition(b"\0")[0].decode("utf-8", "replace")


def unrotated(value: int, bits: int, relative: int) -> int:
    """A counter that was stored relative to another, so that it is constant while both count; zero stays zero."""
    if not value or not relative:
        return value
    most = (1 << bits) - 1
    return ((value - 1 & most) + (relative & 0xFFFFFFFF)) % most + 1


def signed(word: int) -> int:
    """The signed value of a 32-bit word."""
    return (word ^ _SIGN) - _SIGN


class Bit:
    """A descriptor for one bit of a record's word, by the word's name and the bit's number."""

    def __init__(self, word: str, number: int) -> None:
        self._word, self._number = word, number

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: object, owner: type) -> bool: ...
    def __get__(self, record: object | None, owner: type) -> "bool | Bit":
        return self if record is None else bool(getattr(record, self._word) >> self._number & 1)


class Bits:
    """A descriptor for several bits of a record's word, by the numbers of the first and the last."""

    def __init__(self, word: str, first: int, last: int) -> None:
        self._word, self._first = word, first
        self._mask = (1 << last + 1 - first) - 1

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: object, owner: type) -> int: ...
    def __get__(self, record: object | None, owner: type) -> "int | Bits":
        if record is None:
            return self
        value: int = getattr(record, self._word) >> self._first & self._mask
        return value


class Layout(Generic[R]):
    """The byte layout of a record class; `size` is that of the spec, and is compared with the fields.

    `stored` is for bytes that do not follow the class: fields that are not among them are zero.
    """

    def __init__(self, record: type[R], size: int, stored: Stored = ()) -> None:
        fields: Sequence[str] = record._fields  # type: ignore[attr-defined]  # records are named tuples
        above = [vars(base).get("__annotations__", {}) for base in reversed(record.__mro__)]
        types = {name: kind for own in above for name, kind in own.items()}
        wired = [field for field in fields if hasattr(types[field], "__metadata__")]
        self.fields: Stored = tuple((field, types[field].__metadata__[0]) for field in wired)
        self._stored = stored or self.fields
        self._struct = struct.Struct("<" + "".join(code for _, code in self._stored))
        assert self._struct.size == size, f"{record.__name__}: {self._struct.size} bytes"
        self.size = size
        self.unpack: Any = self._struct.unpack_from
        self._make: Any = record._make  # type: ignore[attr-defined]
        if stored:
            self.unpack = self._rearranged()

    def _rearranged(self) -> Any:
        """A function that unpacks a record whose bytes do not follow the class."""
        unpack, names = self._struct.unpack_from, [field for field, _ in self._stored if field]
        missing = [(field, code) for field, code in self.fields if field not in names]
        zeros = tuple(struct.unpack(code, bytes(struct.calcsize(code)))[0] for _, code in missing)
        names += [field for field, _ in missing]
        arranged = itemgetter(*(names.index(field) for field, _ in self.fields))
        return lambda data, at=0: arranged(unpack(data, at) + zeros)

    def offset(self, field: str) -> int:
        """The offset of a field in the record."""
        before = next(number for number, (name, _) in enumerate(self._stored) if name == field)
        return struct.calcsize("<" + "".join(code for _, code in self._stored[:before]))

    def place(self, field: str) -> slice:
        """Where the bytes of a field are in the record."""
        at = self.offset(field)
        return slice(at, at + struct.calcsize("<" + dict(self._stored)[field]))

    def part(self, *fields: str) -> struct.Struct:
        """A struct that unpacks only these fields, in the order of their bytes."""
        codes = (code if field in fields else f"{struct.calcsize('<' + code)}x" for field, code in self._stored)
        return struct.Struct("<" + "".join(codes))

    def read(self, data: bytes, at: int = 0) -> R:
        """The record at an offset; the bytes must have been walked before."""
        record: R = self._make(self.unpack(data, at))
        return record

    def unpack_all(self, raw: bytes) -> Iterable[tuple[Any, ...]]:
        """The wire fields of an array of records."""
        return self._struct.iter_unpack(raw)

    def read_all(self, raw: bytes) -> tuple[R, ...]:
        """An array of records."""
        return tuple(map(self._make, self.unpack_all(raw)))

    def extended(self, data: bytes, at: int, *others: object) -> R:
        """The record at an offset; `others` are the values of its fields without a wire type."""
        record: R = self._make((*self.unpack(data, at), *others))
        return record


class Cursor:
    """A position in a save of an edition's that moves forward; `what` names the part in error messages."""

    __slots__ = ("at", "data", "edition")

    def __init__(self, data: bytes, at: int = 0, edition: str = NETHACK4) -> None:
        self.data, self.at, self.edition = data, at, edition

    def skip(self, size: int, what: str) -> int:
        """Skip `size` bytes and return their offset; raises :class:`BadSave` if there are fewer."""
        at = self.at
        if size > len(self.data) - at:
            raise cut_short(what, self.data, at, size)
        self.at = at + size
        return at

    def take(self, size: int, what: str) -> bytes:
        """The next `size` bytes; raises :class:`BadSave` if there are fewer."""
        at = self.skip(size, what)
        return self.data[at : at + size]

    def record(self, layout: Layout[R], what: str) -> R:
        """The next record; raises :class:`BadSave` if it is cut short."""
        return layout.read(self.data, self.skip(layout.size, what))

    def word(self, what: str) -> int:
        """The next unsigned 32-bit number; raises :class:`BadSave` if it is cut short."""
        at = self.at
        try:
            value: int = _WORD.unpack_from(self.data, at)[0]
        except struct.error:
            raise cut_short(what, self.data, at, _WORD.size) from None
        self.at = at + _WORD.size
        return value

    def signed(self, what: str) -> int:
        """The next signed 32-bit number; raises :class:`BadSave` if it is cut short."""
        return signed(self.word(what))

    def magic(self, word: bytes, what: str) -> None:
        """Skip the four bytes that a section begins with; raises :class:`BadSave` if they are others."""
        at = self.at
        found = self.take(MAGIC_SIZE, what)
        if found != word:
            raise BadSave(what, offset=at, expected=repr(word), found=repr(found))

    def count(self, size: int, what: str) -> int:
        """The next number, a count of items of `size` bytes or more; raises :class:`BadSave` if it is too large."""
        at = self.at
        number = self.word(what)
        if number * size > len(self.data) - self.at:
            most = (len(self.data) - self.at) // size
            raise BadSave(f"number of {what}", offset=at, expected=f"at most {most}", found=number)
        return number

    def rows(self, size: int, what: str) -> slice:
        """Skip a count and that many records of `size` bytes, and return their range; raises :class:`BadSave`."""
        number = self.count(size, what)  # which has seen that they are there
        start = self.at
        self.at = start + size * number
        return slice(start, self.at)

    def many(self, size: int, what: str) -> bytes:
        """The bytes of a count's records of `size` bytes; raises :class:`BadSave`."""
        return self.data[self.rows(size, what)]
