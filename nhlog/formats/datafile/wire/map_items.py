"""The items of a map as typed values, parsed from their integers (spec 5).

An item of an unknown type or length stays an :class:`~nhlog.formats.datafile.wire.Item`; additional integers at the end
of a longer one are ignored.
"""

from collections.abc import Callable, Mapping, Sequence
from struct import Struct
from types import MappingProxyType
from typing import Final
from uuid import UUID

from nhlog.errors import Damaged
from nhlog.formats.datafile.wire import Item
from nhlog.values import NamedTuple

__all__ = [
    "ENVELOPE",
    "ENVPOINTS",
    "GROUP",
    "IMAGE",
    "INDEX",
    "INFO",
    "LAYER",
    "NONE",
    "SOUND",
    "TYPE_NAMES",
    "VERSION",
    "AutoMapper",
    "Envelope",
    "EnvelopePoint",
    "Group",
    "Image",
    "Layer",
    "MapInfo",
    "MapItem",
    "MapVersion",
    "OtherLayer",
    "QuadLayer",
    "Sound",
    "SoundLayer",
    "TileLayer",
    "UuidIndex",
    "decode_name",
    "envelope_points",
    "parse_map_item",
]

VERSION, INFO, IMAGE, ENVELOPE, GROUP, LAYER, ENVPOINTS, SOUND = range(8)
INDEX: Final = 0xFFFF  # its items say which UUID another type id stands for
TYPE_NAMES: Final = ("version", "info", "image", "envelope", "group", "layer", "envelope points", "sound")
AUTO_MAPPER: Final = UUID("3e1b2716-178c-3978-9bd9-b11ae0410dd8")  # automapper-config
NONE: Final = -1  # stands for no index
_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


class MapVersion(NamedTuple):
    """The version of the map format; always 1."""

    version: int


class MapInfo(NamedTuple):
    """Author and other texts; all but `version` are indices of data items with NUL-terminated text, or -1."""

    version: int
    author: int
    map_version: int
    credits: int
    license: int
    settings: int = NONE


class Image(NamedTuple):
    """An image; `name` and `data` are indices of data items; `external` ones have no data.  `variant` is 1 for RGBA."""

    version: int
    width: int
    height: int
    external: int
    name: int
    data: int
    variant: int = 1


class Envelope(NamedTuple):
    """A curve over time: `num_points` points from `start_point` on, each with `channels` values."""

    version: int
    channels: int
    start_point: int
    num_points: int
    name: str = ""
    synchronized: int = 0


class EnvelopePoint(NamedTuple):
    """A point of an envelope; `time` is in milliseconds, `tangents` 16 integers for Bézier curves, in maps of 0.7."""

    time: int
    curve: int
    values: tuple[int, ...]
    tangents: tuple[int, ...] = ()


class Group(NamedTuple):
    """Layers that move together: `num_layers` of them from `start_layer` on.

    `clip` is a rectangle (x, y, width, height) outside of which nothing is drawn, or None.
    """

    version: int
    offset_x: int
    offset_y: int
    parallax_x: int
    parallax_y: int
    start_layer: int
    num_layers: int
    clip: tuple[int, int, int, int] | None = None
    name: str = ""


class TileLayer(NamedTuple):
    """A layer of tiles; `tile_flags` are the flags of its purpose, `kind` is its purpose as a word.

    `data` and the values of `extra` are indices of data items.  The tiles of layers other than "tiles" and "game" are
    in `extra`, under their kind.
    """

    flags: int
    version: int
    width: int
    height: int
    tile_flags: int
    color: tuple[int, int, int, int]
    color_env: int
    color_env_offset: int
    image: int
    data: int
    name: str = ""
    extra: Mapping[str, int] = _NOTHING

    @property
    def kind(self) -> str:
        """ "tiles", "game", "tele", "speedup", "front", "switch" or "tune"."""
        return next((kind for flag, kind in _TILE_KINDS.items() if self.tile_flags & flag), "tiles")

    @property
    def tiles(self) -> int:
        """The index of the data item with the layer's tiles."""
        return self.extra.get(self.kind, self.data)


class QuadLayer(NamedTuple):
    """A layer of `num_quads` quadrangles; `data` is the index of a data item, `image` that of an image."""

    flags: int
    version: int
    num_quads: int
    data: int
    image: int
    name: str = ""
    kind: str = "quads"


class SoundLayer(NamedTuple):
    """A layer of `num_sources` sound sources; `data` is the index of a data item, `sound` that of a sound."""

    flags: int
    version: int
    num_sources: int
    data: int
    sound: int
    name: str = ""
    kind: str = "sounds"


class OtherLayer(NamedTuple):
    """A layer of an unknown type."""

    flags: int
    type: int
    name: str = ""

    @property
    def kind(self) -> str:
        """The number of its type, in words."""
        return f"type {self.type}"


class Sound(NamedTuple):
    """A sound; `name` and `data` are indices of data items."""

    version: int
    external: int
    name: int
    data: int
    size: int = 0


class AutoMapper(NamedTuple):
    """The automapper settings of a layer, for the editor; `config` is -1 for none."""

    version: int
    group: int
    layer: int
    config: int
    seed: int
    flags: int


class UuidIndex(NamedTuple):
    """Defines items of type `type_id` as those of the extended type `uuid`."""

    type_id: int
    uuid: UUID


