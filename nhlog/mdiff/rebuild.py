"""Apply diffs: rebuild one save, a chain of saves in one buffer, or only the first bytes of a save.

Invariant: nothing is changed or returned before the whole diff was read and its reads of the base were checked.
"""

from typing import Final, NamedTuple
from zlib import crc32

from nhlog.kernels import mdiff_decode as kernel
from nhlog.mdiff.errors import MAX_COMMANDS, MAX_SAVE, MdiffError
from nhlog.mdiff.segments import Segments, beginning, resolve

__all__ = ["Rebuild", "apply", "head"]

_MAX_SHIFTS: Final = 4
"""The most splices that move the bytes after them; more cost as much as copying the whole save (measured with 1 MB)."""

_SPARSE: Final = 512
"""Bytes for each splice below which the whole save is copied: a splice costs as much as copying them."""


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
    _check(save, splices.crc)
    return save


def head(diff: bytes, base_head: bytes, size: int) -> bytes:
    """The first `size` bytes of the save that `diff` makes of any base that begins with `base_head`.

    Fewer if they cannot be known from `base_head`, or if the save has fewer. Reads only as much of the diff as needed,
    and raises :class:`MdiffError` only for damage there.
    """
    found = kernel.splices(diff, base_head, size, MAX_SAVE, MAX_COMMANDS)
    if found is not None:
        starts, ends, pieces, _ = found
        return kernel.spliced(base_head, starts, ends, pieces)[:size]
    return beginning(Segments(diff), base_head, size)


class Rebuild:
    """A save that is updated along a chain of diffs, in place where possible.

    A diff's CRC is not checked when it is applied, as that is the most expensive part: `save` checks that of the last
    diff, which covers the whole chain. A diff that fails leaves the save unchanged.
    """

    def __init__(self, base: bytes) -> None:
        self._save = bytearray(base)
        self._crc = -1

    def apply(self, diff: bytes) -> None:
        """Replaces the save by the one that `diff` makes of it.

        Raises :class:`MdiffError` like the function `apply`, but finds a wrong CRC later: in `save`, or here if `diff`
        has no CRC that could cover the diffs before it.
        """
        splices = _read(diff, self._save)
        if splices.crc < 0:
            self._check()
        starts, ends, pieces, self._crc = splices
        if len(pieces) * _SPARSE > len(self._save) or _shifts(starts, ends, pieces) > _MAX_SHIFTS:
            self._save = bytearray(kernel.spliced(bytes(self._save), starts, ends, pieces))
            return
        for start, end, piece in zip(reversed(starts), reversed(ends), reversed(pieces), strict=True):
            self._save[start:end] = piece

    @property
    def vouched(self) -> bool:
        """Whether the last diff has a checksum, which was not compared with the save yet."""
        return self._crc >= 0

    def save(self) -> bytes:
        """The whole current save; raises :class:`MdiffError` if the CRC of the last diff does not match."""
        self._check()
        return bytes(self._save)

    def _check(self) -> None:
        _check(self._save, self._crc)
        self._crc = -1


def _check(save: bytes | bytearray, crc: int) -> None:
    if crc >= 0 and crc32(save) != crc:
        raise MdiffError("save has the wrong CRC-32", expected=f"{crc:08x}", found=f"{crc32(save):08x}")


def _shifts(starts: list[int], ends: list[int], pieces: list[bytes]) -> int:
    return sum(end - start != len(piece) for start, end, piece in zip(starts, ends, pieces, strict=True))


def _read(diff: bytes, base: bytes | bytearray) -> _Splices:
    """What `diff` replaces in the base, by the kernel, or by the reader that tells what is wrong and where."""
    found = kernel.splices(diff, base, MAX_SAVE + 1, MAX_SAVE, MAX_COMMANDS)
    if found is not None and found[3] != kernel.CUT:
        return _Splices(*found)
    segments = Segments(diff)
    save = b"".join([part for start, end, data in resolve(segments, base) for part in (base[start:end], data)])
    return _Splices([0], [len(base)], [save], -1 if segments.crc is None else segments.crc)
