"""A port of NetHack 4.3's own encoder: for the same calls, its beta3 diffs equal those of the C code byte for byte.

Invariant: each byte is compared with only one byte of the base, determined by the latest tag and the bytes written
since: there is no search for matching blocks (spec 5).

Two faults of the C code are not reproduced (spec 5.6): edits that run past the end of the base are not compared with
whatever is there in memory, and a base may be empty.
"""

import re
from collections.abc import Mapping
from typing import Final
from zlib import crc32

from nhlog.kernels import COMPILED, mdiff_align
from nhlog.kernels import mdiff_encode as kernel
from nhlog.mdiff.table import BETA3, EOF_CRC32, SEEK

__all__ = ["Encoder", "encode"]

_BLOCK: Final = 2048
"""Bytes compared at once; only blocks that differ are compared byte by byte."""

_CHUNK: Final = 1 << 20
"""Bytes whose runs are found at once, so that they take little memory however many they are."""

_RUNS: Final = re.compile(rb"\0+|[^\0]+")
"""Runs of equal and of different bytes, in the XOR of two strings."""


def encode(base: bytes, new: bytes) -> bytes:
    """The beta3 diff from `base` to `new`, as by an encoder that gets no tags and no hints."""
    encoder = Encoder(base, {})
    encoder.write(new)
    return encoder.finish()


class Encoder:
    """Writes the diff from `base` to a save while the save is written.

    `base_tags` are the `tags` of the encoder that wrote the base.
    """

    def __init__(self, base: bytes, base_tags: Mapping[tuple[int, int], int]) -> None:
        self.tags: dict[tuple[int, int], int] = {}
        """The latest offset of each tag in the save, by (type, number)."""
        self._base = base
        self._base_tags = base_tags
        self._save = bytearray()
        self._diff = bytearray(BETA3)
        self._places = kernel.PLACES
        self._scanned = 0  # C: pos; bytes of the save that were compared with the base
        self._opposite = 0  # C: rp; the byte of the base that the next one is compared with
        self._copies = self._edits = self._seek = 0  # scanned, not yet in the diff: a seek, or copies then edits
        self._anchor = 0  # where the last copy command ended in the save
        self._hinted = -2  # where the last hint was given; far enough from any byte

    def write(self, data: bytes) -> None:
        """Append bytes to the save."""
        self._save += data

    def tag(self, kind: int, number: int) -> None:
        """Compare the bytes from here on with those at the same tag of the base, if it has it (spec 5.1)."""
        self._scan()
        self.tags[kind, number] = self._scanned
        target = self._base_tags.get((kind, number), self._opposite)
        if target != self._opposite:
            if self._copies or self._edits:
                self._flush()
            self._seek += self._opposite - target
            self._opposite = target

    def hint(self) -> None:
        """Mark the next two bytes as an x and a y coordinate (spec 5.2)."""
        self._scan()
        self._hinted = self._scanned

    def finish(self) -> bytes:
        """Return the diff; nothing can be written after this."""
        self._scan()
        if self._seek or self._edits:
            self._flush()
        kernel.write(self._diff, self._places, EOF_CRC32, self._copies, crc32(self._save))
        return bytes(self._diff)

    def _scan(self) -> None:
        """Compare what was written since the last call; needed before tags and hints, which affect later bytes."""
        if self._seek and self._scanned < len(self._save):
            self._flush()
        while size := min(len(self._save) - self._scanned, _CHUNK):
            new = bytes(self._save[self._scanned - self._edits : self._scanned + size])
            old = self._base[self._opposite : self._opposite + size]
            self._copies, self._edits, self._places, self._anchor = kernel.scan(
                self._diff,
                new,
                self._base,
                runs(new[self._edits :], old),
                (self._copies, self._edits),
                self._scanned,
                self._opposite,
                self._hinted,
                (self._places, self._anchor),
            )
            self._scanned += size
            self._opposite += size

    def _flush(self) -> None:
        """Write the pending seek, or the pending copies and edits in the way that seems cheapest."""
        if self._seek:
            self._places = kernel.write(self._diff, self._places, SEEK, self._seek, 0)
        else:
            new = bytes(self._save[self._scanned - self._edits :])
            self._places, self._anchor = kernel.flush(
                self._diff,
                new,
                len(new),
                self._base,
                self._opposite,
                self._copies,
                self._edits,
                self._scanned,
                self._hinted,
                self._places,
                self._anchor,
            )
        self._copies = self._edits = self._seek = 0


def _runs(new: bytes, old: bytes) -> list[int]:
    """As the kernel's, but of few calls, for where it is not compiled."""
    lengths = [0]
    equal = True
    for at in range(0, len(new), _BLOCK):
        new_block, old_block = new[at : at + _BLOCK], old[at : at + _BLOCK]
        if new_block == old_block:
            found = [len(new_block)]
            starts_equal = True
        else:
            opposite = len(old_block)
            differences = int.from_bytes(new_block[:opposite]) ^ int.from_bytes(old_block)
            flags = differences.to_bytes(opposite) + b"\1" * (len(new_block) - opposite)
            found = list(map(len, _RUNS.findall(flags)))
            starts_equal = not flags[0]
        if starts_equal is equal:
            lengths[-1] += found.pop(0)
        equal = equal is (len(found) % 2 == 0)
        lengths += found
    return lengths


runs: Final = mdiff_align.runs if COMPILED else _runs
