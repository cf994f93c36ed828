"""One archived file: a source of its bytes that fetches the frames that are asked for, each when it is.

Its index is read once, and kept in the user's cache: an archived game never changes.  Opening it then asks the store
nothing, and a seek is one request for the range of one frame.
"""

import hashlib
from bisect import bisect_right
from collections import OrderedDict
from contextlib import suppress
from typing import Final

import msgspec

from nhlog.archive.wire import HEAD, MOST_INDEX, TAIL, Index, unpack_frame, unpack_index
from nhlog.cache import Cache, bring
from nhlog.errors import Damaged
from nhlog.files import CannotOpen, Fate, File, Stamp, losses
from nhlog.remote import NotThere
from nhlog.remote.store import Store

__all__ = ["INDEXES", "ArchivedFile", "data_name", "index_name", "open_archived", "placed", "read_index", "stamp_for"]

INDEXES: Final = ".nhlog"  # the folder of the indexes beside the games
_ENDING: Final = ".index"
_DEVICE: Final = 0x6E686C6F67  # of no file system: "nhlog"
_KEPT: Final = 16  # unpacked frames in memory
_AHEAD: Final = 16  # frames asked for at a time by who reads one after the other
_CACHE: Final = Cache("archive", 1, msgspec.Raw)


def index_name(name: str) -> str:
    """The object of the index of an archived file."""
    return f"{INDEXES}/{name}{_ENDING}"


def data_name(name: str, packing: str) -> str:
    """The object of its bytes."""
    return name if packing == "none" else f"{name}.zst"


def placed(address: str) -> tuple[Store, str]:
    """The store that an archived file is in, and its name there."""
    folder, _, name = address.rpartition("/")
    if folder.endswith("/") or not name:
        raise CannotOpen("no address of an archived game", file=address)
    return Store(folder), name


def stamp_for(index: Index) -> Stamp:
    """A stamp of which all that is kept of the file in caches is true: it follows from the bytes."""
    inode = int.from_bytes(index.digest[:7], "big")
    return Stamp(_DEVICE, inode, index.size, index.modified, index.modified)


def read_index(store: Store, name: str) -> Index:
    """The index of an archived file, from the store; raises :class:`NotThere` and :class:`Damaged`."""
    try:
        return unpack_index(store.whole(index_name(name), MOST_INDEX))
    except Damaged as error:
        raise error.within(f"{store.name}/{name}") from None


def open_archived(address: str) -> "ArchivedFile":
    """The archived file at an address; raises :class:`CannotOpen` where there is none, and :class:`Damaged`."""
    store, name = placed(address)
    entry = hashlib.blake2b(address.encode(errors="surrogateescape"), digest_size=16).hexdigest()
    index = _cached(entry)
    if index is None:
        try:
            index = read_index(store, name)
        except NotThere:
            raise CannotOpen("no archived game at this address", file=address) from None
        _CACHE.store(entry, msgspec.Raw(msgspec.msgpack.encode(index)))
        bring(stamp_for(index).identity, index.found)
    return ArchivedFile(store, name, index, entry)


def _cached(entry: str) -> Index | None:
    kept = _CACHE.load(entry)
    with suppress(ValueError):
        return None if kept is None else msgspec.msgpack.decode(kept, type=Index)
    return None


class _Gone(Damaged):
    """There is nothing that could be given."""


