"""Recordings made for measurements: logs and ttyrecs as long as asked for, and a folder full of small logs.

All logs are sound, and as a NetHack 4 process would write them: a real game of the samples is played over and over,
with its own commands, times and saves, while turn and clock go on.  Where its saves are to be large, they have levels
that nobody is on.
"""

import json
import struct
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

__all__ = ["fill_folder", "more_levels", "with_levels", "write_long_game", "write_long_ttyrec"]

_SAMPLE = "died2.nhgame"
_PLAYED = "nethack.cast"
_FRAME = struct.Struct("<III")  # what a frame of a ttyrec begins with: seconds, microseconds, its length
_NOW = slice(12, 24)  # of a save: its turn (32 bits) and its clock (64 bits)
_NOW_IN_DIFF = slice(4, 16)  # of a compact diff where all of them change; tested where a `_Turn` is made
_OLD, _NEW = bytes([0x11]) * 12, bytes.fromhex("d3a94e6fb28c5779e1c6359a")  # of which not a byte is the same
_TAIL = 10  # last bytes of such a diff, which its CRC is in; fewer if it ends sooner
_KINDS = 50  # of small games, which differ in their length
_NOBODY = Blob.of(b"Nobody-----")
_LEVEL_HEAD = 71  # of a level in a save, before its squares: its number, a magic word, its place, its name
_SPARE = range(100, 256)  # numbers of levels that no game of the samples comes to
_FEW = 24  # turns of the game that are played where saves are large: a diff takes its time
_LEVEL = 6  # of compression; the game's own takes twice the time for the same lines but for a few bytes


class _Turn(NamedTuple):
    """One turn of the game: its lines and how long they took, and the save they end in, whole and as a diff."""

    lines: bytes
    time: int
    save: bytes
    diff: bytes
    crc_at: int  # bits behind it
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
        size = min(_TAIL, len(self.diff) - _NOW_IN_DIFF.stop)
        tail = int.from_bytes(self.diff[-size:]) + (crc << self.crc_at)
        diff = b"".join(
            (self.diff[: _NOW_IN_DIFF.start], now, self.diff[_NOW_IN_DIFF.stop : -size], tail.to_bytes(size))
        )
        if self.packed:
            return b"$%d$" % len(diff) + b2a_base64(zlib.compress(diff, _LEVEL))
        return b2a_base64(diff)


def _at(save: bytes, now: bytes) -> bytes:
    return save[: _NOW.start] + now + save[_NOW.stop :]


def _turn(lines: bytes, time: int, before: bytes, save: bytes) -> _Turn:
    marked = _at(save, _NEW)
    diff = compact.encode(_at(before, _OLD), marked)
    size = min(_TAIL, len(diff) - _NOW_IN_DIFF.stop)
    tail = int.from_bytes(diff[-size:])
    crc = zlib.crc32(marked)
    assert diff[_NOW_IN_DIFF] == _NEW
    crc_at = next(bits for bits in range(8 * size) if tail >> bits & 0xFFFFFFFF == crc)
    template = diff[:-size] + (tail - (crc << crc_at)).to_bytes(size)
    return _Turn(lines, time, save, template, crc_at, Blob.of(diff).compressed, *_checksums(save[_NOW.stop :]))


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


def more_levels(save: bytes, size: int) -> list[bytes]:
    """The hero's level of a save again and again, under other numbers, until a save with them has that size."""
    from nhlog.nethack4.save.save import Save

    parsed = Save.parse(save)
    starts = _level_starts(save)
    start = parsed.level.parts.locations_at - _LEVEL_HEAD
    end = next((other for other in starts if other > start), save.index(b"STAT", starts[-1]))
    wanted = (size - len(save)) // (end - start)
    return [bytes((number,)) + save[start + 1 : end] for number in _SPARE[:wanted]]


def with_levels(save: bytes, levels: list[bytes]) -> bytes:
    """A save that has these levels, too."""
    starts = _level_starts(save)
    number = (len(starts) + len(levels)).to_bytes(4, "little")
    return save[: starts[0] - 4] + number + b"".join(levels) + save[starts[0] :]


def _level_starts(save: bytes) -> list[int]:
    from nhlog.nethack4.save.save import Save

    return sorted(level.parts.locations_at - _LEVEL_HEAD for level in Save.parse(save).levels.values())


@cache
def _sample(save_size: int) -> tuple[Header, tuple[_Turn, ...]]:
    """The sample's header and turns; the first one's save comes after the last one's."""
    log = open_log(str(SAMPLES / _SAMPLE))
    columns = log.columns
    saves = [log.save(number) for number in range(len(columns.save_lines))]
    if save_size > len(saves[0]):
        levels = more_levels(saves[0], save_size)
        saves = [with_levels(save, levels) for save in saves[:_FEW]]
    turns = []
    for number, (first, last) in enumerate(pairwise((-1, *columns.save_lines[: len(saves)]))):
        lines = b"".join(log.raw(line).data + b"\n" for line in range(first + 1, last))
        time = columns.clocks[last] - (columns.clocks[first] if number else log.header.start)
        turns.append(_turn(lines, time, saves[number - 1], saves[number]))
    log.source.close()
    return log.header, tuple(turns)


def _body(header: Header, size: int, save_size: int) -> Iterator[tuple[int, bytes]]:
    """The lines up to a file of `size` bytes or a little more, turn by turn, and the latest backup's offset."""
    _, turns = _sample(save_size)
    at, turn, clock = header.length, 0, header.start
    backup, last = 0, 0
    while True:
        for played in turns:
            turn, clock = turn + 1, clock + played.time
            now = turn.to_bytes(4, "little") + clock.to_bytes(8, "little")
            save_at = at + len(played.lines)
            if not backup or last - backup > len(played.save):
                line = b"*%08x " % backup + played.whole(now)
                backup = save_at
            else:
                line = b"~" + played.difference(now)
            last = save_at
            at = save_at + len(line)
            yield backup, played.lines + line
            if at >= size:
                return


def write_long_game(path: Path, size: int, name: bytes = b"Long", save_size: int = 0) -> None:
    """A game that goes on, in a log of `size` bytes or a little more; takes a minute for 1 GB.

    Its saves are of `save_size` bytes or a little fewer, or as they were played where that is more.
    """
    found, _ = _sample(save_size)
    header = replace(
        found, identification=Identification("save", 1, found.identification.version), state="", name=Blob.of(name)
    )
    header = replace(header, length=len(header.format()))
    backup = header.length
    with path.open("wb") as file:
        file.write(header.format())
        for backup, lines in _body(header, size, save_size):  # noqa: B007
            file.write(lines)
        file.seek(header.length)
        file.write(b"*%08x" % backup)


def write_long_ttyrec(path: Path, size: int) -> None:
    """A game in a terminal, played over and over while its clock goes on, in a ttyrec of `size` bytes or more."""
    first, *events = map(json.loads, (SAMPLES / _PLAYED).read_text().splitlines())
    frames = [(time, text.encode()) for time, code, text in events if code == "o"]
    now, written = float(first["timestamp"]), 0
    with path.open("wb") as file:
        while written < size:
            for time, data in frames:
                seconds, part = divmod(now + time, 1)
                written += file.write(_FRAME.pack(int(seconds), int(part * 1e6), len(data)) + data)
            now += frames[-1][0] + 1


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
