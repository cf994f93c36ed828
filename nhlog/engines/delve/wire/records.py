"""Records of numbers and texts of a fixed size; values out of bounds raise an error with name and offset.

Reading what was written gives an equal value, and writing that gives the same bytes.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from struct import Struct
from typing import Any, Final, Generic, TypeVar

from nhlog.errors import Damaged
from nhlog.values import NamedTuple

__all__ = ["SLOT_STEP", "Cursor", "Field", "Record", "pack_slots", "pack_text", "read_slots"]

T = TypeVar("T")

SLOT_STEP: Final = 8
"""Slots are added in groups of this size, so that a new monster seldom moves what follows."""


class Field(NamedTuple):
    """A number field: its attribute, its code in `struct`, and its bounds."""

    name: str
    code: str
    least: int
    most: int


class Cursor:
    """Bytes being read; `at` is the offset of the next ones."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def take(self, size: int, section: str) -> bytes:
        """The next `size` bytes; raises :class:`Damaged` if there are fewer."""
        end = self.at + size
        if end > len(self.data):
            raise Damaged(
                f"{section}: cut short", offset=self.at, expected=f"{size} bytes", found=len(self.data) - self.at
            )
        part = self.data[self.at : end]
        self.at = end
        return part

    def text(self, size: int, section: str) -> str:
        """A text of at most `size` bytes, padded with zeros; raises :class:`Damaged` for other bytes."""
        start = self.at
        part = self.take(size, section).rstrip(b"\0")
        try:
            text = part.decode()
        except UnicodeDecodeError:
            raise Damaged(f"{section}: not UTF-8", offset=start) from None
        if "\0" in text:
            raise Damaged(f"{section}: a zero byte in the text", offset=start)
        return text

    def number(self, section: str, most: int) -> int:
        """The next byte as a number; raises :class:`Damaged` if it is above `most`."""
        start = self.at
        value = self.take(1, section)[0]
        if value > most:
            raise Damaged(section, offset=start, expected=f"0 to {most}", found=value)
        return value


def pack_text(text: str, size: int) -> bytes:
    """As much of a text as fits, without a partial character, padded with zeros."""
    data = text.replace("\0", "").encode("utf-8", "replace")[:size]
    return data.decode("utf-8", "ignore").encode().ljust(size, b"\0")


class Record(Generic[T]):
    """The byte layout of one kind of object: its fields, one after the other."""

    __slots__ = ("_fields", "_get", "_make", "_struct", "section", "size")

    def __init__(self, section: str, make: Callable[..., T], fields: Sequence[Field]) -> None:
        self.section = section
        self._make = make
        self._fields = tuple(fields)
        self._struct = Struct("<" + "".join(field.code for field in fields))
        self._get: Callable[[T], tuple[int, ...]] = attrgetter(*(field.name for field in fields))
        self.size = self._struct.size

    def pack(self, thing: T) -> bytes:
        """The bytes of an object."""
        return self._struct.pack(*self._get(thing))

    def read(self, cursor: Cursor) -> T:
        """Read an object at the cursor; raises :class:`Damaged` for a field out of bounds."""
        start = cursor.at
        values = self._struct.unpack(cursor.take(self.size, self.section))
        for field, value in zip(self._fields, values, strict=True):
            if not field.least <= value <= field.most:
                expected = f"{field.least} to {field.most}"
                raise Damaged(f"{self.section}: {field.name}", offset=start, expected=expected, found=value)
        return self._make(**{field.name: value for field, value in zip(self._fields, values, strict=True)})


def pack_slots(record: Record[Any], slots: Sequence[Any]) -> bytes:
    """The records of slots, zeros for a free one, padded to a multiple of `SLOT_STEP`."""
    empty = bytes(record.size)
    free = -len(slots) % SLOT_STEP
    return b"".join([empty if thing is None else record.pack(thing) for thing in slots]) + empty * free


def read_slots(cursor: Cursor, record: Record[T], count: int) -> list[T | None]:
    """Read `count` slots, None for a free one; raises :class:`Damaged`."""
    empty = bytes(record.size)
    slots: list[T | None] = []
    for _ in range(count):
        if cursor.data[cursor.at : cursor.at + record.size] == empty:
            cursor.at += record.size
            slots.append(None)
        else:
            slots.append(record.read(cursor))
    return slots
