"""Parts of a map as files: data items byte for byte, embedded images as pictures that other programs show."""

import zlib
from pathlib import Path
from struct import unpack

import pytest

from nhlog.formats.datafile.wire import Item
from tests.formats.datafile.made import map_bytes

RGBA = bytes(range(2 * 3 * 4))
RGB = bytes(range(100, 100 + 2 * 3 * 3))
ITEMS = [
    Item(0, 0, (1,)),
    Item(2, 0, (1, 2, 3, 0, 0, 1)),
    Item(2, 1, (1, 64, 64, 1, 0, -1)),
    Item(2, 2, (2, 2, 3, 0, 0, 2, 0)),
    Item(2, 3, (1, 2, 4, 0, 0, 1)),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "made.map"
    path.write_bytes(map_bytes(ITEMS, [b"grass\0", RGBA, RGB]))
    return path


def decoded(picture: bytes) -> tuple[int, int, int, bytes]:
    """Width, height, PNG's number for the colours, and the pixels, by what the PNG specification says."""
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(picture):
        (length,) = unpack(">I", picture[at : at + 4])
        name, data = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        assert unpack(">I", picture[at + 8 + length : at + 12 + length]) == (zlib.crc32(name + data),)
        chunks[name] = data
        at += 12 + length
    assert [*chunks] == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, colors, *rest = unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, rest) == (8, [0, 0, 0])
    rows = zlib.decompress(chunks[b"IDAT"])
    row = len(rows) // height
    assert set(rows[::row]) == {0}
    return width, height, colors, b"".join(rows[at + 1 : at + row] for at in range(0, len(rows), row))


@pytest.mark.parametrize(("item", "colors", "pixels"), [("image:0", 6, RGBA), ("image:2", 2, RGB)])
def test_an_embedded_image_is_a_picture(nhlog, path: Path, item: str, colors: int, pixels: bytes) -> None:
    done = nhlog("dump", path, "--item", item, "-o", path.parent / "x.png")
    assert (done.code, done.err) == (0, "")
    assert decoded((path.parent / "x.png").read_bytes()) == (2, 3, colors, pixels)
    assert nhlog("dump", path, "--item", item, "-o", path.parent / "x.png").code == 1  # the file exists


def test_what_is_no_picture_is_said(nhlog, path: Path) -> None:
    done = nhlog("dump", path, "--item", "image:1", "-o", path.parent / "x.png")
    assert (done.code, done.err) == (
        4,
        f"nhlog: {path}: the map only names the image 'grass': the pixels come with the game\n",
    )
    done = nhlog("dump", path, "--item", "image:3", "-o", path.parent / "x.png")
    assert done.code == 3
    assert "expected 2 by 4 pixels of 4 bytes, found 24 bytes" in done.err
    assert not (path.parent / "x.png").exists()


def test_the_bytes_of_a_data_item(nhlog, path: Path) -> None:
    for number, data in enumerate((b"grass\0", RGBA, RGB)):
        target = path.parent / f"{number}.bin"
        assert nhlog("dump", path, "--data", number, "-o", target).out == f"{target}: {len(data)} B\n"
        assert target.read_bytes() == data


def test_another_item_is_its_record(nhlog, path: Path) -> None:
    assert nhlog("dump", path, "--item", "version:0", "--json").records == [{"type_id": 0, "id": 0, "data": [1]}]
