"""One archived file: a source of bytes that fetches each frame when it is needed.

Its index is read once, and kept in the user's cache: an archived game never changes.  Opening it then needs no
request, and a seek is one request for the range of one frame.

An archive is somebody else's.  What its index says of a file is believed of the file at this address alone: what is
kept of it goes by the address, so that no archive can say anything of another's file, or of one here.  The edges of the
file, which the index has too, are compared with the frames as these come; only `check` says that all of it is what was
archived.
"""

import hashlib
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import msgspec

from nhlog.archive.wire import HEAD, MOST_INDEX, TAIL, Index, unpack_frame, unpack_index, unpack_talk
from nhlog.cache import Cache, Fingerprint, bring, fingerprint
from nhlog.decoding import msgpack_decoder
from nhlog.errors import Damaged, NhlogError, RemoteUnreachable
from nhlog.files import CannotOpen, Fate, File, Stamp, losses
from nhlog.progress import report
from nhlog.remote import NotThere
from nhlog.remote.store import Store

__all__ = [
    "INDEXES",
    "ArchivedFile",
    "data_name",
    "index_name",
    "open_archived",
    "placed",
    "read_index",
    "stamp_for",
    "talk_name",
]

INDEXES: Final = ".nhlog"  # the folder of the indexes beside the games
_ENDING: Final = ".index"
_TALK: Final = ".talk"
_DEVICE: Final = 0x6E686C6F67  # of no file system: "nhlog"
_KEPT: Final = 16  # unpacked frames in memory
_AHEAD: Final = 16  # frames asked for at a time by who reads one after the other


