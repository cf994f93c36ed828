"""What can be done with a map, as the registry of formats calls it; the keys of records are in docs/datafile.md.

Offsets and sizes are bytes; a record with `error` says what could not be read.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator
from typing import Any

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.datafile.reading.datafile import CHUNK, Datafile, open_datafile
from nhlog.formats.datafile.reading.map import Map, PlacedLayer
from nhlog.formats.datafile.replay import FORMAT, MapReplay, map_faults, map_name
from nhlog.formats.datafile.terrain import KINDS
from nhlog.formats.datafile.wire import Header
from nhlog.formats.datafile.wire.map_items import QuadLayer, SoundLayer, TileLayer

__all__ = ["digests", "dump", "info", "listing", "state"]

Record = dict[str, Any]


def info(path: str) -> Record:
    """The map as a whole; `health` is "sound" as far as head, texts and physics layers tell."""
    with open_datafile(path) as datafile:
        map_ = Map(datafile)
        head, about = datafile.header, map_.info
        record: Record = {
            "format": FORMAT,
            "name": map_name(datafile.source.name),
            "version": head.version,
            "author": map_.text(about.author),
            "map_version": map_.text(about.map_version),
            "credits": map_.text(about.credits),
            "license": map_.text(about.license),
            "settings": [line for line in map_.texts(about.settings) if line],
            **_extent(map_),
            "layers": [_layer(placed, map_) for placed in map_.layers],
            "images": [_image(map_, number) for number in range(len(map_.images))],
            "sounds": [map_.text(sound.name) for sound in map_.sounds],
            "envelopes": len(map_.envelopes),
            "items": len(datafile.items),
            "data": datafile.num_data,
            "size": datafile.size,
            **digests(datafile),
        }
        return record | {"health": _health(map_)}


def _extent(map_: Map) -> Record:
    """The game layer's size, null where there is none."""
    layers = (placed.layer for placed in map_.layers)
    game = next((layer for layer in layers if isinstance(layer, TileLayer) and layer.kind == "game"), None)
    return {"width": game.width if game else None, "height": game.height if game else None}


def _layer(placed: PlacedLayer, map_: Map) -> Record:
    layer = placed.layer
    record: Record = {
        "number": placed.number,
        "group": map_.groups[placed.group].name if placed.group >= 0 else "",
        "kind": layer.kind,
        "name": layer.name,
        "detail": bool(layer.flags & 1),
    }
    match layer:
        case TileLayer():
            return record | {"width": layer.width, "height": layer.height}
        case QuadLayer():
            return record | {"quads": layer.num_quads}
        case SoundLayer():
            return record | {"sources": layer.num_sources}
    return record


def _image(map_: Map, number: int) -> Record:
    image = map_.images[number]
    return {
        "name": map_.text(image.name),
        "width": image.width,
        "height": image.height,
        "external": bool(image.external),
    }


def digests(datafile: Datafile) -> Record:
    """Of the whole file, read in pieces."""
    sha256, crc32 = hashlib.sha256(), 0
    for offset in range(0, datafile.size, CHUNK):
        piece = datafile.source.pread(CHUNK, offset)
        sha256.update(piece)
        crc32 = zlib.crc32(piece, crc32)
    return {"crc32": f"{crc32:08x}", "sha256": sha256.hexdigest()}


def _health(map_: Map) -> str:
    faults = map_faults(map_)
    return "; ".join(faults[:3]) + (f"; and {len(faults) - 3} more" if len(faults) > 3 else "") if faults else "sound"


def dump(path: str) -> Iterator[Record]:
    """The header, every item, and every data item's size and digest; at last what of the head is wrong."""
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


def _text(error: NhlogError) -> str:
    """The error without the file's name, which the reader of the record knows."""
    error.file = None
    return str(error)


def listing(path: str) -> Record:
    """The map in one line, from its head and the texts of its info alone."""
    with open_datafile(path) as datafile:
        map_ = Map(datafile)
        author = map_.text(map_.info.author)
        damaged = map_.faults or any(finding.fault for finding in datafile.findings)
        return {
            "file": path,
            "format": FORMAT,
            "title": map_name(path),
            "people": [author] if author else [],
            "start": None,
            "duration": None,
            "changed": os.stat(path).st_mtime_ns // 1000,
            "size": datafile.size,
            "status": "damaged" if damaged else "finished",
            **_extent(map_),
        }


def state(replay: MapReplay) -> Record:
    """The physics layers, row by row, two hexadecimal digits a tile."""
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
