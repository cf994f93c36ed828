"""A changed byte in what is compressed is told by `verify`, or changes nothing; where no checksum tells, it says so.

Each packing has a checksum of what it holds (which our own zstd frames have, too), and bits that mean nothing: the time
in the head of a gzip member, tables of bzip2 that no symbol uses.
"""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from nhlog.compression import compressed
from nhlog.errors import NhlogError
from nhlog.formats import operation
from nhlog.formats.butter.operations import ConvertOptions, convert
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.unpacked import UNGUARDED, pieces
from tests.changed import flipped
from tests.corpus import SAMPLES, corpus
from tests.doses import spread

ENDINGS = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
CAST = b"".join((SAMPLES / "nethack.cast").read_bytes().splitlines(keepends=True)[:12])
UNCHECKED = "a flipped bit"


def reports(path: Path) -> list[dict[str, object]]:
    return list(operation(str(path), "verify")(str(path)))


def is_sound(path: Path) -> bool:
    try:
        return bool(reports(path)[-1]["sound"])
    except NhlogError:
        return False


def chunks(path: Path) -> list[bytes]:
    with ButterFile(str(path)) as file:
        return [b"".join(file.unpacked(number)) for number in range(file.count)]


def raw_chunks(path: Path) -> list[bytes]:
    with closing(open_reader(str(path))) as reader:
        return [raw for _, raw, _ in reader.sound_chunks()]


def wrapped(path: Path) -> bytes:
    return b"".join(pieces(str(path)))


def butter(path: Path) -> int:
    """Make one that is packed as its name says; returns where its chunks begin."""
    options = ConvertOptions(interval=4, compression=path.stem, last="frame:11")
    convert(str(SAMPLES / "arena.butter"), str(path), options)
    with ButterFile(str(path)) as file:
        return file.header.end


def cube(path: Path) -> int:
    path.write_bytes((SAMPLES / "run.replay").read_bytes())
    with closing(open_reader(str(path))) as reader:
        return reader.preamble.length


def packed(path: Path) -> int:
    data = CAST if ".cast" in path.name else (SAMPLES / "coverage.teehistorian").read_bytes()
    path.write_bytes(b"".join(compressed([data], ENDINGS[path.suffix[1:]])))
    return 0


Make, Held = Callable[[Path], int], Callable[[Path], object]
CONTAINERS: dict[str, tuple[Make, Held]] = {
    "gzip.butter": (butter, chunks),
    "zstd_3.butter": (butter, chunks),
    "run.replay": (cube, raw_chunks),
    **{f"game.cast.{ending}": (packed, wrapped) for ending in ENDINGS},
    "run.teehistorian.zst": (packed, wrapped),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_changed_byte_is_told_or_changes_nothing(memory: Path, name: str) -> None:
    path = memory / name
    make, content = CONTAINERS[name]
    begin = make(path)
    data, held = path.read_bytes(), content(path)
    assert is_sound(path)
    told = 0
    places = spread(range(begin, len(data)))
    for at in places:
        path.write_bytes(flipped(data, at, 1 << at % 8))
        if is_sound(path):
            assert content(path) == held, at
        else:
            told += 1
    assert told > len(places) // 2


def test_a_butter_of_the_references_has_no_checksums_and_verify_says_so() -> None:
    *notes, report = reports(corpus("butter", "ref", "arena_short.k30.zstd_3.butter"))
    assert [note["fault"] for note in notes if UNCHECKED in str(note["what"])] == [False]
    assert report["sound"]


@pytest.mark.parametrize("name", ["game.cast.zst", "run.teehistorian.zst"])
def test_a_file_that_was_packed_without_a_checksum_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    packed(path)
    assert not [note for note in reports(path) if note.get("what") == UNGUARDED]
    path.write_bytes(zstandard.ZstdCompressor().compress(wrapped(path)))
    *notes, report = reports(path)
    assert [note["fault"] for note in notes if note["what"] == UNGUARDED] == [False]
    assert report["sound"]
