"""Apply diffs: rebuild one save, a chain of saves in one buffer, or only the first bytes of a save.

Invariant: nothing is changed or returned before the whole diff was read and its reads of the base were checked.
"""

from typing import Final
from zlib import crc32

from nhlog.kernels import COMPILED
from nhlog.kernels import mdiff_decode as kernel
from nhlog.mdiff.errors import MAX_COMMANDS, MAX_SAVE, MdiffError
from nhlog.mdiff.segments import Segments, beginning, resolve
from nhlog.values import NamedTuple

__all__ = ["FEW", "Rebuild", "apply", "head"]

_SPARSE: Final = 512
"""Bytes for each splice below which the whole save is copied: a splice costs as much as copying them."""

_AT_ONCE: Final = 1 << 15
"""Commands of a chain that are read as one: some hundred diffs."""

FEW: Final = 8
"""Diffs that are as soon applied one by one."""


class _Splices(NamedTuple):
    """Ascending ranges of the base, what replaces each of them, and the CRC of the save; -1 for none."""

    starts: list[int]
    ends: list[int]
    pieces: list[bytes]
    crc: int


def apply(diff: bytes, base: bytes) -> bytes:
    """The save that `diff` makes of `base`; the first bytes of `diff` select the format (spec 1.1).

    Raises :class:`MdiffError` if the diff is malformed, reads outside the base, makes more than MAX_SAVE bytes, or has
    a CRC that is not that of the result.
    """
    splices = _read(diff, base)
    save = kernel.spliced(base, splices.starts, splices.ends, splices.pieces)
    if splices.crc >= 0:
        _compare(crc32(save), splices.crc)
    return save


def head(diff: bytes, base_head: bytes, size: int) -> bytes:
    """The first `size` bytes of the save that `diff` makes of any base that begins with `base_head`.

    Fewer if `base_head` does not suffice, or if the save has fewer. Reads only as much of the diff as needed,
    and raises :class:`MdiffError` only for damage there.
    """
    found = kernel.head(diff, base_head, size, MAX_SAVE, MAX_COMMANDS)
    return beginning(Segments(diff), base_head, size) if found is None else found


class Rebuild:
    """A save that is updated along a chain of diffs, in place where possible.

    A diff's CRC is not checked when it is applied, as that is the most expensive part: `save` checks that of the last
    diff, which covers the whole chain. A diff that fails leaves the save unchanged.
    """

    def __init__(self, base: bytes) -> None:
        self._save: bytes | bytearray = base  # the latter once it was changed in place
        self._crc = -1  # of the last diff
        self._sum = -1  # of the save, where that is known
        self._pages: list[bytes] = []  # all of the save, where these were lent since it was read as one

    def follow(self, diffs: list[bytes]) -> int:
        """Replace the save by the one that a chain of diffs makes of it, and return how many of them were applied.

        The others come before one that has to be applied alone: most often because it is damaged.
        """
        if not COMPILED:  # each takes longer to be looked at twice than to be applied
            return 0
        from nhlog.kernels.mdiff_chain import composed

        base, size = bytes(self._whole()), len(diffs)
        number, save, crc = composed(diffs, base, MAX_SAVE, _AT_ONCE)
        while not number and size > FEW:
            size //= 2
            number, save, crc = composed(diffs[:size], base, MAX_SAVE, _AT_ONCE)
        if number:
            self._save, self._crc, self._sum = save, crc, -1
        return number

    def apply(self, diff: bytes) -> None:
        """Replace the save by the one that `diff` makes of it.

        Raises :class:`MdiffError` like the function `apply`, but finds a wrong CRC later: in `save`, or here if `diff`
        has no CRC that could cover the diffs before it.
        """
        splices = _read(diff, self._whole())
        if splices.crc < 0:
            self.check()
        starts, ends, pieces, self._crc = splices
        save = self._in_place()
        kernel.join_moved(save, starts, ends, pieces)
        self._sum = -1
        if len(pieces) * _SPARSE > len(save):
            self._save = bytearray(kernel.spliced(bytes(save), starts, ends, pieces))
            return
        for start, end, piece in zip(reversed(starts), reversed(ends), reversed(pieces), strict=True):
            save[start:end] = piece

    def _whole(self) -> bytes | bytearray:
        """The bytes of the current save."""
        if self._pages:
            self._save = b"".join(self._pages)
            self._pages = []
        return self._save

    def _in_place(self) -> bytearray:
        """The bytes of the current save, to be changed."""
        save = self._whole()
        self._save = save if isinstance(save, bytearray) else bytearray(save)
        return self._save

    @property
    def size(self) -> int:
        """The bytes of the current save."""
        return len(self._whole())

    @property
    def vouched(self) -> bool:
        """Whether the last diff has a checksum, which was not compared with the save yet."""
        return self._crc >= 0

    def save(self) -> bytes:
        """The whole current save; raises :class:`MdiffError` if its bytes do not have the CRC of the last diff."""
        save = self._whole()
        found = crc32(save)
        for known in (self._sum, self._crc):
            if known >= 0:
                _compare(found, known)
        self._crc = -1
        return bytes(save)

    def lend(self) -> tuple[list[bytes], int]:
        """The current save in pages, and its CRC where that is known and was compared; else -1.

        Who changes them says so by `take_back`.
        """
        from nhlog.kernels.mdiff_pages import paged

        self._pages = self._pages or paged(bytes(self._save))
        return self._pages, self._sum if self._crc < 0 else -1

    def take_back(self, crc: int) -> None:
        """Know that the pages of the current save were changed by a chain of diffs, the last of which has this CRC."""
        self._sum, self._crc = crc, -1

    def head(self, size: int) -> bytes:
        """The first `size` bytes of the current save, or all of it if shorter; its CRC is not looked at."""
        return (b"".join(self._pages) if self._pages else bytes(self._save[:size]))[:size]

    def check(self) -> None:
        """Raise :class:`MdiffError` if the CRC of the last diff is not that of the current save."""
        if self._crc >= 0:
            if self._sum < 0:
                self._sum = crc32(self._whole())
            _compare(self._sum, self._crc)
            self._crc = -1


def _compare(found: int, crc: int) -> None:
    if found != crc:
        raise MdiffError("save has the wrong CRC-32", expected=f"{crc:08x}", found=f"{found:08x}")


def _read(diff: bytes, base: bytes | bytearray) -> _Splices:
    """What `diff` replaces in the base, by the kernel, or by the reader whose errors say what is wrong and where."""
    found = kernel.splices(diff, base, MAX_SAVE, MAX_COMMANDS)
    if found is not None:
        return _Splices(*found)
    segments = Segments(diff)
    save = b"".join([part for start, end, data in resolve(segments, base) for part in (base[start:end], data)])
    return _Splices([0], [len(base)], [save], -1 if segments.crc is None else segments.crc)
