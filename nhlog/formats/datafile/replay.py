"""A map as a recording of one step.

Faults are reported in the state and in `info`, not raised.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from nhlog.errors import NhlogError, Unsupported
from nhlog.files import made_of
from nhlog.formats.datafile import FORMAT
from nhlog.formats.datafile.reading.datafile import Datafile, open_datafile
from nhlog.formats.datafile.reading.map import Map, map_name
from nhlog.formats.datafile.terrain import KINDS, Terrain
from nhlog.formats.datafile.wire.map_items import Layer, QuadLayer, SoundLayer, TileLayer
from nhlog.formats.datafile.wire.tiles import Grid
from nhlog.replay import Change, Event, Info, Status
from nhlog.timeline import Axis, Timeline
from nhlog.values import dataclass

__all__ = [
    "MapReplay",
    "MapState",
    "content_faults",
    "describe_layer",
    "map_faults",
    "open_replay",
    "told_faults",
]


@dataclass(frozen=True, slots=True)
class MapState:
    """The physics layers, None if they cannot be read; `fault` has the reason and other faults of the map."""

    step: int
    terrain: Terrain | None
    fault: str


class MapReplay:
    """An open map (see :class:`nhlog.replay.Replay`).

    `sides` are the names of the grids of :meth:`grid`: "all", the kinds of physics layers, then the other tile layers.
    """

    def __init__(self, datafile: Datafile) -> None:
        self.map = Map(datafile)
        self.step = 0
        self.timeline = Timeline(
            unit="step",
            axes={"step": Axis(range(1)), "time": Axis(range(1))},
            start=None,
            stops=range(1),
            keyframes=range(1),
        )
        self.state = self._read()
        self.info = self._make_info()
        self._decoded = lru_cache(maxsize=MAX_DECODED)(self._decode)

    def _read(self) -> MapState:
        try:
            terrain = self.map.terrain
        except NhlogError as error:
            return MapState(0, None, told_faults(self.map) or error.what)
        return MapState(0, terrain, told_faults(self.map))

    def _make_info(self) -> Info:
        """The description of the map."""
        map_, info = self.map, self.map.info
        author, version = map_.text(info.author), map_.text(info.map_version)
        terrain = self.state.terrain
        words: dict[str, str | int] = {
            "size": f"{terrain.width} by {terrain.height} tiles" if terrain else "",
            "layers": len(map_.layers),
            "groups": len(map_.groups),
            "images": len(map_.images),
            "version": version,
            "licence": map_.text(info.license),
            "credits": map_.text(info.credits),
            "datafile": map_.datafile.header.version,
        }
        return Info(
            id=FORMAT.id,
            format=FORMAT.name,
            title=map_name(map_.datafile.source.name),
            people=(author,) if author else (),
            start=None,
            duration=0,
            status=Status.DAMAGED if map_faults(self.map) else Status.FINISHED,
            metadata={name: value for name, value in words.items() if value != ""},
            note=self.state.fault,
        )

    @property
    def sides(self) -> list[str]:
        """The names of the grids that can be shown."""
        terrain = self.state.terrain
        kinds = ["all", *(kind for kind in KINDS if terrain and kind in terrain.grids)]
        return kinds + [f"{number} {layer.name or 'tiles'}" for number, layer in self._painted()]

    def _painted(self) -> list[tuple[int, TileLayer]]:
        """The tile layers that are only decoration, with their numbers."""
        layers = ((placed.number, placed.layer) for placed in self.map.layers)
        return [(n, layer) for n, layer in layers if isinstance(layer, TileLayer) and layer.kind == "tiles"]

    def grid(self, side: int) -> Grid | None:
        """The grid at this index of `sides`; None if it cannot be read."""
        terrain = self.state.terrain
        if terrain is None:
            return None
        grids = [terrain.all, *(terrain.grids[kind] for kind in KINDS if kind in terrain.grids)]
        return grids[side] if side < len(grids) else self._decoded(side - len(grids))

    def _decode(self, number: int) -> Grid | None:
        try:
            return self.map.grid(self._painted()[number][1])
        except NhlogError:
            return None

    def seek(self, step: int) -> None:
        """Do nothing, as there is only one step."""

    def refresh(self) -> Change:
        """Always NOTHING, as a map does not grow."""
        return Change.NOTHING

    def events(self, first: int, last: int) -> Iterator[Event]:
        """An event per layer, in the order in which they are drawn."""
        if first <= 0 <= last:
            for placed in self.map.layers:
                text = f"layer {placed.number}: {describe_layer(placed.layer)}"
                yield Event(0, text, repr(placed.layer))

    def close(self) -> None:
        """Close the file."""
        self.map.datafile.close()


MOST_TOLD: Final = 3  # faults in one line
MAX_DECODED: Final = 8  # painted layers that are kept decoded


def open_replay(path: str) -> MapReplay:
    """Open the map in the file `path`, or on standard input for ``-``; raises :class:`NhlogError` if it is none."""
    return made_of(open_datafile(path), MapReplay)


def describe_layer(layer: Layer) -> str:
    """A layer as text: kind, name and size."""
    words = [layer.kind, *([repr(layer.name)] if layer.name else [])]
    match layer:
        case TileLayer():
            words.append(f"{layer.width} by {layer.height}")
        case QuadLayer():
            words.append(f"with {layer.num_quads}")
        case SoundLayer():
            words.append(f"with {layer.num_sources}")
    return " ".join(words)


def map_faults(map_: Map) -> list[str]:
    """The faults of the head of a map, then those of :func:`content_faults`."""
    found = [f"offset {finding.offset}: {finding.what}" for finding in map_.datafile.findings if finding.fault]
    return found + content_faults(map_)


def told_faults(map_: Map) -> str:
    """The faults of :func:`map_faults` in one line: the first few, and the number of others; empty if there is none."""
    faults = map_faults(map_)
    more = [f"and {len(faults) - MOST_TOLD} more"] if len(faults) > MOST_TOLD else []
    return "; ".join([*faults[:MOST_TOLD], *more])


def content_faults(map_: Map) -> list[str]:
    """The faults of the texts and the physics layers of a map, and of all else that was read of it so far."""
    about = map_.info
    for index in (about.author, about.map_version, about.credits, about.license, about.settings):
        map_.texts(index)
    found: list[str] = []
    try:
        found += map_.terrain.faults
    except Unsupported:
        pass  # it need not be a map
    except NhlogError as error:
        found.append(error.what)
    return found + map_.faults
