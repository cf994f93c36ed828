"""The reference encoder as it was before its kernel: the second opinion on it, by one candidate after the other."""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from zlib import crc32

from nhlog.mdiff.table import (
    BETA3,
    COORD,
    COORD_UNIT,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    COPYEDIT_SIZES,
    DIRECTIONS,
    EDIT,
    EOF_CRC32,
    ERASE,
    ERASE_SIZES,
    INCREMENT,
    ORDER,
    SEEK,
    size,
)
from nhlog.mdiff.table import encode as encode_command

__all__ = ["Encoder"]

_Command = tuple[int, int, int, bytes]
"""A command's number, arg1, arg2 and data bytes."""

_Candidate = tuple[int, tuple[_Command, ...]]
"""One way to write a run: its cost besides the bytes of its commands, and the commands; data bytes are not counted."""

_DIRECTIONS: Final = {deltas: arg2 for arg2, deltas in enumerate(DIRECTIONS)}

_BLOCK: Final = 2048
"""Bytes compared at once; only blocks that differ are compared byte by byte."""

_RUNS: Final = re.compile(rb"\0+|[^\0]+")
"""Runs of equal and of different bytes, in the XOR of two strings."""

_HINT_BONUS: Final = 2
"""Bytes by which a coord may be longer where a coordinate was hinted (spec 5.4: 2P)."""


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
        self._order = ORDER
        self._scanned = 0  # C: pos; bytes of the save that were compared with the base
        self._opposite = 0  # C: rp; the byte of the base that the next one is compared with
        self._copies = self._edits = self._seek = 0  # scanned, not yet in the diff: a seek, or copies then edits
        self._anchor = 0  # where the last copy command ended in the save
        self._hinted = -2  # where the last hint was given; far enough from any byte

    def write(self, data: bytes) -> None:
        """Appends bytes to the save."""
        self._save += data

    def tag(self, kind: int, number: int) -> None:
        """Compares the bytes from here on with those at the same tag of the base, if it has it (spec 5.1)."""
        self._scan()
        self.tags[kind, number] = self._scanned
        target = self._base_tags.get((kind, number), self._opposite)
        if target != self._opposite:
            if self._copies or self._edits:
                self._flush()
            self._seek += self._opposite - target
            self._opposite = target

    def hint(self) -> None:
        """Marks the next two bytes as an x and a y coordinate (spec 5.2)."""
        self._scan()
        self._hinted = self._scanned

    def finish(self) -> bytes:
        """Returns the diff; nothing can be written after this."""
        self._scan()
        if self._seek or self._edits:
            self._flush()
        self._emit(EOF_CRC32, self._copies, crc32(self._save))
        return bytes(self._diff)

    def _scan(self) -> None:
        """Compares what was written since the last call; needed before tags and hints, which affect later bytes."""
        new = self._save[self._scanned :]
        if not new:
            return
        old = self._base[self._opposite : self._opposite + len(new)]
        if new == old:
            self._extend(True, len(new))
        else:
            for equal, length in _runs(new, old):
                self._extend(equal, length)

    def _extend(self, equal: bool, length: int) -> None:
        """Adds equal or different bytes to the pending run; only copies followed by edits can be pending together."""
        if self._seek or (equal and self._edits):
            self._flush()
        if equal:
            self._copies += length
        else:
            self._edits += length
        self._scanned += length
        self._opposite += length

    def _flush(self) -> None:
        """Writes the pending seek, or the pending copies and edits in the way that seems cheapest."""
        if self._seek:
            self._emit(SEEK, self._seek)
        else:
            start = self._scanned - self._edits - self._copies
            _, commands = min(self._candidates(), key=self._cost)  # the first of several
            for command in commands:
                self._emit(*command)
            if commands[0][0] == COPY:
                self._anchor = start + commands[0][1]
        self._copies = self._edits = self._seek = 0

    def _emit(self, command: int, arg1: int, arg2: int = 0, data: bytes = b"") -> None:
        code, self._order = encode_command(self._order, command, arg1, arg2)
        self._diff += code + data

    def _cost(self, candidate: _Candidate) -> int:
        """The cost as the C code computes it: the second command as if it came first."""
        cost, commands = candidate
        for command, arg1, _, _ in commands:
            cost += size(self._order, command, arg1)
        return cost

    def _candidates(self) -> Iterator[_Candidate]:
        """The ways to write the pending run, in the order in which C tries them (spec 5.4).

        That copyedit1 is not charged for its data byte is a mistake of the C code that its output depends on. What C
        charges every run but erase at the end of a diff (E7) is omitted: erase is always cheaper than the others, and
        copies alone always belong to eof_crc32.
        """
        copies, edits = self._copies, self._edits
        new = bytes(self._save[self._scanned - edits : self._scanned])
        if edits in COPYEDIT_SIZES:
            yield edits, ((COPYEDIT, copies, COPYEDIT_SIZES.index(edits), new),)
        copy = ((COPY, copies, 0, b""),) if copies else ()
        edit = ((EDIT, edits - 1, 0, new),) if edits else ()
        yield edits, (*copy, *edit)
        if edits in ERASE_SIZES and not any(new):
            yield 0, ((ERASE, copies, ERASE_SIZES.index(edits), b""),)
        if edits <= 2 and self._opposite <= len(self._base):
            old = self._base[self._opposite - edits : self._opposite]
            deltas = bytes([(byte - before) & 0xFF for byte, before in zip(new, old, strict=True)])
            yield from self._coords(deltas)
            if deltas == b"\x01":
                yield 0, ((INCREMENT, copies, 0, b""),)
        if edits == 1:
            yield 0, ((COPYEDIT1, copies, 0, new),)

    def _coords(self, deltas: bytes) -> Iterator[_Candidate]:
        """The ways to write the pending run as a step of a monster.

        A single edit is taken for x where one is expected, by a hint or on the grid; elsewhere for y, with the last
        copied byte as x. (If there is none, no coord can reach it.)
        """
        copies, at = self._copies, self._scanned - len(deltas)
        if len(deltas) == 1 and copies and not (self._hinted == at or self._on_grid(at)):
            copies, at, deltas = copies - 1, at - 1, b"\0" + deltas
        direction = _DIRECTIONS.get(deltas)
        if direction is None:
            return
        extra = -_HINT_BONUS if self._hinted == at else 0
        units, rest = divmod(copies, COORD_UNIT)
        coord = (COORD, units, direction, b"")
        if self._on_grid(at):
            yield extra, (coord,)
        if rest:
            yield extra, ((COPY, rest, 0, b""), coord)
        if units:
            yield extra, ((COPY, COORD_UNIT + rest, 0, b""), (COORD, units - 1, direction, b""))

    def _on_grid(self, position: int) -> bool:
        """Whether coord can copy up to this byte of the save."""
        return (position - self._anchor) % COORD_UNIT == 0


def _runs(new: bytes | bytearray, old: bytes) -> Iterator[tuple[bool, int]]:
    """The runs of `new`, from start to end: whether they equal `old`, and their lengths; `old` may be shorter."""
    for at in range(0, len(new), _BLOCK):
        new_block, old_block = new[at : at + _BLOCK], old[at : at + _BLOCK]
        if new_block == old_block:
            yield True, len(new_block)
            continue
        opposite = len(old_block)
        differences = int.from_bytes(new_block[:opposite]) ^ int.from_bytes(old_block)
        for run in _RUNS.finditer(differences.to_bytes(opposite)):
            yield run[0].startswith(b"\0"), len(run[0])
        if opposite < len(new_block):
            yield False, len(new_block) - opposite
