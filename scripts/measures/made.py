"""Logs made for measurements: one as long as asked for, and a folder full of small ones.

All are sound, and as a NetHack 4 process would write them: a real game of the samples is played over and over, with its
own commands, times and saves, while turn and clock go on.
"""

import zlib
from binascii import b2a_base64
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from nhlog.formats.nhgame.open import open_log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.header import Header, Identification, parse_header
from nhlog.mdiff import compact
from scripts.measures import SAMPLES

__all__ = ["fill_folder", "write_long_game"]

_SAMPLE = "died2.nhgame"
_NOW = slice(12, 24)  # of a save: its turn (32 bits) and its clock (64 bits)
_NOW_IN_DIFF = slice(4, 16)  # of a compact diff where all of them change; tested where a `_Turn` is made
_OLD, _NEW = bytes([0x11]) * 12, bytes.fromhex("d3a94e6fb28c5779e1c6359a")  # of which not a byte is the same
_CRC_AT = 18  # bits behind the CRC in such a diff
_TAIL = 7  # bytes that it is in
_KINDS = 50  # of small games, which differ in their length
_NOBODY = Blob.of(b"Nobody-----")
_LEVEL = 6  # of compression; the game's own takes twice the time for the same lines but for a few bytes


class _Turn(NamedTuple):
    """One turn of the game: its lines and how long they took, and the save they end in, whole and as a diff."""

    lines: bytes
    time: int
    save: bytes
    diff: bytes
    packed: bool
    rest: tuple[tuple[int, ...], ...]
    constant: int

    def whole(self, now: bytes) -> bytes:
        """The save at this turn and clock, as a blob."""
        save = _at(self.save, now)
        return b"$%d$" % len(save) + b2a_base64(zlib.compress(save, _LEVEL))

    def difference(self, now: bytes) -> bytes:
        """The diff to that save, as a blob."""
        crc = self.constant
        for place, octet in enumerate(zlib.crc32(self.save[: _NOW.start] + now).to_bytes(4)):
            crc ^= self.rest[place][octet]
        tail = int.from_bytes(self.diff[-_TAIL:]) + (crc << _CRC_AT)
        diff = b"".join(
            (self.diff[: _NOW_IN_DIFF.start], now, self.diff[_NOW_IN_DIFF.stop : -_TAIL], tail.to_bytes(_TAIL))
        )
        if self.packed:
            return b"$%d$" % len(diff) + b2a_base64(zlib.compress(diff, _LEVEL))
        return b2a_base64(diff)


def _at(save: bytes, now: bytes) -> bytes:
    return save[: _NOW.start] + now + save[_NOW.stop :]


def _turn(lines: bytes, time: int, before: bytes, save: bytes) -> _Turn:
    marked = _at(save, _NEW)
    diff = compact.encode(_at(before, _OLD), marked)
    tail = int.from_bytes(diff[-_TAIL:])
    crc = zlib.crc32(marked)
    assert diff[_NOW_IN_DIFF] == _NEW
    assert tail >> _CRC_AT & 0xFFFFFFFF == crc
    template = diff[:-_TAIL] + (tail - (crc << _CRC_AT)).to_bytes(_TAIL)
    return _Turn(lines, time, save, template, Blob.of(diff).compressed, *_checksums(save[_NOW.stop :]))


def _checksums(rest: bytes) -> tuple[tuple[tuple[int, ...], ...], int]:
    """What makes the checksum of anything into that of it and `rest`.

    It is linear: what each value of each byte adds to it, and a constant.
    """
    constant = zlib.crc32(rest)
    bits = [zlib.crc32(rest, 1 << bit) ^ constant for bit in range(32)]

    def added(place: int, octet: int) -> int:
        total = 0
        for bit in range(8):
            total ^= bits[8 * (3 - place) + bit] * (octet >> bit & 1)
        return total

    return tuple(tuple(added(place, octet) for octet in range(256)) for place in range(4)), constant


@cache
def _sample() -> tuple[Header, tuple[_Turn, ...]]:
    """The sample's header and turns; the first one's save comes after the last one's."""
    log = open_log(str(SAMPLES / _SAMPLE))
    columns = log.columns
    saves = [log.save(number) for number in range(len(columns.save_lines))]
    turns = []
    for number, (first, last) in enumerate(pairwise((-1, *columns.save_lines))):
        lines = b"".join(log.raw(line).data + b"\n" for line in range(first + 1, last))
        time = columns.clocks[last] - (columns.clocks[first] if number else log.header.start)
        turns.append(_turn(lines, time, saves[number - 1], saves[number]))
    log.source.close()
    return log.header, tuple(turns)


def _body(header: Header, size: int) -> Iterator[tuple[int, bytes]]:
    """The lines up to a file of `size` bytes or a little more, turn by turn, and the latest backup's offset."""
    _, turns = _sample()
    at, turn, clock = header.length, 0, header.start
    backup, last = 0, 0
    while True:
        for number, played in enumerate(turns):
            turn, clock = turn + 1, clock + played.time
            now = turn.to_bytes(4, "little") + clock.to_bytes(8, "little")
            save_at = at + len(played.lines)
            if number == 0 or last - backup > len(played.save):
                line = b"*%08x " % backup + played.whole(now)
                backup = save_at
            else:
                line = b"~" + played.difference(now)
            last = save_at
            at = save_at + len(line)
            yield backup, played.lines + line
            if at >= size:
                return


def write_long_game(path: Path, size: int, name: bytes = b"Long") -> None:
    """A game that goes on, in a log of `size` bytes or a little more; takes a minute for 1 GB."""
    found, _ = _sample()
    header = replace(
        found, identification=Identification("save", 1, found.identification.version), state="", name=Blob.of(name)
    )
    header = replace(header, length=len(header.format()))
    backup = header.length
    with path.open("wb") as file:
        file.write(header.format())
        for backup, lines in _body(header, size):  # noqa: B007
            file.write(lines)
        file.seek(header.length)
        file.write(b"*%08x" % backup)


def fill_folder(folder: Path, games: int) -> None:
    """So many small games, of 10 to 50 kB, each under another name; nine of ten are over."""
    chance = Random(1)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = [
        _small_game(folder / "kind", chance.randrange(10_000, 50_000), over=kind % 10 > 0) for kind in range(_KINDS)
    ]
    for number in range(games):
        name = Blob.of(b"Nobody%05d" % number)
        (folder / f"{number:05}.nhgame").write_bytes(kinds[number % _KINDS].replace(_NOBODY.text, name.text, 1))


def _small_game(path: Path, size: int, *, over: bool) -> bytes:
    """A game of _NOBODY, which may be over."""
    write_long_game(path, size, _NOBODY.decode())
    game = path.read_bytes()
    path.unlink()
    if not over:
        return game
    header = parse_header(game)
    done = replace(header.identification, status="done")
    return replace(header, identification=done, state="killed by a newt").format() + game[header.length :] + b"Q\n"
