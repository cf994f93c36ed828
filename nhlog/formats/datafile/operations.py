"""What can be done with a map, as the registry of formats calls it; the keys of records are in docs/datafile.md.

Offsets and sizes are bytes; a record with `error` says what could not be read.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nhlog.errors import Damaged, NhlogError
from nhlog.files import File
from nhlog.formats.datafile.reading.datafile import Datafile, digests_of, open_datafile
from nhlog.formats.datafile.reading.map import Map, PlacedLayer
from nhlog.formats.datafile.replay import FORMAT, MapReplay, content_faults, map_name, open_replay, told_faults
from nhlog.formats.datafile.terrain import KINDS
from nhlog.formats.datafile.verify import verify
from nhlog.formats.datafile.wire import Header
from nhlog.formats.datafile.wire.map_items import Image, QuadLayer, SoundLayer, TileLayer
from nhlog.formats.datafile.writing.convert import convert
from nhlog.operations import Listing, Operations, Record
from nhlog.replay import Status

__all__ = [
    "OPERATIONS",
    "ImageInfo",
    "LayerInfo",
    "MapFileInfo",
    "MapListing",
    "QuadLayerInfo",
    "SoundLayerInfo",
    "TileLayerInfo",
    "dump",
    "info",
    "listing",
    "state",
]


@dataclass(frozen=True, slots=True)
class LayerInfo:
    """A layer; `group` is the name of the group it is in, `detail` whether clients may leave it out."""

    number: int
    group: str
    kind: str
    name: str
    detail: bool


@dataclass(frozen=True, slots=True)
class TileLayerInfo(LayerInfo):
    """A layer of tiles, with its size in tiles."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class QuadLayerInfo(LayerInfo):
    """A layer of so many quadrangles."""

    quads: int


@dataclass(frozen=True, slots=True)
class SoundLayerInfo(LayerInfo):
    """A layer of so many sound sources."""

    sources: int


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """An image with its size in pixels; `external` ones are not in the file."""

    name: str
    width: int
    height: int
    external: bool


@dataclass(frozen=True, slots=True)
class MapFileInfo:
    """A map as a whole: `width` and `height` are those of the game layer in tiles, None where there is none.

    `version` is the datafile's, `envelopes`, `items` and `data` (data items) are counts, the digests those of the file.
    """

    format: str
    name: str
    version: int
    author: str
    map_version: str
    credits: str
    license: str
    settings: tuple[str, ...]
    width: int | None
    height: int | None
    layers: tuple[LayerInfo, ...]
    images: tuple[ImageInfo, ...]
    sounds: tuple[str, ...]
    envelopes: int
    items: int
    data: int
    size: int
    crc32: str
    sha256: str
    health: str


def info(path: str) -> MapFileInfo:
    """The map as a whole; `health` is "sound" as far as head, texts and physics layers tell.

    Raises :class:`NhlogError` for what is no datafile.
    """
    with open_datafile(path) as datafile:
        map_ = Map(datafile)
        about, (width, height), digests = map_.info, _extent(map_), digests_of(datafile.source)
        return MapFileInfo(
            format=FORMAT,
            name=map_name(datafile.source.name),
            version=datafile.header.version,
            author=map_.text(about.author),
            map_version=map_.text(about.map_version),
            credits=map_.text(about.credits),
            license=map_.text(about.license),
            settings=tuple(filter(None, map_.texts(about.settings))),
            width=width,
            height=height,
            layers=tuple(_layer(placed, map_) for placed in map_.layers),
            images=tuple(_image(image, map_) for image in map_.images),
            sounds=tuple(map_.text(sound.name) for sound in map_.sounds),
            envelopes=len(map_.envelopes),
            items=len(datafile.items),
            data=datafile.num_data,
            size=datafile.size,
            crc32=digests.crc32,
            sha256=digests.sha256,
            health=told_faults(map_) or "sound",
        )


