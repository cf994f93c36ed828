"""Small logs, written line by line as the game writes them, and what must be found in them again.

`Game` is a log and its truth: every line it writes is complete, every save and offset is remembered.
"""

import struct
from itertools import count
from pathlib import Path

from nhlog.log.wire.blob import Blob
from nhlog.mdiff.reference import encode

__all__ = ["EVERY_KIND", "START", "Game", "binary_save", "every_kind", "played", "summary"]

START = 0x660B6E98FC26C
_HEAD = struct.Struct("<IIIIqiii")
_SECOND = 1_000_000

EVERY_KIND = (
    b"welcome",
    b"move D4",
    b"travel P12,7",
    b"wear Ia",
    b"cast Sb D2",
    b"search L20",
    b"name TRmlkbwA=",
    b"P42,17.",
    b"P!",
    b"D-1",
    b"K97,-1",
    b"K27",
    b"Yn",
    b"M",
    b"M!",
    b"M5:ffffffff",
    b"O5,3:7",
    b"O!",
    b"LaGVsbG8gd29ybGQA",
    b"LGwA=",
)
"""A line of every kind that is followed by a time line."""


def binary_save(turn: int, clock: int, *, zone: int = 0, size: int = 96) -> bytes:
    """A save as far as a log knows it: the head words, and `size` bytes in all that change a little each turn."""
    body = bytearray(index * 7 & 0xFF for index in range(size - _HEAD.size))
    if body:
        body[turn % len(body)] ^= (turn | 1) & 0xFF
    clock = (clock + 2**63) % 2**64 - 2**63
    return _HEAD.pack(0x04030000, 0, 0x211B017D, turn, clock, 0, 0, zone) + bytes(body)


def summary(name: bytes = b"QW5u", *, start: int = START, mode: int = 1) -> bytes:
    """Line 3 of a log, without its newline; an explore game, which its owner may cut."""
    return b"%x 0 %d %s Val hum fem law" % (start, mode, name)


class Game:
    """A game being written; `data` is its file, `lines` its body, `saves` and `save_offsets` tell of its save lines."""

    def __init__(self, *, zone: int = 0, size: int = 96, name: bytes = b"QW5u", begin: bool = True) -> None:
        self.zone, self.size = zone, size
        self.data = bytearray(b"NHGAME save 00000001 4.003.000\n%78s\n%s\n" % (b"(new game)", summary(name)))
        self.length = len(self.data)
        self.lines: list[bytes] = []
        self.offsets: list[int] = []
        self.saves: list[bytes] = []
        self.save_offsets: list[int] = []
        self.backups: list[int] = []
        self.turn = 1
        self.clock = START
        self._ticked = False
        self._steps = count(1)
        if begin:
            self.backup()

    def line(self, data: bytes) -> None:
        """Any line at all."""
        self.offsets.append(len(self.data))
        self.lines.append(data)
        self.data += data + b"\n"

    def tick(self, delta: int | None = None) -> None:
        """A time line; the first one takes the zone in as well."""
        if delta is None:
            delta = 250_000 + next(self._steps) * 1009
            if not self._ticked:
                delta += self.zone * _SECOND
        self._ticked = True
        self.line(b"+%x" % (delta % 2**64))
        self.clock = (self.clock + delta) % 2**64

    def input(self, *lines: bytes) -> None:
        """A command and its answers, each with its time."""
        for line in lines:
            self.line(line)
            self.tick()

    def backup(self) -> None:
        """The state of this turn as a save backup, and what is rewritten in place with it (log spec section 8.5)."""
        offset = len(self.data)
        save = self._save(offset)
        self.line(b"*%08x %s" % (self.backups[-1] if self.backups else 0, Blob.of(save).text))
        self.backups.append(offset)
        self.state(b"Exp:1, %d turns, on Dungeons:1" % self.turn)
        first = self.backups[0] + 1
        self.data[first : first + 8] = b"%08x" % offset
        self.lines[self.offsets.index(self.backups[0])] = bytes(
            self.data[self.backups[0] : self.data.index(b"\n", first)]
        )

    def diff(self) -> None:
        """The state of this turn as a save diff."""
        base = self.saves[-1]
        self.line(b"~" + Blob.of(encode(base, self._save(len(self.data)))).text)

    def _save(self, offset: int) -> bytes:
        save = binary_save(self.turn, self.clock, zone=self.zone, size=self.size)
        self.saves.append(save)
        self.save_offsets.append(offset)
        return save

    def play(self, turns: int, command: bytes = b"search", *, backup_every: int = 0) -> "Game":
        """So many ordinary turns: a command, its time, a save."""
        for _ in range(turns):
            self.input(command)
            self.turn += 1
            if backup_every and self.turn % backup_every == 0:
                self.backup()
            else:
                self.diff()
        return self

    def state(self, text: bytes) -> None:
        """Line 2."""
        self.data[31:109] = text[:78].rjust(78)

    def status(self, status: bytes) -> None:
        """The header's status alone."""
        self.data[7:11] = status

    def over(self, text: bytes = b"killed by a newt") -> "Game":
        """The end of the game."""
        self.line(b"Q")
        self.status(b"done")
        self.state(text)
        return self

    def write(self, path: Path) -> str:
        """The log as a file; gives its name."""
        path.write_bytes(self.data)
        return str(path)


def played(turns: int = 10, *, backup_every: int = 0, zone: int = 0, size: int = 96) -> Game:
    """A game of so many ordinary turns."""
    return Game(zone=zone, size=size).play(turns, backup_every=backup_every)


def every_kind() -> Game:
    """A finished game that has a line of every kind, two backups and three diffs, in some 1.5 KB."""
    game = Game(zone=3600)
    half = len(EVERY_KIND) // 2
    game.input(*EVERY_KIND[:half])
    game.line(b"B!")
    game.turn += 1
    game.diff()
    game.line(b"B" + Blob.of(b"bones of an old friend").text)
    game.input(*EVERY_KIND[half:])
    game.turn += 1
    game.backup()
    game.play(2)
    return game.over()
