"""The summary of a map, from its head and the texts of its info item alone."""

from nhlog.files import open_file
from nhlog.formats.datafile import FORMAT
from nhlog.formats.datafile.reading.datafile import Datafile
from nhlog.formats.datafile.reading.map import Map, map_name
from nhlog.formats.datafile.wire.map_items import TileLayer
from nhlog.listed import MapListing
from nhlog.replay import Status

__all__ = ["extent", "list_map"]


def list_map(path: str) -> MapListing:
    """Summarise a map, from its head and the texts of its info item alone; raises :class:`NhlogError`."""
    with open_file(path) as file, Datafile(file) as datafile:
        map_ = Map(datafile)
        author, (width, height) = map_.text(map_.info.author), extent(map_)
        damaged = map_.faults or any(finding.fault for finding in datafile.findings)
        return MapListing(
            file=path,
            format=FORMAT.name,
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


def extent(map_: Map) -> tuple[int, int] | tuple[None, None]:
    """The width and height of the game layer in tiles, None if there is none."""
    layers = (placed.layer for placed in map_.layers)
    game = next((layer for layer in layers if isinstance(layer, TileLayer) and layer.kind == "game"), None)
    return (game.width, game.height) if game else (None, None)
