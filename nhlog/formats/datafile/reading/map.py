"""Interprets a datafile as a map: typed items, layers as grids, the physics layers as a terrain.

Parts that cannot be read are left out and listed in `faults`; a datafile that is no map of version 1 has no items here.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeVar
from uuid import UUID

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.formats.datafile.reading.datafile import Datafile
from nhlog.formats.datafile.terrain import KINDS, Terrain
from nhlog.formats.datafile.wire import Item
from nhlog.formats.datafile.wire.map_items import (
    ENVPOINTS,
    INDEX,
    LAYER,
    NONE,
    VERSION,
    Envelope,
    EnvelopePoint,
    Group,
    Image,
    Layer,
    MapInfo,
    MapItem,
    OtherLayer,
    Sound,
    TileLayer,
    UuidIndex,
    envelope_points,
    parse_map_item,
)
from nhlog.formats.datafile.wire.tiles import MAX_TILES, SIZES, Grid, decode_grid
from nhlog.values import NamedTuple

__all__ = ["Map", "PlacedLayer", "map_name"]

MAP_VERSION: Final = 1
MAX_TEXT: Final = 1 << 20  # bytes of a text that is shown
T = TypeVar("T")

_NAMED: Final = re.compile(r"(.+)_(?:[0-9a-f]{64}|[0-9a-f]{8})")  # as clients keep what they download


class PlacedLayer(NamedTuple):
    """A layer with its number in the map and the number of its group, -1 for none."""

    number: int
    group: int
    layer: Layer


class Map:
    """The map in an open datafile."""

    def __init__(self, datafile: Datafile) -> None:
        self.datafile = datafile
        self._faults: dict[str, None] = {}
        version = datafile.first(VERSION)
        self.is_map = version is not None and version.data[:1] == (MAP_VERSION,)

    @cached_property
    def map_items(self) -> Sequence[MapItem]:
        """All items, parsed, in order; one that cannot be parsed stays an :class:`Item`."""
        if not self.is_map:
            return ()
        return tuple(self._parse(item, self.uuids) for item in self.datafile.items)

    @cached_property
    def uuids(self) -> Mapping[int, UUID]:
        """The UUIDs of extended item types, by their type ids in this file."""
        indices = (self._parse(item, {}) for item in self.datafile.of_type(INDEX))
        return {index.type_id: index.uuid for index in indices if isinstance(index, UuidIndex)}

    def _parse(self, item: Item, uuids: Mapping[int, UUID]) -> MapItem:
        try:
            return parse_map_item(item, uuids)
        except Damaged as error:
            self._add_fault(str(error))
            return item

    @property
    def faults(self) -> list[str]:
        """The faults found so far, in words, each once."""
        return list(self._faults)

    def _add_fault(self, fault: str) -> None:
        self._faults[fault] = None

    def _all(self, kind: type[T]) -> list[T]:
        return [part for part in self.map_items if isinstance(part, kind)]

    @cached_property
    def info(self) -> MapInfo:
        """Author, version and so on, as indices of data items; -1 if there is none."""
        return next(iter(self._all(MapInfo)), MapInfo(1, -1, -1, -1, -1))

    @cached_property
    def groups(self) -> list[Group]:
        """The groups in the order in which they are drawn."""
        return self._all(Group)

    @cached_property
    def images(self) -> list[Image]:
        """The images, which layers refer to by index."""
        return self._all(Image)

    @cached_property
    def sounds(self) -> list[Sound]:
        """The sounds, which layers refer to by index."""
        return self._all(Sound)

    @cached_property
    def envelopes(self) -> list[Envelope]:
        """The envelopes (curves over time)."""
        return self._all(Envelope)

    @cached_property
    def points(self) -> list[EnvelopePoint]:
        """The points of all envelopes."""
        item = self.datafile.first(ENVPOINTS) if self.is_map else None
        version = max((envelope.version for envelope in self.envelopes), default=1)
        try:
            return envelope_points(item, version) if item else []
        except Damaged as error:
            self._add_fault(str(error))
            return []

    @cached_property
    def layers(self) -> list[PlacedLayer]:
        """The layers in the order in which they are drawn."""
        layers = [
            part if isinstance(part, Layer) else OtherLayer(0, NONE)
            for part, item in zip(self.map_items, self.datafile.items, strict=False)
            if item.type_id == LAYER
        ]
        groups = [-1] * len(layers)
        end = 0  # groups follow each other; where they overlap the first one has the layer
        for number, group in enumerate(self.groups):
            first, last = max(group.start_layer, end), min(group.start_layer + group.num_layers, len(layers))
            if first < last:
                groups[first:last] = [number] * (last - first)
                end = last
        return [PlacedLayer(number, *both) for number, both in enumerate(zip(groups, layers, strict=True))]

    def text(self, index: int) -> str:
        """The NUL-terminated text in a data item; empty if there is none or it cannot be read, which is a fault."""
        return self.texts(index)[0]

    def texts(self, index: int) -> list[str]:
        """All NUL-terminated texts in a data item; one empty text if there is none or it cannot be read."""
        if index < 0:
            return [""]
        try:
            data = self.datafile.data(index, MAX_TEXT)
        except NhlogError as error:
            self._add_fault(error.what)
            return [""]
        return data.removesuffix(b"\0").decode("utf-8", "replace").split("\0")

    def grid(self, layer: TileLayer) -> Grid:
        """The tiles of a layer; raises :class:`Damaged` if they cannot be read."""
        kind = layer.kind
        tiles = layer.width * layer.height
        if not (layer.width > 0 < layer.height and tiles <= MAX_TILES):
            size = f"{layer.width} by {layer.height}"
            raise Damaged(f"a {kind} layer of impossible size", expected=f"1 to {MAX_TILES} tiles", found=size)
        return decode_grid(layer, self.datafile.data(layer.tiles, tiles * SIZES[kind]))

    def grids(self) -> Iterator[tuple[PlacedLayer, Grid]]:
        """All tile layers that can be read, with their tiles."""
        for placed in self.layers:
            if isinstance(placed.layer, TileLayer):
                try:
                    yield placed, self.grid(placed.layer)
                except NhlogError as error:
                    self._add_fault(f"layer {placed.number}: {error.what}")

    def check_is_map(self) -> None:
        """Raise :class:`Unsupported` if the datafile is no map."""
        if not self.is_map:
            raise Unsupported(
                "a datafile, but not a map", expected="a version item of 1", file=self.datafile.source.name
            )

    @cached_property
    def terrain(self) -> Terrain:
        """The physics layers; raises :class:`Unsupported` if it is no map, :class:`Damaged` without a game layer."""
        self.check_is_map()
        tiled = [(placed.group, placed.layer) for placed in self.layers if isinstance(placed.layer, TileLayer)]
        group = next((group for group, layer in tiled if layer.kind == "game"), None)
        grids: dict[str, Grid] = {}
        faults = []
        for layer in (layer for where, layer in tiled if where == group):
            if layer.kind in grids or layer.kind not in KINDS:
                continue
            try:
                grids[layer.kind] = self.grid(layer)
            except NhlogError as error:
                faults.append(f"{layer.kind} layer: {error.what}")
        if "game" not in grids:
            raise Damaged(faults[0] if faults else "no game layer", file=self.datafile.source.name)
        width, height = grids["game"].width, grids["game"].height
        for kind in [kind for kind, grid in grids.items() if (grid.width, grid.height) != (width, height)]:
            faults.append(f"{kind} layer: not of the game layer's size")
            del grids[kind]
        return Terrain.of(grids, tuple(faults))


def map_name(path: str) -> str:
    """The name of the map, from that of its file, without ending and digest."""
    name = os.path.basename(path).removesuffix(".map")
    found = _NAMED.fullmatch(name)
    return found[1] if found else name
