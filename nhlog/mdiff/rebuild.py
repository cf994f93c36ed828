"""Apply diffs: rebuild one save, a chain of saves in one buffer, or only the first bytes of a save.

Invariant: nothing is changed or returned before the whole diff was read and its reads of the base were checked.
"""

from collections.abc import Iterable, Iterator
from typing import Final
from zlib import crc32

from nhlog.mdiff.errors import MdiffError
from nhlog.mdiff.segments import Segments, adjusted, resolve

__all__ = ["Rebuild", "apply", "head"]

_MAX_SHIFTS: Final = 4
"""The most splices that move the bytes after them; more cost as much as copying the whole save (measured with 1 MB)."""


def apply(diff: bytes, base: bytes) -> bytes:
    """The save that `diff` makes of `base`; the first bytes of `diff` select the format (spec 1.1).

    Raises :class:`MdiffError` if the diff is malformed, reads outside the base, makes more than MAX_SAVE bytes, or has
    a CRC that is not that of the result.
    """
    segments = Segments(diff)
    save = b"".join(_joined(resolve(segments, base), base))
    _check(save, segments.crc)
    return save


def head(diff: bytes, base_head: bytes, size: int) -> bytes:
    """The first `size` bytes of the save that `diff` makes of any base that begins with `base_head`.

    Fewer if they cannot be known from `base_head`, or if the save has fewer. Reads only as much of the diff as needed,
    and raises :class:`MdiffError` only for damage there.
    """
    save = bytearray()
    for _, start, end, data, adjusts in Segments(diff):
        if start < 0 and (adjusts or start < end):
            break
        copy = base_head[start:end]
        literal = adjusted(base_head, end, data) if adjusts else data
        save += copy
        if len(copy) < end - start:
            break
        save += literal
        if len(literal) < len(data) or len(save) >= size:
            break
    return bytes(save[:size])


class Rebuild:
    """A save that is updated along a chain of diffs, in place where possible.

    A diff's CRC is not checked when it is applied, as that is the most expensive part: `save` checks that of the last
    diff, which covers the whole chain. A diff that fails leaves the save unchanged.
    """

    def __init__(self, base: bytes) -> None:
        self._save = bytearray(base)
        self._crc: int | None = None

    def apply(self, diff: bytes) -> None:
        """Replaces the save by the one that `diff` makes of it.

        Raises :class:`MdiffError` like the function `apply`, but finds a wrong CRC later: in `save`, or here if `diff`
        has no CRC that could cover the diffs before it.
        """
        segments = Segments(diff)
        pieces = list(resolve(segments, self._save))
        if segments.crc is None:
            self._check()
        splices = _splices(pieces, len(self._save))
        if splices is None:
            self._save = bytearray().join(_joined(pieces, self._save))
        else:
            for start, end, data in reversed(splices):
                self._save[start:end] = data
        self._crc = segments.crc

    @property
    def vouched(self) -> bool:
        """Whether the last diff has a checksum, which was not compared with the save yet."""
        return self._crc is not None

    def save(self) -> bytes:
        """The whole current save; raises :class:`MdiffError` if the CRC of the last diff does not match."""
        self._check()
        return bytes(self._save)

    def _check(self) -> None:
        _check(self._save, self._crc)
        self._crc = None


def _check(save: bytes | bytearray, crc: int | None) -> None:
    if crc is not None and crc32(save) != crc:
        raise MdiffError("save has the wrong CRC-32", expected=f"{crc:08x}", found=f"{crc32(save):08x}")


def _joined(pieces: Iterable[tuple[int, int, bytes]], base: bytes | bytearray) -> Iterator[bytes | memoryview]:
    """The parts of the output: copies of the base and the bytes after them, alternating."""
    view = memoryview(base)
    for start, end, data in pieces:
        yield view[start:end]
        yield data


def _splices(pieces: Iterable[tuple[int, int, bytes]], size: int) -> list[tuple[int, int, bytes]] | None:
    """Start and end of each range to replace in a base of `size` bytes, and the new bytes, to get the output.

    None if bytes of the base are used twice or out of order, or if copying the whole is cheaper.
    """
    splices = []
    used = 0
    literals: list[bytes] = []
    for start, end, data in pieces:
        if start < end:
            if start < used:
                return None
            if used < start or literals:
                splices.append((used, start, b"".join(literals)))
                literals = []
            used = end
        if data:
            literals.append(data)
    shifts = sum(len(data) != end - start for start, end, data in splices)
    splices.append((used, size, b"".join(literals)))
    return splices if shifts <= _MAX_SHIFTS else None
