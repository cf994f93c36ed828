"""Small maps made by the writer, for what no real map has."""

from collections.abc import Sequence
from struct import pack, unpack
from uuid import UUID

from nhlog.files import Memory
from nhlog.formats.datafile.reading.datafile import Datafile
from nhlog.formats.datafile.wire import Item
from nhlog.formats.datafile.writing.writer import write_datafile

__all__ = ["UUID_TYPE", "every_kind", "game_layer", "map_bytes", "name_ints", "opened", "small_map", "tiles"]

UUID_TYPE = 0xFFFE
AUTO_MAPPER = UUID("3e1b2716-178c-3978-9bd9-b11ae0410dd8")


def map_bytes(items: Sequence[Item], data: Sequence[bytes], version: int = 4) -> bytes:
    return b"".join(write_datafile(items, data, version))


def opened(data: bytes) -> Datafile:
    return Datafile(Memory("made.map", data))


def name_ints(name: str, count: int = 3) -> tuple[int, ...]:
    """The integers of a name, as editors write them."""
    text = name.encode().ljust(4 * count, b"\0")
    packed = bytes((byte + 128) % 256 for byte in text[:-1]) + b"\0"
    return tuple(int.from_bytes(packed[at : at + 4], "big", signed=True) for at in range(0, len(packed), 4))


def tiles(*rows: str) -> bytes:
    """Tiles of four bytes: the characters' codes less 48, so that 0 is air and 1 is hookable."""
    return b"".join(bytes((ord(char) - 48, 0, 0, 0)) for row in rows for char in row)


def game_layer(width: int, height: int, data: int, version: int = 3) -> tuple[int, ...]:
    return (0, 2, 0, version, width, height, 1, 255, 255, 255, 255, -1, 0, -1, data, *name_ints("Game"))


def small_map(*rows: str, layers: Sequence[tuple[int, ...]] = (), data: Sequence[bytes] = ()) -> bytes:
    """A map with this game layer, on data item 0, and with further layers on further data."""
    every = [game_layer(len(rows[0]), len(rows), 0), *layers]
    items = [
        Item(0, 0, (1,)),
        Item(4, 0, (3, 0, 0, 100, 100, 0, len(every), 0, 0, 0, 0, 0, *name_ints("Game"))),
        *(Item(5, number, layer) for number, layer in enumerate(every)),
    ]
    return map_bytes(items, [tiles(*rows), *data])


def special(kind: str, width: int, height: int, data: int, at: int, flag: int) -> tuple[int, ...]:
    """A physics layer whose data item is `data`, and what is drawn of it data item `at`."""
    kinds = ("tele", "speedup", "front", "switch", "tune")
    extra = [data if kind == name else -1 for name in kinds]
    return (0, 2, 0, 3, width, height, flag, 0, 0, 0, 0, -1, 0, -1, at, *name_ints(kind.title()), *extra)


def every_kind() -> bytes:
    """Two by two tiles of everything that a map can have."""
    layers = [
        special("tele", 2, 2, 2, 1, 2),
        special("speedup", 2, 2, 3, 1, 4),
        special("front", 2, 2, 4, 1, 8),
        special("switch", 2, 2, 5, 1, 16),
        special("tune", 2, 2, 6, 1, 32),
        (0, 2, 1, 3, 2, 2, 0, 255, 255, 255, 255, -1, 0, 0, 0, *name_ints("Ground")),
        (0, 3, 0, 2, 1, 7, -1, *name_ints("Quads")),
        (0, 10, 0, 2, 1, 8, 0, *name_ints("Sounds")),
        (0, 12, 0, 5),
    ]
    every = [game_layer(2, 2, 0), *layers]
    items = [
        Item(0, 0, (1,)),
        Item(1, 0, (1, 9, 10, -1, 11, 12)),
        Item(2, 0, (1, 64, 64, 1, 13, -1)),
        Item(3, 0, (2, 4, 0, 1, *name_ints("Fade", 8), 1)),
        Item(4, 0, (3, 0, 0, 100, 100, 0, len(every), 1, 1, 2, 3, 4, *name_ints("Game"))),
        *(Item(5, number, layer) for number, layer in enumerate(every)),
        Item(6, 0, (0, 1, 1024, 1024, 1024, 1024)),
        Item(7, 0, (1, 0, 14, 15, 3)),
        Item(UUID_TYPE, 0, (1, 0, 6, -1, 7, 1)),
        Item(0xFFFF, UUID_TYPE, unpack(">4i", AUTO_MAPPER.bytes)),
    ]
    data = [
        tiles("1000"),
        bytes(16),
        bytes((5, 26, 0, 0, 7, 27, 0, 0)),
        pack("<4Bh", 10, 0, 28, 0, 90) + bytes(12) + pack("<4Bh", 20, 0, 28, 0, -45),
        tiles("0900"),
        bytes((3, 24, 0, 9)) + bytes(12),
        bytes((1, 68)) + bytes(6),
        bytes(152),
        bytes(52),
        b"Ann\0",
        b"1.0\0",
        b"CC-BY-SA\0",
        b"sv_team 1\0tune gravity 0.5\0",
        b"grass_main\0",
        b"wind\0",
        b"Ogg",
    ]
    return map_bytes(items, data)
