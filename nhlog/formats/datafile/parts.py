"""Single parts of a map as bytes: a data item, and an embedded image as a PNG picture.

No more of the file is read than the part; a picture is packed row by row.
"""

import zlib
from collections.abc import Iterator
from itertools import islice
from struct import pack
from typing import Final

from nhlog.errors import Damaged, Unsupported, Usage
from nhlog.formats.datafile.reading.datafile import Datafile, open_datafile
from nhlog.formats.datafile.reading.map import Map
from nhlog.formats.datafile.wire import Item
from nhlog.formats.datafile.wire.map_items import IMAGE, TYPE_NAMES, Image, parse_map_item

__all__ = ["data_of", "image_of", "item_of", "png", "type_word"]

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_COLORS: Final = {3: 2, 4: 6}  # PNG's numbers for RGB and RGBA, by the bytes of a pixel
_RGB: Final = 0  # the variant of an image without transparency
_DEPTH: Final = 8  # bits of each colour


def data_of(path: str, number: int) -> bytes:
    """The uncompressed bytes of a data item; raises :class:`Damaged` if there is none, or it cannot be unpacked."""
    with open_datafile(path) as datafile:
        return datafile.data(number)


def type_word(type_id: int) -> str:
    """The type of an item as it stands in a place: ``image``, ``envelope-points``; ``type 9`` for a nameless one."""
    return TYPE_NAMES[type_id].replace(" ", "-") if type_id < len(TYPE_NAMES) else f"type {type_id}"


def item_of(datafile: Datafile, place: str) -> Item:
    """The item at a place as ``image:2``, the third one of its type; raises :class:`Usage` if there is none."""
    name, _, number = place.partition(":")
    types = {type_word(type_id): type_id for type_id in range(len(TYPE_NAMES))}
    if name not in types or not (number.isascii() and number.isdigit()):
        raise Usage(
            "not an item of a map", expected=f"TYPE:NUMBER, where TYPE is {', '.join(types)}", found=repr(place)
        )
    found = next(islice(datafile.of_type(types[name]), int(number[:9]), None), None)
    if found is None:
        there = sum(1 for _ in datafile.of_type(types[name]))
        expected = f"{name}:0 to {name}:{there - 1}" if there else None
        told = f"there is no {place}" if there else f"the map has no {name}"
        raise Usage(told, file=datafile.source.name, expected=expected)
    return found


def image_of(datafile: Datafile, item: Item) -> bytes:
    """An embedded image as PNG; raises :class:`Unsupported` for one that the map only names."""
    world = Map(datafile)
    world.check_is_map()
    image = parse_map_item(item, world.uuids)
    assert item.type_id == IMAGE
    assert isinstance(image, Image)
    if image.external or image.data < 0:
        name = world.text(image.name)
        raise Unsupported(
            f"the map only names the image {name!r}: the pixels come with the game", file=datafile.source.name
        )
    each = 3 if image.variant == _RGB else 4
    wanted = image.width * image.height * each
    pixels = datafile.data(image.data)
    if image.width < 1 or image.height < 1 or len(pixels) != wanted:
        size = f"{image.width} by {image.height} pixels of {each} bytes"
        raise Damaged(
            "an image of another size", file=datafile.source.name, expected=size, found=f"{len(pixels)} bytes"
        )
    return png(pixels, image.width, image.height)


def png(pixels: bytes, width: int, height: int) -> bytes:
    """A PNG picture of `height` rows of pixels of three or four bytes each."""
    each = len(pixels) // (width * height)
    head = pack(">IIBBBBB", width, height, _DEPTH, _COLORS[each], 0, 0, 0)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", head), _chunk(b"IDAT", b"".join(_packed(pixels, width * each))), _chunk(b"IEND"))
    )


def _packed(pixels: bytes, row: int) -> Iterator[bytes]:
    """The rows, each behind the number of its filter: none."""
    packer = zlib.compressobj()
    for start in range(0, len(pixels), row):
        yield packer.compress(b"\0" + pixels[start : start + row])
    yield packer.flush()


def _chunk(name: bytes, data: bytes = b"") -> bytes:
    return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))