class _Kept(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An index as it is kept in the user's cache, without what it brought along for readers.

    It is `doubted` from when one of its frames was found damaged: then the archive is asked for its index at each
    opening, and what that brings along is not believed again, unless it is another index.
    """

    index: Index
    doubted: bool = False


_CACHE: Final = Cache("archive", 4, msgspec.Raw)


def index_name(name: str) -> str:
    """The object of the index of an archived file."""
    return f"{INDEXES}/{name}{_ENDING}"


def talk_name(name: str) -> str:
    """The object of what was said beside an archived file, if its index was made before there was talk."""
    return f"{INDEXES}/{name}{_TALK}"


def data_name(name: str, index: Index) -> str:
    """The object of its bytes."""
    own = f".{index.digest.hex()[:16]}" if index.apart else ""
    return f"{name}{own}{'' if index.packing == 'none' else '.zst'}"


def placed(address: str) -> tuple[Store, str]:
    """The store that an archived file is in, and its name there."""
    folder, _, name = address.rpartition("/")
    if folder.endswith("/") or not name:
        raise CannotOpen("not the address of an archived game", file=address)
    return Store(folder), name


def stamp_for(index: Index, address: str = "") -> Stamp:
    """A stamp for what caches keep of the file: it is made from the digest of the bytes, their time, and the address.

    In an index, what readers keep of the file is about a stamp without an address.
    """
    place = address.encode(errors="surrogateescape")
    known = hashlib.blake2b(b"%b %d" % (index.digest, index.modified) + place, digest_size=7).digest()
    return Stamp(_DEVICE, int.from_bytes(known, "big"), index.size, index.modified, index.modified)


def read_index(store: Store, name: str) -> Index:
    """The index of an archived file, from the store; raises :class:`NotThere` and :class:`Damaged`."""
    try:
        return unpack_index(store.whole(index_name(name), MOST_INDEX))
    except Damaged as error:
        raise error.within(f"{store.name}/{name}") from None


def open_archived(address: str) -> "ArchivedFile":
    """The archived file at an address; raises :class:`Damaged`, and where there is none :class:`CannotOpen` or, for no
    such bucket or folder, :class:`NotThere`."""
    store, name = placed(address)
    entry = hashlib.blake2b(address.encode(errors="surrogateescape"), digest_size=16).hexdigest()
    kept = _load(entry)
    if kept is None or kept.doubted:
        try:
            index = read_index(store, name)
        except NotThere:
            store.check(name)
            raise CannotOpen("no archived game at this address", file=address) from None
        plain = msgspec.structs.replace(index, found={})
        if kept is None or _packed(kept.index) != _packed(plain):  # packed, as what is no number equals nothing
            _bring(ArchivedFile(store, name, index))
            kept = _Kept(plain)
            _keep(entry, kept)
    return ArchivedFile(store, name, kept.index, entry)


def _bring(file: "ArchivedFile") -> None:
    """Keep what the index of an archived file says that readers keep of it, as what is known at its address."""
    ours = fingerprint(file)
    assert ours is not None
    bring(file.index.found, Fingerprint(*stamp_for(file.index), ours.digest), ours)


def _load(entry: str) -> _Kept | None:
    kept = _CACHE.load(entry)
    with suppress(ValueError):
        return None if kept is None else msgpack_decoder(_Kept).decode(kept)
    return None


def _keep(entry: str, kept: _Kept) -> None:
    _CACHE.store(entry, msgspec.Raw(_packed(kept)))


def _packed(value: Index | _Kept) -> bytes:
    return msgspec.msgpack.encode(value)


class ArchivedFile(File):
    """A file whose bytes are frames in a store; of a damaged frame there are zero bytes, and the loss is noted.

    `holes` are the damaged frames that were met: number, and what is wrong.
    """

    far = True

    def __init__(self, store: Store, name: str, index: Index, entry: str = "") -> None:
        self.name = f"{store.name}/{name}"
        self.index = index
        self._fd = -1
        self._store, self._name, self._object, self._entry = store, name, data_name(name, index), entry
        self._starts, self._places = index.starts, index.places
        self._frames: OrderedDict[int, bytes] = OrderedDict()
        self.holes: dict[int, Damaged] = {}
        self._next, self._ahead = -1, 1

    def size(self) -> int:
        """The file's size."""
        return self.index.size

    def stamp(self) -> Stamp:
        """A stamp that follows from the bytes; another where some are lost: no cache may take them for the whole."""
        stamp = stamp_for(self.index, self.name)
        return stamp._replace(changed=stamp.changed + 1) if losses.of(self.name) else stamp

    @property
    def fate(self) -> Fate:
        """What is archived keeps its name."""
        return Fate.KEPT

    @property
    def fate_told(self) -> str:
        """Nothing."""
        return ""

    @property
    def place(self) -> str:
        """Its address."""
        return self.name

    @property
    def talk(self) -> bytes:
        """What was said beside it; raises :class:`Damaged`."""
        if self.index.talk is not None:
            return self.index.talk
        try:
            return unpack_talk(self._store.whole(talk_name(self._name), MOST_INDEX))
        except NotThere:
            return b""
        except Damaged as error:
            raise error.within(self.name) from None

    def mark(self) -> None:
        """Do nothing: an archived file has no writer."""

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
        data = b"".join(self.frames(first, last + 1))
        for number in self.holes.keys() & range(first, last + 1):
            losses.note(self.name, self.holes[number])
        return data[offset - self._starts[first] : end - self._starts[first]]

    def frames(self, first: int, last: int) -> list[bytes]:
        """The bytes of the frames from `first` up to, not with, `last`: those that are missing in one request.

        Of a damaged one there are zero bytes, and `holes` has why.  Raises :class:`Damaged` where there are none, and
        :class:`RemoteUnreachable`; either is noted, too.
        """
        missing = [number for number in range(first, last) if number not in self._frames and number not in self.holes]
        fetched = self._fetch(missing[0], missing[-1] + 1) if missing else {}
        known = {**self._frames, **fetched}
        found = [known.get(number) or bytes(self.index.frames[number].raw) for number in range(first, last)]
        self._frames.update(fetched)
        while len(self._frames) > max(_KEPT, 2 * self._ahead):
            self._frames.popitem(last=False)
        return found

    def _fetch(self, first: int, last: int) -> dict[int, bytes]:
        """The sound frames among these, from the store, and some more if the reader goes from one to the next."""
        self._ahead = min(self._ahead * 2, _AHEAD) if first == self._next else 1
        self._next = last = max(last, min(first + self._ahead, len(self.index.frames)))
        data = self._packed(first, last)
        found = {}
        for number in range(first, last):
            at = self._places[number] - self._places[first]
            frame = self.index.frames[number]
            try:
                found[number] = unpack_frame(data[at : at + frame.packed], frame, self.index.packing)
                self._compare(self._starts[number], found[number])
            except Damaged as error:
                found.pop(number, None)
                if self._entry and not self.holes:
                    _keep(self._entry, _Kept(self.index, doubted=True))  # or it is of another game that was here
                self.holes[number] = error.within(self.name, self._starts[number])
        return found

    def _compare(self, start: int, data: bytes) -> None:
        """Raise :class:`Damaged` where a frame that starts there has other bytes than the index at an edge."""
        index, end = self.index, start + len(data)
        tail = max(index.size - TAIL, 0)
        for place, edge in ((0, index.head), (tail, index.tail)):
            low, high = max(start, place), min(end, place + len(edge))
            if low < high and data[low - start : high - start] != edge[low - place : high - place]:
                raise Damaged("the index has another beginning or end of the game than its frames")

    def check(self) -> Iterator[Damaged]:
        """Read all of it; what is wrong, if it is not what was archived."""
        digest, last = hashlib.blake2b(digest_size=32), len(self.index.frames)
        for first in range(0, last, _AHEAD):
            for data in self.frames(first, min(first + _AHEAD, last)):
                digest.update(data)
            report("checking", first, last)
        yield from self.holes.values()
        if not self.holes and digest.digest() != self.index.digest:
            yield Damaged("the frames are not those of the game that was archived: wrong digest", file=self.name)

    def _packed(self, first: int, last: int) -> bytes:
        """Frames as they are stored, fewer where the object ends; raises :class:`Damaged` where there is none."""
        start, end = self._places[first], self._places[last]
        try:
            return self._store.read(self._object, end - start, start)
        except NotThere:
            error: NhlogError = Damaged("the frames of the archived game are gone", file=self.name)
        except RemoteUnreachable as unreachable:
            error = unreachable
        losses.note(self.name, error)  # a reader may take it for damage, and tell of the rest
        raise error
