"""Saves that were passed on the way to others, each as what differs from the save that its chain begins with.

Some stay in memory.  Of a chain that is long they stay in a store, too, such as the user's cache.  What comes from
there is not believed alone: a difference follows it, whose checksum says whether it was the right one.
"""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from nhlog.compression import ZSTD, Compressor, decompress
from nhlog.kernels import COMPILED

__all__ = ["Keyframes", "Store", "is_large"]

SPACING: Final = 16  # saves from one keyframe to the next
STORED: Final = 64  # saves between those in the cache
_FAR: Final = 512 if COMPILED else 64
"""Saves between all where saves are large: a chain of diffs is read as one by the compiled kernel alone."""
AHEAD: Final = 256
"""Saves between large ones that are kept in advance: then nobody waits for it, and 256 diffs take some 3 ms."""
_LARGE: Final = 1 << 17  # bytes of a save from which keeping it takes as long as some dozens of diffs
_FEW: Final = 2  # keyframes that are not worth storing
_MOST_BYTES: Final = 4 << 20  # of keyframes in memory, and of the saves that they differ from
_WAITING: Final = 1 << 19  # bytes of saves that are kept whole: of a short log none has to be packed
_LEVEL: Final = 3  # of zstd; with the lower ones it looks for too few places to find a save again in another


class Store(Protocol):
    """Where the keyframes of a chain stay, by the number of its first save: each save's number, and the bytes."""

    def load(self, first: int) -> dict[int, bytes]:
        """Those that are there."""
        ...

    def store(self, first: int, frames: Mapping[int, bytes]) -> None:
        """Keep these, and those that are there."""

    def forget(self, first: int) -> None:
        """Keep none any more."""


class Keyframes:
    """The keyframes of a log in memory; `begin` gives the save that a chain begins with, by its number.

    `store` gives the place where they stay, if there is one now.
    """

    def __init__(self, begin: Callable[[int], bytes], store: Callable[[], Store | None] = lambda: None) -> None:
        self._begin = begin
        self._store = store
        self._frames: dict[int, bytes] = {}  # what was not used for longest first
        self._loaded: set[int] = set()  # those that came from the store
        self._waiting: dict[int, tuple[int, bytes]] = {}  # to be packed: with the first save of its chain, whole
        self._begins: dict[int, bytes] = {}
        self._packer: tuple[int, Compressor] | None = None
        self._read = -1  # the chain of which all that is stored is in memory
        self._new: tuple[int, list[int]] = (-1, [])  # of the chain that was walked last: those that are to be stored

    def __contains__(self, number: int) -> bool:
        return number in self._frames or number in self._waiting

    def wants(self, number: int, size: int) -> bool:
        """Whether save `number`, of so many bytes, should be kept by who comes past it."""
        return number % _apart(size) == 0 and number not in self

    def next_wanted(self, number: int, size: int) -> int:
        """The first save behind `number` that may be wanted."""
        return number + _apart(size) - number % _apart(size)

    def first(self, number: int) -> bytes:
        """Save `number`, which a chain begins with."""
        save = self._begins.pop(number, None) or self._begin(number)
        if len(save) <= _MOST_BYTES:
            self._begins[number] = save
            _bound(self._begins)
        return save

    def latest(self, first: int, start: int, number: int) -> int | None:
        """The number of the latest keyframe behind `start` and up to `number` of the chain that begins with `first`."""
        known = self._known(start, number)
        far = number - (start if known is None else known) > STORED
        if far and first != self._read and (store := self._store()):
            for at, frame in store.load(first).items():
                if at not in self:
                    self._frames[at] = frame
                    self._loaded.add(at)
            self._read = -1 if _bound(self._frames) else first
            known = self._known(start, number)
        return known

    def _known(self, start: int, number: int) -> int | None:
        ways = range(number // SPACING * SPACING, start, -SPACING)
        return next((at for at in ways if at in self and (at != number or at not in self._loaded)), None)

    def doubt(self, first: int) -> bool:
        """Let go of what came from the store, as a save that follows from it is wrong; whether there was anything."""
        loaded, self._loaded, self._read = self._loaded, set(), -1
        for at in loaded:
            self._frames.pop(at, None)
        if loaded and (store := self._store()):
            store.forget(first)
        return bool(loaded)

    def restore(self, first: int, number: int) -> bytes | None:
        """The save of keyframe `number`; None, and no such keyframe any more, where that is damaged."""
        if number in self._waiting:
            return self._waiting[number][1]
        frame = self._frames.pop(number)
        save, fault = decompress(frame, ZSTD, dictionary=self.first(first))
        if fault is not None:
            return None
        self._frames[number] = frame
        return save

    def keep(self, first: int, number: int, save: bytes) -> None:
        """Keep save `number` of the chain that begins with `first`, unless it is larger than any real one."""
        if len(save) > _MOST_BYTES:
            return
        if number not in self:
            self._waiting[number] = (first, save)
            self._loaded.discard(number)
            if sum(len(save) for _, save in self._waiting.values()) > _WAITING:
                self._pack()
        chain, new = self._new
        if number % STORED == 0 and (chain != first or number not in new):
            self._new = (first, [*new, number] if chain == first else [number])

    def _pack(self) -> None:
        for number, (first, save) in self._waiting.items():
            if self._packer is None or self._packer[0] != first:
                self._packer = (first, Compressor(ZSTD, _LEVEL, self.first(first), checksum=False))
            self._frames[number] = self._packer[1](save)
        self._waiting.clear()
        if _bound(self._frames):
            self._read = -1

    def settle(self) -> None:
        """Store what is worth it of the chain that was walked last."""
        first, new = self._new
        store = self._store() if len(new) >= _FEW else None
        if store is None:
            return
        self._pack()
        frames = {at: self._frames[at] for at in new if at in self._frames}
        if frames:
            store.store(first, frames)
        self._new = (-1, [])

    def missing(self, first: int, end: int) -> list[int]:
        """The saves before `end`, of the chain that begins with save `first`, that are worth keeping in advance.

        Where nothing outlasts this object, and where saves are small, there are none.
        """
        store = self._store() if end - first > _FEW * AHEAD else None
        if store is None:
            return []
        stored = store.load(first)
        numbers = [at for at in range(first // AHEAD * AHEAD + AHEAD, end, AHEAD) if at not in stored]
        return numbers if len(numbers) >= _FEW and is_large(len(self.first(first))) else []


def is_large(size: int) -> bool:
    """Whether saves of so many bytes are large: what is done to all of their bytes takes longer than what differs."""
    return size >= _LARGE


def _apart(size: int) -> int:
    """How many saves of so many bytes are from one keyframe to the next."""
    return _FAR if is_large(size) else SPACING


def _bound(kept: dict[int, bytes]) -> bool:
    """Let go of those that were not used for longest; whether there were too many."""
    size, before = sum(map(len, kept.values())), len(kept)
    while size > _MOST_BYTES and len(kept) > 1:
        size -= len(kept.pop(next(iter(kept))))
    return len(kept) < before
