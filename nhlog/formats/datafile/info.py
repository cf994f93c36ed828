"""The description of a map: author, credits and such, its layers, images and sounds."""

from nhlog.formats.datafile import FORMAT
from nhlog.formats.datafile.listing import extent
from nhlog.formats.datafile.reading.datafile import digests_of, open_datafile
from nhlog.formats.datafile.reading.map import Map, PlacedLayer, map_name
from nhlog.formats.datafile.replay import told_faults
from nhlog.formats.datafile.wire.map_items import Image, QuadLayer, SoundLayer, TileLayer
from nhlog.values import dataclass

__all__ = ["ImageInfo", "LayerInfo", "MapFileInfo", "QuadLayerInfo", "SoundLayerInfo", "TileLayerInfo", "map_info"]


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
    """A layer of quads (quadrangles), with their number."""

    quads: int


@dataclass(frozen=True, slots=True)
class SoundLayerInfo(LayerInfo):
    """A layer of sound sources, with their number."""

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
    """The description of a map: `width` and `height` are those of the game layer in tiles, None if there is none.

    `version` is that of the datafile; `envelopes`, `items` and `data` (data items) are counts; the digests are those of
    the file.
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


def map_info(path: str) -> MapFileInfo:
    """Describe a map; `health` is "sound" if head, texts and physics layers are.

    Raises :class:`NhlogError` if it is no datafile.
    """
    with open_datafile(path) as datafile:
        map_ = Map(datafile)
        about, (width, height), digests = map_.info, extent(map_), digests_of(datafile.source)
        return MapFileInfo(
            format=FORMAT.name,
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
