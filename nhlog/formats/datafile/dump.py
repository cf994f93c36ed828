"""The records of a map: header, items, data, faults; and of its physics layers, tile by tile."""

import hashlib
from collections.abc import Iterator

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.datafile.parts import image_of, item_of
from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.reading.map import Map, map_name
from nhlog.formats.datafile.replay import MapReplay, content_faults
from nhlog.formats.datafile.terrain import KINDS
from nhlog.formats.datafile.wire import Header
from nhlog.formats.datafile.wire.map_items import IMAGE
from nhlog.operations import Record

__all__ = ["dump_item", "dump_records", "state_record"]


def dump_records(path: str) -> Iterator[Record]:
    """A record each for the header, every item, every data item (size and digest), and faults of head and map."""
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


def dump_item(path: str, place: str) -> Iterator[Record] | bytes:
    """The record of one item, of an image its picture; `place` is as in :func:`item_of`."""
    with open_datafile(path) as datafile:
        item = item_of(datafile, place)
        if item.type_id == IMAGE:
            return image_of(datafile, item)
        return iter(({"type_id": item.type_id, "id": item.id, "data": item.data},))


def _text(error: NhlogError) -> str:
    """The error without the file's name."""
    error.file = None
    return str(error)


def state_record(replay: MapReplay) -> Record:
    """The physics layers, row by row, two hexadecimal digits per tile; raises :class:`Unsupported` if it is no map."""
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
