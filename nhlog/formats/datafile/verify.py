"""Checks every byte of a datafile, and of the map in it, against the rules of the format.

A *fault* breaks a rule that readers rely on, a *note* is unusual but harmless; neither stops the check.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from nhlog.errors import Damaged, NhlogError
from nhlog.formats.datafile.reading.datafile import Datafile, open_datafile
from nhlog.formats.datafile.reading.map import Map, PlacedLayer
from nhlog.formats.datafile.terrain import KINDS
from nhlog.formats.datafile.wire import Finding
from nhlog.formats.datafile.wire.map_items import (
    INDEX,
    LAYER,
    NONE,
    Envelope,
    Group,
    Image,
    MapInfo,
    QuadLayer,
    Sound,
    SoundLayer,
    TileLayer,
    parse_map_item,
)

__all__ = ["verify"]

Record = dict[str, Any]


def verify(path: str) -> Iterator[Record]:
    """The findings in the order of the file, then a report with ``sound`` and counts."""
    with open_datafile(path) as datafile:
        broken = {index: found for index in range(datafile.num_data) if (found := _data(datafile, index))}
        others = [
            found for index, found in broken.items() if not datafile.head.data[index].fault
        ]  # which are among the head's findings
        faulty: set[int] = set()
        findings = chain(datafile.findings, _items(datafile), others, _map(Map(datafile), broken))
        for finding in sorted(findings, key=attrgetter("offset")):
            faulty |= {finding.offset} if finding.fault else set()
            yield finding._asdict()
        yield {
            "sound": not faulty,
            "size": datafile.size,
            "sound_bytes": min(faulty, default=datafile.size),
            "items": len(datafile.items),
            "sound_items": len(set(datafile.head.offsets) - faulty),
            "blocks": datafile.num_data,
            "sound_blocks": datafile.num_data - len(broken),
        }


def _finding(error: NhlogError, offset: int) -> Finding:
    expected, found = (None if value is None else str(value) for value in (error.expected, error.found))
    return Finding(offset if error.offset is None else error.offset, error.what, expected, found)


def _items(datafile: Datafile) -> Iterator[Finding]:
    """Findings for items with the same type and id; for items of UUIDs, that is only a note (spec 4)."""
    seen: set[tuple[int, int]] = set()
    for offset, item in zip(datafile.head.offsets, datafile.items, strict=True):
        key = (item.type_id, item.id)
        if key in seen:
            what = f"item {item.id} of type {item.type_id} twice"
            yield Finding(offset, what, fault=item.type_id != INDEX)
        seen.add(key)


def _data(datafile: Datafile, index: int) -> Finding | None:
    try:
        datafile.data(index)
    except Damaged as error:
        return _finding(error, datafile.head.data[index].start)
    return None


def _map(map_: Map, broken: Container[int]) -> Iterator[Finding]:
    """Findings for the items of a map and their references; `broken` are data items that were reported already."""
    if not map_.is_map:
        yield Finding(0, "a datafile, but not a map", "a version item of 1", fault=False)
        return
    places = zip(map_.datafile.head.offsets, map_.datafile.items, map_.map_items, strict=True)
    layers = []
    for offset, item, part in places:
        layers += [offset] if item.type_id == LAYER else []
        if part is item:
            try:
                parse_map_item(item, map_.uuids)
            except Damaged as error:
                yield _finding(error, offset)
        for what, index, count in _named(part, map_):
            if not NONE <= index < count:
                yield Finding(offset, f"no {what} {index}", f"-1 to {count - 1}", str(index))
    for offset, placed in zip(layers, map_.layers, strict=True):
        yield from _layer(map_, placed, offset, broken)
    yield from _sizes(map_, layers)
    if not any(placed.layer.kind == "game" for placed in map_.layers):
        yield Finding(0, "no game layer")


def _layer(map_: Map, placed: PlacedLayer, offset: int, broken: Container[int]) -> Iterator[Finding]:
    layer = placed.layer
    if placed.group < 0:
        yield Finding(offset, f"layer {placed.number} is in no group", fault=False)
    if isinstance(layer, TileLayer) and layer.tiles not in broken:
        try:
            map_.grid(layer)
        except NhlogError as error:
            error.offset = None
            found = _finding(error, offset)
            yield found._replace(what=f"layer {placed.number}: {found.what}")


def _sizes(map_: Map, offsets: Sequence[int]) -> Iterator[Finding]:
    """Findings for physics layers of another size than the game layer: they are left out (see `Map.terrain`)."""
    placed = zip(offsets, map_.layers, strict=True)
    tiled = [(offset, at.group, at.layer) for offset, at in placed if isinstance(at.layer, TileLayer)]
    games = ((group, layer) for _, group, layer in tiled if layer.kind == "game")
    group, game = next(games, (None, None))
    seen = set[str]()
    for offset, where, layer in tiled:
        if game is None or where != group or layer.kind not in KINDS or layer.kind in seen:
            continue
        seen.add(layer.kind)
        if (layer.width, layer.height) != (game.width, game.height):
            what = f"{layer.kind} layer: not of the game layer's size"
            yield Finding(offset, what, f"{game.width} by {game.height}", f"{layer.width} by {layer.height}")


def _named(part: object, map_: Map) -> list[tuple[str, int, int]]:
    """The references of a part: the kind of each target, its index, and the number of such targets."""
    data = map_.datafile.num_data
    match part:
        case MapInfo():
            texts = (part.author, part.map_version, part.credits, part.license, part.settings)
            return [("data item", text, data) for text in texts]
        case TileLayer():
            images, envelopes = len(map_.images), len(map_.envelopes)
            return [
                ("data item", part.tiles, data),
                ("image", part.image, images),
                ("envelope", part.color_env, envelopes),
            ]
        case QuadLayer():
            return [("data item", part.data, data), ("image", part.image, len(map_.images))]
        case SoundLayer():
            return [("data item", part.data, data), ("sound", part.sound, len(map_.sounds))]
        case Image() | Sound():
            return [("data item", part.name, data), ("data item", part.data, data)]
        case Group():
            return [("layer", part.start_layer + part.num_layers - 1, len(map_.layers))]
        case Envelope():
            return [("envelope point", part.start_point + part.num_points - 1, len(map_.points))]
    return []