class ArchivedFile(File):
    """A file whose bytes are frames in a store; of a damaged frame there are zero bytes, and the loss is noted."""

    def __init__(self, store: Store, name: str, index: Index, entry: str = "") -> None:
        self.name = f"{store.name}/{name}"
        self.index = index
        self._fd = -1
        self._store, self._object, self._entry = store, data_name(name, index.packing), entry
        self._starts, self._places = index.starts, index.places
        self._frames: OrderedDict[int, bytes] = OrderedDict()
        self._holes: set[int] = set()
        self._next, self._ahead = -1, 1

    def size(self) -> int:
        """The file's size."""
        return self.index.size

    def stamp(self) -> Stamp:
        """A stamp that follows from the bytes; another where some are lost: no cache may take them for the whole."""
        stamp = stamp_for(self.index)
        return stamp._replace(changed=stamp.changed + 1) if losses.of(self.name) else stamp

    @property
    def fate(self) -> Fate:
        """What is archived keeps its name."""
        return Fate.KEPT

    @property
    def fate_told(self) -> str:
        """Nothing."""
        return ""

    def mark(self) -> None:
        """Nobody writes it who would like to know."""

    def close(self) -> None:
        """Forget the frames."""
        self._frames.clear()

    def pread(self, size: int, offset: int) -> bytes:
        """Up to `size` bytes at `offset`, fewer only at the end."""
        end = min(offset + max(size, 0), self.index.size)
        if offset >= end:
            return b""
        if end <= HEAD:
            return self.index.head[offset:end]
        if offset >= (tail := max(self.index.size - TAIL, 0)):
            return self.index.tail[offset - tail : end - tail]
        first, last = bisect_right(self._starts, offset) - 1, bisect_right(self._starts, end - 1) - 1
        data = b"".join(self._readable(first, last + 1))
        return data[offset - self._starts[first] : end - self._starts[first]]

    def _readable(self, first: int, last: int) -> list[bytes]:
        """Frames, with zero bytes in place of those that are damaged; raises where none is there."""
        if self._holes.isdisjoint(range(first, last)):
            try:
                return self.frames(first, last)
            except Damaged:
                pass  # it is not known which
        return [self._frame_or_hole(number) for number in range(first, last)]

    def _frame_or_hole(self, number: int) -> bytes:
        if number not in self._holes:
            try:
                return self.frames(number, number + 1)[0]
            except _Gone:
                raise
            except Damaged as error:
                self._holes.add(number)
                losses.note(self.name, str(error))
        return bytes(self.index.frames[number].raw)

    def frames(self, first: int, last: int) -> list[bytes]:
        """The bytes of the frames from `first` up to, not with, `last`: those that are missing in one request.

        Raises :class:`Damaged`.
        """
        missing = [number for number in range(first, last) if number not in self._frames]
        fetched = self._fetch(missing[0], missing[-1] + 1) if missing else {}
        found = [fetched[number] if number in fetched else self._frames[number] for number in range(first, last)]
        self._frames.update(fetched)
        while len(self._frames) > max(_KEPT, 2 * self._ahead):
            self._frames.popitem(last=False)
        return found

    def _fetch(self, first: int, last: int) -> dict[int, bytes]:
        """The frames from the store, and some more for who reads one after the other."""
        self._ahead = min(self._ahead * 2, _AHEAD) if first == self._next else 1
        wanted = last
        self._next = last = max(last, min(first + self._ahead, len(self.index.frames)))
        data = self.packed(first, last)
        found = {}
        for number in range(first, last):
            at = self._places[number] - self._places[first]
            frame = self.index.frames[number]
            try:
                found[number] = unpack_frame(data[at : at + frame.packed], frame, self.index.packing)
            except Damaged as error:
                if number < wanted:
                    if self._entry:
                        _CACHE.remove(self._entry)  # what is kept may be of another game that had this address
                    raise error.within(self.name, self._starts[number]) from None
                break
        return found

    def packed(self, first: int, last: int) -> bytes:
        """Frames as they are stored, fewer where the object ends; raises :class:`Damaged` where there is none."""
        start, end = self._places[first], self._places[last]
        try:
            return self._store.read(self._object, end - start, start)
        except NotThere:
            raise _Gone("the frames of the archived game are gone", file=self.name) from None

    def salvaged(self, number: int) -> bytes | None:
        """The bytes of a frame; None of one that is damaged.  Raises where there is none at all."""
        try:
            return self.frames(number, number + 1)[0]
        except _Gone:
            raise
        except Damaged:
            return None