Layer = TileLayer | QuadLayer | SoundLayer | OtherLayer
MapItem = MapVersion | MapInfo | Image | Envelope | Group | Layer | Sound | AutoMapper | UuidIndex | Item

_TILE_KINDS: Final = {1: "game", 2: "tele", 4: "speedup", 8: "front", 16: "switch", 32: "tune"}
_EXTRA: Final = ("tele", "speedup", "front", "switch", "tune")  # in the order of their indices
_UNBIASED: Final = bytes((byte - 128) % 256 for byte in range(256))


def parse_map_item(item: Item, uuids: Mapping[int, UUID]) -> MapItem:
    """Parse an item to a typed value; `uuids` are those of the index items, by type id.

    Raises :class:`Damaged` for an item that is too short for its type.
    """
    parser = _PARSERS.get(item.type_id)
    if parser is None:
        parser = _automapper if uuids.get(item.type_id) == AUTO_MAPPER else _as_it_is
    return parser(item)


def decode_name(integers: Sequence[int]) -> str:
    """Decode a text stored in integers, with 128 subtracted from each byte; the last byte is never part of it."""
    text = Struct(f">{len(integers)}i").pack(*integers).translate(_UNBIASED)[:-1]
    return text.partition(b"\0")[0].decode("utf-8", "replace")


def envelope_points(item: Item, version: int) -> list[EnvelopePoint]:
    """Parse the points of all envelopes, which are of that version; raises :class:`Damaged` for an incomplete point."""
    size = 22 if version >= 3 else 6
    data = item.data
    if len(data) % size:
        raise Damaged("half an envelope point", expected=f"{size} integers each", found=len(data))
    starts = range(0, len(data), size)
    return [EnvelopePoint(data[i], data[i + 1], data[i + 2 : i + 6], data[i + 6 : i + size]) for i in starts]


def _fields(item: Item, least: int) -> tuple[int, ...]:
    if len(item.data) < least:
        what = f"{TYPE_NAMES[item.type_id] if item.type_id < len(TYPE_NAMES) else item.type_id} item {item.id}"
        raise Damaged(f"{what} is too short", expected=f"{least} integers", found=len(item.data))
    return item.data


def _as_it_is(item: Item) -> MapItem:
    return item


def _version(item: Item) -> MapItem:
    return MapVersion(*_fields(item, 1)[:1])


def _info(item: Item) -> MapItem:
    return MapInfo(*_fields(item, 5)[:6])


def _image(item: Item) -> MapItem:
    return Image(*_fields(item, 6)[:7])


def _envelope(item: Item) -> MapItem:
    data = _fields(item, 4)
    version, channels, start, count = data[:4]
    name = decode_name(data[4:12]) if len(data) >= 12 else ""
    return Envelope(version, channels, start, count, name, data[12] if len(data) > 12 else 0)


def _group(item: Item) -> MapItem:
    data = _fields(item, 7)
    version, x, y, parallax_x, parallax_y, start, count = data[:7]
    clip = (data[8], data[9], data[10], data[11]) if len(data) >= 12 and data[7] else None
    name = decode_name(data[12:15]) if len(data) >= 15 else ""
    return Group(version, x, y, parallax_x, parallax_y, start, count, clip, name)


def _layer(item: Item) -> MapItem:
    _, kind, flags = _fields(item, 3)[:3]
    parser = _LAYERS.get(kind)
    return parser(item, flags) if parser else OtherLayer(flags, kind)


def _tiles(item: Item, flags: int) -> Layer:
    data = _fields(item, 15)
    version, width, height, tile_flags, red, green, blue, alpha, env, env_offset, image, index = data[3:15]
    named = version >= 3 and len(data) >= 18
    return TileLayer(
        flags=flags,
        version=version,
        width=width,
        height=height,
        tile_flags=tile_flags,
        color=(red, green, blue, alpha),
        color_env=env,
        color_env_offset=env_offset,
        image=image,
        data=index,
        name=decode_name(data[15:18]) if named else "",
        extra=dict(zip(_EXTRA, data[18 if named else 15 :], strict=False)),
    )


def _quads(item: Item, flags: int) -> Layer:
    data = _fields(item, 7)
    version, count, index, image = data[3:7]
    return QuadLayer(flags, version, count, index, image, decode_name(data[7:10]) if len(data) >= 10 else "")


def _sounds(item: Item, flags: int) -> Layer:
    data = _fields(item, 7)
    version, count, index, sound = data[3:7]
    return SoundLayer(flags, version, count, index, sound, decode_name(data[7:10]) if len(data) >= 10 else "")


def _sound(item: Item) -> MapItem:
    return Sound(*_fields(item, 4)[:5])


def _automapper(item: Item) -> MapItem:
    return AutoMapper(*_fields(item, 6)[:6])


def _index(item: Item) -> MapItem:
    return UuidIndex(item.id, UUID(bytes=Struct(">4i").pack(*_fields(item, 4)[:4])))


_PARSERS: Final[dict[int, Callable[[Item], MapItem]]] = {
    VERSION: _version,
    INFO: _info,
    IMAGE: _image,
    ENVELOPE: _envelope,
    GROUP: _group,
    LAYER: _layer,
    SOUND: _sound,
    INDEX: _index,
}
_LAYERS: Final[dict[int, Callable[[Item, int], Layer]]] = {2: _tiles, 3: _quads, 9: _sounds, 10: _sounds}
