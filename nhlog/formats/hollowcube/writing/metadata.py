"""Reading and changing of a recording's metadata: plain JSON from the caller, NBT in the file; nothing else changes.

The file is replaced atomically; for a recording in segments, only its preamble is.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from typing import Any, Final

from nhlog.errors import Damaged, NhlogError, Unsupported, Usage
from nhlog.files import atomic, first_bytes, refusals
from nhlog.formats.hollowcube.reading.open import folder_of, open_reader
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import PREAMBLE
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag, from_plain, read_nbt, write_nbt
from nhlog.formats.hollowcube.wire.preamble import build_preamble
from nhlog.formats.hollowcube.writing.lock import locked

__all__ = ["get_metadata", "merge_metadata", "set_metadata"]

_BLOCK: Final = 1 << 20  # bytes copied at a time
_WHOLE: Final = (Kind.BYTE, Kind.SHORT, Kind.INT, Kind.LONG)
_FLOATING: Final = (Kind.FLOAT, Kind.DOUBLE)


def get_metadata(path: str, key: str = "") -> Tag:
    """The metadata of the recording at `path`, or its value at `key`, names joined by dots.

    Raises :class:`NhlogError` if there is no such key.
    """
    with closing(open_reader(path)) as reader:
        tag = reader.preamble.metadata
    for name in _names(key):
        inner = tag.value.get(name) if tag.kind is Kind.COMPOUND else None
        if inner is None:
            raise NhlogError(f"no metadata at {key!r}", file=path)
        tag = inner
    return tag


def set_metadata(path: str, key: str, value: Any) -> None:
    """Set the value at `key` of the metadata to a plain JSON value; missing compounds on the way are created.

    A number gets the NBT type of the number that it replaces, if it fits; None removes the value.
    """
    names = _names(key)
    if not names:
        raise Usage("not a key", expected="names with dots between them")
    for name in reversed(names):
        value = {name: value}
    merge_metadata(path, value)


def merge_metadata(path: str, values: Any) -> None:
    """Merge a plain JSON object into the metadata (RFC 7396): objects are merged, null removes, all else is replaced.

    Raises :class:`Damaged` for a recording with faults, :class:`Unsupported` for one at an address.
    """
    if not isinstance(values, dict):
        raise Usage("metadata must be an object", found=f"{values!r:.60}")
    _rewrite(path, lambda metadata: _merged(metadata, values))


def _names(key: str) -> list[str]:
    names = key.split(".") if key else []
    if not all(names):
        raise Usage("no such key", expected="names with dots between them", found=key)
    return names


def _merged(old: Tag | None, value: Any) -> Tag:
    """The merged value, with the old one's type if that fits."""
    if isinstance(value, dict):
        inner = dict(old.value) if old is not None and old.kind is Kind.COMPOUND else {}
        for name, part in value.items():
            there = inner.pop(name, None)
            if part is not None:
                inner[name] = _merged(there, part)
        return Tag(Kind.COMPOUND, inner)
    new = from_plain(value)
    if old is None or old.kind is new.kind:
        return new
    if old.kind in _WHOLE and new.kind in _WHOLE:
        limit = 1 << (8 << old.kind - 1) - 1
        return Tag(old.kind, new.value) if -limit <= new.value < limit else new
    if old.kind in _FLOATING and new.kind in (*_WHOLE, Kind.DOUBLE):
        return Tag(old.kind, float(new.value))
    return new


def _rewrite(path: str, change: Callable[[Tag], Tag]) -> None:
    """Replace the recording by one with changed metadata."""
    if "://" in path:
        raise Unsupported("metadata can be changed in local files only", file=path)
    folder = folder_of(path)
    with nullcontext() if folder is None else locked(folder), closing(open_reader(path)) as reader:
        if reader.faults:
            raise Damaged(f"recover it first: {reader.faults[0].what}", file=path)
        metadata = change(reader.preamble.metadata)
        name = path if folder is None else os.path.join(folder, PREAMBLE)
        with refusals(name):
            atomic.replace(os.path.realpath(name), _parts(reader, metadata), _same(metadata))


def _parts(reader: Reader, metadata: Tag) -> Iterator[bytes]:
    """The preamble with this metadata, then the unchanged chunks of a single file."""
    preamble = reader.preamble
    made = build_preamble(preamble.header, metadata, preamble.entries)
    if reader.source.folder:
        yield made
        return
    further = len(made) - preamble.length  # an entry is as long as before, whatever its offset
    yield build_preamble(preamble.header, metadata, _moved(preamble.entries, further))
    at = preamble.length
    while block := reader.source.read("", at, _BLOCK):
        yield block
        at += len(block)


def _moved(entries: Sequence[Entry], further: int) -> list[Entry]:
    return [entry._replace(offset=entry.offset + further) for entry in entries]


def _same(metadata: Tag) -> Callable[[str], None]:
    """A check that a draft has this metadata."""

    def check(draft: str) -> None:
        data = first_bytes(draft, HEADER_SIZE + len(write_nbt(metadata)))
        if write_nbt(read_nbt(data, HEADER_SIZE)[0]) != write_nbt(metadata):
            raise Damaged("what was written does not read back as the same")

    return check
