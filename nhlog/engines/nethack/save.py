"""The bytes of a save: how the game was begun, the name of its past, and what is seen; a checksum ends them.

Everything has its place and its size, so that from save to save few bytes change.  Much is seen twice: the map and the
message are on the screen, where nothing covers them, and the colour and the picture of a square are mostly those that
its character has elsewhere.  Of these only what differs is kept, which is next to nothing; a step of a dog changes four
bytes in place of twenty.
"""

import struct
import zlib
from collections import Counter
from typing import Any, Final

from nhlog.engines.nethack.machine.wire import COLUMNS, MAP, MOST_LINE, MOST_OPTIONS, TEXT
from nhlog.engines.nethack.past import Start
from nhlog.engines.nethack.seen import SIZE, place_of
from nhlog.errors import Damaged
from nhlog.values import NamedTuple

__all__ = ["Saved", "read_save", "read_words", "write_save"]

_SMALL: Final = 1024  # bytes of options in most games
_HEADS: Final = {
    magic: struct.Struct(f"<4s8sq3Q{room}s{MOST_LINE}sIII")
    for magic, room in ((b"NLE1", _SMALL), (b"NLE2", MOST_OPTIONS))
}
"""The head of a save, by its first bytes: the second one has room for a player who has many options."""
_TABLES: Final = 3  # of 256 bytes each: colours of the screen, lower and upper bytes of pictures
_TABLE: Final = 256
_CHECK: Final = 4  # bytes of the checksum, which end the head
_REST: Final = _TABLES * _TABLE + SIZE


class Saved(NamedTuple):
    """A save: the build of NetHack that made it, how its game was begun, how many keys there were since, and the name
    of that past; the line that NetHack wrote when the game ended; what is seen, as a machine tells it.
    """

    build: bytes
    start: Start
    keys: int
    past: int
    line: bytes
    seen: bytes


def write_save(saved: Saved) -> bytes:
    """The bytes of a save."""
    start = saved.start
    magic = b"NLE1" if len(start.options) <= _SMALL else b"NLE2"
    head = _HEADS[magic]
    fixed = (magic, saved.build, start.second, *start.seeds, start.options, saved.line, saved.keys, saved.past)
    rest = _packed(saved.seen)
    return head.pack(*fixed, zlib.crc32(rest, zlib.crc32(head.pack(*fixed, 0)))) + rest


def read_save(data: bytes) -> Saved:
    """Parse a save; raises :class:`Damaged`."""
    (_, build, second, *seeds, options, line, keys, past), rest = _checked(data)
    core, display, levels = seeds
    start = Start(second, (core, display, levels), options.rstrip(b"\0"))
    return Saved(build, start, keys, past, line.rstrip(b"\0"), _unpacked(rest))


def read_words(data: bytes) -> bytes:
    """What is seen of a save, as in `Saved`, but for the map and the colours, which take long; raises `Damaged`."""
    seen, message = _checked(data)[1][_TABLES * _TABLE :], place_of("message")
    said = _xor(seen[message], _said(seen[place_of("tty_chars")]))
    return seen[: message.start] + said + seen[message.stop :]


def _checked(data: bytes) -> tuple[list[Any], bytes]:
    """The fields of a save's head, and what follows them; raises :class:`Damaged`."""
    head = _HEADS.get(data[:4])
    if head is None:
        raise Damaged("not a save of NetHack", offset=0, expected=" or ".join(map(repr, _HEADS)), found=data[:4])
    whole = head.size + _REST
    if len(data) != whole:
        raise Damaged("not a save of NetHack", offset=min(len(data), whole), expected=f"{whole} bytes", found=len(data))
    *fixed, check = head.unpack_from(data)
    rest = data[head.size :]
    if zlib.crc32(rest, zlib.crc32(head.pack(*fixed, 0))) != check:
        raise Damaged("the checksum of the save is wrong", offset=head.size - _CHECK)
    return fixed, rest


def _packed(seen: bytes) -> bytes:
    """What is seen, as what differs from what the characters of the screen tell already; with the tables of that."""
    parts, screen = bytearray(seen), seen[place_of("tty_chars")]
    shown = _map_of(screen)
    colors, low, high = seen[place_of("tty_colors")], *_halves(seen[place_of("glyphs")])
    tables = _usual(screen, colors), _usual(shown, low), _usual(shown, high)
    parts[place_of("tty_colors")] = _xor(colors, screen.translate(tables[0]))
    parts[place_of("glyphs")] = _xor(low, shown.translate(tables[1])) + _xor(high, shown.translate(tables[2]))
    parts[place_of("chars")] = _xor(seen[place_of("chars")], shown)
    parts[place_of("colors")] = _xor(seen[place_of("colors")], _map_of(colors))
    parts[place_of("message")] = _xor(seen[place_of("message")], _said(screen))
    return b"".join(tables) + bytes(parts)


def _unpacked(data: bytes) -> bytes:
    """What was seen, of these bytes."""
    tables = [data[at : at + _TABLE] for at in range(0, _TABLES * _TABLE, _TABLE)]
    seen = data[_TABLES * _TABLE :]
    parts, screen = bytearray(seen), seen[place_of("tty_chars")]
    shown = _map_of(screen)
    colors = _xor(seen[place_of("tty_colors")], screen.translate(tables[0]))
    halves = seen[place_of("glyphs")]
    glyphs = bytearray(len(halves))
    glyphs[::2] = _xor(halves[: len(shown)], shown.translate(tables[1]))
    glyphs[1::2] = _xor(halves[len(shown) :], shown.translate(tables[2]))
    parts[place_of("tty_colors")] = colors
    parts[place_of("glyphs")] = glyphs
    parts[place_of("chars")] = _xor(seen[place_of("chars")], shown)
    parts[place_of("colors")] = _xor(seen[place_of("colors")], _map_of(colors))
    parts[place_of("message")] = _xor(seen[place_of("message")], _said(screen))
    return bytes(parts)


def _halves(numbers: bytes) -> tuple[bytes, bytes]:
    """The lower and the upper bytes of numbers of two."""
    return numbers[::2], numbers[1::2]


def _map_of(screen: bytes) -> bytes:
    """The part of a screen where the map is."""
    return b"".join(screen[row * COLUMNS : row * COLUMNS + MAP[0]] for row in range(1, MAP[1] + 1))


def _said(screen: bytes) -> bytes:
    """The first row, as a message."""
    return screen[:COLUMNS].rstrip(b" \0").ljust(TEXT, b"\0")


def _usual(chars: bytes, values: bytes) -> bytes:
    """For each character the value that most of its squares have, the least of several."""
    pairs = bytearray(2 * len(chars))
    pairs[::2], pairs[1::2] = chars, values
    counts = Counter(struct.unpack(f"<{len(chars)}H", pairs))
    table = bytearray(_TABLE)
    for pair, _ in sorted(counts.items(), key=lambda row: (row[1], -row[0])):
        table[pair & 0xFF] = pair >> 8
    return bytes(table)


def _xor(one: bytes, other: bytes) -> bytes:
    return (int.from_bytes(one) ^ int.from_bytes(other)).to_bytes(len(one))