def _extent(map_: Map) -> tuple[int, int] | tuple[None, None]:
    """The game layer's size in tiles, None where there is none."""
    layers = (placed.layer for placed in map_.layers)
    game = next((layer for layer in layers if isinstance(layer, TileLayer) and layer.kind == "game"), None)
    return (game.width, game.height) if game else (None, None)


def _layer(placed: PlacedLayer, map_: Map) -> LayerInfo:
    layer = placed.layer
    group = map_.groups[placed.group].name if placed.group >= 0 else ""
    about = (placed.number, group, layer.kind, layer.name, bool(layer.flags & 1))
    match layer:
        case TileLayer():
            return TileLayerInfo(*about, layer.width, layer.height)
        case QuadLayer():
            return QuadLayerInfo(*about, layer.num_quads)
        case SoundLayer():
            return SoundLayerInfo(*about, layer.num_sources)
    return LayerInfo(*about)


def _image(image: Image, map_: Map) -> ImageInfo:
    return ImageInfo(map_.text(image.name), image.width, image.height, bool(image.external))


@dataclass(frozen=True, slots=True, kw_only=True)
class MapListing(Listing):
    """A map in one line; `width` and `height` as in :class:`MapFileInfo`."""

    width: int | None
    height: int | None


def listing(path: str) -> MapListing:
    """The map in one line, from its head and the texts of its info alone; raises :class:`NhlogError`."""
    with File(path) as file, Datafile(file) as datafile:
        map_ = Map(datafile)
        author, (width, height) = map_.text(map_.info.author), _extent(map_)
        damaged = map_.faults or any(finding.fault for finding in datafile.findings)
        return MapListing(
            file=path,
            format=FORMAT,
            title=map_name(path),
            people=(author,) if author else (),
            start=None,
            duration=None,
            changed=file.stamp().modified // 1000,
            size=datafile.size,
            status=Status.DAMAGED if damaged else Status.FINISHED,
            width=width,
            height=height,
        )


def dump(path: str) -> Iterator[Record]:
    """The header, every item, every data item's size and digest; at last what is wrong with head and map."""
    with open_datafile(path) as datafile:
        magic, *words = datafile.header
        yield {"magic": magic.decode(), "header": dict(zip(Header._fields[1:], words, strict=True))}
        for item in datafile.items:
            yield {"type_id": item.type_id, "id": item.id, "data": item.data}
        for index in range(datafile.num_data):
            try:
                data = datafile.data(index)
            except Damaged as error:
                yield {"index": index, "error": _text(error)}
            else:
                yield {"index": index, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        for finding in datafile.findings:
            if finding.fault:
                offset, what, expected, found, _ = finding
                yield {"error": _text(Damaged(what, offset=offset, expected=expected, found=found))}
        yield from ({"error": fault} for fault in content_faults(Map(datafile)))


def _text(error: NhlogError) -> str:
    """The error without the file's name, which the reader of the record knows."""
    error.file = None
    return str(error)


def state(replay: MapReplay) -> Record:
    """The physics layers, row by row, two hexadecimal digits a tile; raises :class:`Unsupported` for what is no map."""
    replay.map.check_is_map()
    terrain, fault = replay.state.terrain, replay.state.fault
    layers = [terrain.grids[kind] for kind in KINDS if terrain and kind in terrain.grids] if terrain else []
    return {
        "name": map_name(replay.map.datafile.source.name),
        "width": terrain.width if terrain else None,
        "height": terrain.height if terrain else None,
        "fault": fault or None,
        "layers": [
            {"kind": grid.kind, "rows": _rows(grid.tiles, grid.width), "numbers": _rows(grid.numbers, grid.width)}
            for grid in layers
        ],
    }


def _rows(tiles: bytes, width: int) -> list[str]:
    return [tiles[start : start + width].hex() for start in range(0, len(tiles), width)]


OPERATIONS: Final = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    dump=dump,
    state=state,
    verify=verify,
    convert=convert,
)
