"""Whatever is done to a file: the frames that are whole are given, the rest is named, and it takes no time."""

import gzip
import json
import os
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zstandard

from nhlog.compression import MAX_CHUNK
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.files import CannotOpen
from nhlog.formats.butter.operations import dump, info, listing, open_replay, verify
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.wire.frames import read_frames
from nhlog.formats.butter.wire.header import MOST_CHUNKS, format_header, parse_header
from nhlog.formats.butter.wire.packing import pack, unpack
from nhlog.formats.butter.wire.stored import StoredFrame, layouts
from tests.changed import flipped
from tests.contract.test_butter import played
from tests.corpus import SAMPLES, corpus
from tests.formats.butter.made import HEADER, START, joined, key, moved, session_file, step

# By damaged file of the corpus: how many of its 100 frames can be read.  Not listed: all of them, and without an error.
GOOD = {
    "chunk1_not_key": 70,
    "compression_swap": 0,
    "first_not_key": 70,
    "flip0.gzip": 70,
    "flip0.zstd_3": 70,
    "flip1.gzip": 70,
    "flip1.zstd_3": 70,
    "flip2.gzip": 90,
    "gzip_crc_bad": 100,
    "trunc_at_chunk_edge.gzip": 90,
    "trunc_at_chunk_edge.none": 90,
    "trunc_at_chunk_edge.zstd_3": 90,
    "trunc_half_last_chunk.gzip": 94,
    "trunc_half_last_chunk.none": 94,
    "trunc_half_last_chunk.zstd_3": 90,
    "trunc_last_byte.gzip": 100,
    "trunc_last_byte.none": 99,
    "trunc_last_byte.zstd_3": 90,
    "trunc_one_chunk_and_half.gzip": 40,
    "trunc_one_chunk_and_half.none": 41,
    "trunc_one_chunk_and_half.zstd_3": 30,
    **{
        f"{what}.{how}": 100
        for what in ("count_one", "count_big", "size_big", "size_small")
        for how in ("gzip", "none", "zstd_3")
    },
}
UNREADABLE = ("compression_", "count_ffffffff", "empty", "one_byte", "trunc_in_", "version_")


def damaged_files() -> list[str]:
    try:
        folder = corpus("butter", "robust")
    except pytest.skip.Exception:
        return []
    return sorted(path.stem for path in folder.glob("*.butter") if not path.name.startswith("enc_"))


@pytest.mark.parametrize("name", damaged_files())
def test_a_damaged_file_gives_what_is_whole_and_an_error(name: str) -> None:
    path = str(corpus("butter", "robust", f"{name}.butter"))
    if name.startswith(UNREADABLE) and name != "compression_swap":
        with pytest.raises((Damaged, Unsupported)) as error:
            list(dump(path))
        assert str(error.value).startswith(path)
        return
    records = list(dump(path))
    errors = [record["error"] for record in records if "error" in record]
    assert len(records) - len(errors) == GOOD.get(name, 100)
    assert bool(errors) == (name in GOOD)
    assert all(text.startswith(f"{path}: offset ") for text in errors)
    *findings, report = verify(path)
    assert report["sound"] == (not errors)
    assert [finding["fault"] for finding in findings].count(True) == len(errors)
    assert (info(path).health == "sound") == (not errors)


@pytest.mark.parametrize("name", ["count_one.none", "size_small.gzip", "size_big.zstd_3"])
def test_a_wrong_table_costs_no_frame(name: str) -> None:
    whole = [record["frame"] for record in dump(str(corpus("butter", "ref", "arena_short.k30.none.butter")))]
    path = corpus("butter", "robust", f"{name}.butter")
    assert [record["frame"] for record in dump(str(path)) if "frame" in record] == whole


def test_the_reference_agrees_on_what_is_damaged() -> None:
    """Files that it cannot read have an error here; here there are more, of what it passes over."""
    results = json.loads(corpus("butter", "robust", "results.json").read_text())
    for name in damaged_files():
        if results[f"{name}.butter"]["rc"] == 3:
            assert name in GOOD or name.startswith(UNREADABLE), name


def attempted(path: Path) -> list[dict[str, Any]]:
    """What every verb makes of a file, an error of which names the file, as `dump` tells it."""
    told: list[dict[str, Any]] = []
    for verb in (lambda name: open_replay(name).close(), listing, info, lambda name: list(verify(name))):
        with suppress(NhlogError):
            verb(str(path))
    try:
        told += dump(str(path))
    except NhlogError as error:
        told.append({"error": str(error)})
    assert all(record["error"].startswith(str(path)) for record in told if "error" in record)
    return told


def small() -> bytes:
    here = ([moved(1, (0.5, 0, 0))], [moved(2)], ())
    chunk = [key(teams=([joined(1)], [joined(2)], ())), step(teams=here, disc=(1, 0, 0)), step(teams=here)]
    return session_file([chunk, [key(START + 500, 599.0, ([joined(1)], (), ()))]])


def test_every_prefix_gives_frames_or_an_error(tmp_path: Path) -> None:
    path, data = tmp_path / "cut.butter", small()
    counts = []
    for size in range(len(data)):
        path.write_bytes(data[:size])
        records = attempted(path)
        assert "error" in records[-1]
        counts.append(sum("frame" in record for record in records))
    assert counts == sorted(counts)
    assert set(counts) == {0, 1, 2, 3}


def test_no_byte_is_too_damaged(tmp_path: Path) -> None:
    """A byte changed ends in frames or a named error, with compression and without."""
    plain = small()
    header = parse_header(plain)
    assert header is not None
    chunks = [plain[header.end :][: header.sizes[0]], plain[header.end + header.sizes[0] :]]
    path, chance = tmp_path / "odd.butter", random.Random(8)
    for packed, name in ((bytes, "none"), (gzip.compress, "gzip"), (zstandard.compress, "zstd_3")):
        stored = [packed(chunk) for chunk in chunks]
        data = format_header(replace(header, compression=name, sizes=tuple(map(len, stored)))) + b"".join(stored)
        for at in range(len(data)):
            path.write_bytes(flipped(data, at, chance.randrange(1, 256)))
            for record in attempted(path):
                assert record.keys() in ({"error"}, {"i", "t", "frame", "bones"})


def stored_file(chunk: bytes, compression: str) -> bytes:
    """A file that has this stored chunk twice."""
    header = replace(HEADER, interval=65535, compression=compression, sizes=(len(chunk), len(chunk)))
    return format_header(header) + chunk + chunk


@pytest.mark.parametrize("compression", ["gzip", "zstd_3"])
def test_a_chunk_is_never_unpacked_without_bound(compression: str) -> None:
    """The limit holds for the whole chunk, however many members it is packed in."""
    bomb = pack(bytes(1 << 20), compression) * 256
    sizes: list[int] = []
    with pytest.raises(Damaged, match="too large"):
        sizes.extend(map(len, unpack(bomb, compression)))
    assert sum(sizes) == MAX_CHUNK


PEAK = """
import sys
from pathlib import Path
from terminal.cli import main
code = main(sys.argv[1:])
sizes = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
print(code, sizes["VmHWM"].split()[0], file=sys.stderr)
"""


def memory(*arguments: str | Path) -> tuple[int, float]:
    """The exit code of `nhlog` with these arguments, and the megabytes that it had at most."""
    done = subprocess.run([sys.executable, "-c", PEAK, *arguments], capture_output=True, text=True, check=True)
    code, size = map(int, done.stderr.split()[-2:])
    return code, size / 1024


@pytest.mark.parametrize("compression", ["gzip", "zstd_3"])
@pytest.mark.parametrize("verb", ["info", "verify"])
def test_a_small_file_of_large_chunks_takes_little_memory(tmp_path: Path, verb: str, compression: str) -> None:
    path = tmp_path / "large.butter"
    bomb = pack(bytes(1 << 20), compression) * 256
    path.write_bytes(stored_file(pack(key(), compression) + bomb, compression))
    assert path.stat().st_size < 1 << 20
    code, megabytes = memory(verb, path)
    assert code == 3
    assert megabytes < 150


def test_a_chunk_has_no_more_frames_than_a_header_can_say() -> None:
    found: list[StoredFrame] = []
    with pytest.raises(Damaged, match="more frames"):
        found.extend(read_frames([key(), *[step() * 1000] * 1000], layouts(HEADER)[0]))
    assert len(found) == 65536


def test_frames_are_the_same_in_whatever_pieces_they_come() -> None:
    chunk = b"".join(played()[0])
    (layout, *_) = layouts(HEADER)
    whole = [*read_frames([chunk], layout)]
    for size in (1, 7, 100, len(chunk)):
        assert [*read_frames((chunk[at : at + size] for at in range(0, len(chunk), size)), layout)] == whole


def test_a_frame_that_never_ends_is_not_waited_for() -> None:
    """No more is read of a chunk than a frame can have."""
    taken = 0

    def pieces() -> Iterator[bytes]:
        nonlocal taken
        yield key()[:-4] + b"\xff"  # a player of a row beyond the table, and 254 more
        while True:
            taken += 1
            yield b"\xff" * 65536

    with pytest.raises(Damaged):
        list(read_frames(pieces(), layouts(HEADER)[0]))
    assert taken < 8


@pytest.mark.parametrize("ending", ["butter", "echoreplay"])
def test_a_fifo_is_refused_at_once(tmp_path: Path, ending: str) -> None:
    path = str(tmp_path / f"pipe.{ending}")
    os.mkfifo(path)
    for operation in (open_replay, info, listing, lambda name: list(dump(name)), lambda name: list(verify(name))):
        with pytest.raises(CannotOpen, match="not a regular file"):
            operation(path)


def test_several_gzip_members_are_one_chunk() -> None:
    assert b"".join(unpack(gzip.compress(b"ab") + gzip.compress(b"c"), "gzip")) == b"abc"


def test_a_wrong_checksum_is_told() -> None:
    data = bytearray(gzip.compress(b"frames"))
    data[-8] ^= 1
    with pytest.raises(Damaged):
        list(unpack(bytes(data), "gzip"))
    assert zlib.decompress(bytes(data[10:-8]), -15) == b"frames"


@pytest.mark.parametrize("count", [1, 1000, 0xFFFFFFFF])
def test_hostile_counts_of_chunks(tmp_path: Path, count: int) -> None:
    data = bytearray(small())
    header = parse_header(bytes(data))
    assert header is not None
    at = header.end - 4 * len(header.sizes) - 4
    struct.pack_into("<I", data, at, count)
    path = tmp_path / "hostile.butter"
    path.write_bytes(data)
    records = attempted(path)
    assert sum("frame" in record for record in records) <= 4
    assert "error" in records[-1]


def test_a_file_of_any_size_has_no_more_chunks_than_a_match_can_have() -> None:
    data = format_header(HEADER)[:-4]
    header = parse_header(data + struct.pack("<I", MOST_CHUNKS) + bytes(4 * MOST_CHUNKS))
    assert header is not None
    assert len(header.sizes) == MOST_CHUNKS
    with pytest.raises(Damaged, match=f"too many chunks: expected at most {MOST_CHUNKS}"):
        parse_header(data + struct.pack("<I", MOST_CHUNKS + 1))


def test_hostile_counts_of_players_and_bones(tmp_path: Path) -> None:
    frame = key()
    path = tmp_path / "hostile.butter"
    for end in (b"\xff", b"\xff\0\0\0", b"\0\0\0\xff", b"\0\0\0\xff" + b"\xff" * 40):
        path.write_bytes(session_file([[frame[:-4] + end]]))
        (record,) = dump(str(path))
        assert "cut off" in record["error"] or "no such" in record["error"]


def test_a_row_beyond_the_table_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "beyond.butter"
    path.write_bytes(session_file([[key(teams=([joined(9)], (), ()))], [key(START + 100)]]))
    error, frame = dump(str(path))
    assert ("error" in error, "frame" in frame) == (True, True)
    path.write_bytes(session_file([[key(score=(0, 9, 0, 0, 0))], [key(START + 100)]]))
    error, frame = dump(str(path))
    assert "no such player" in error["error"]


def test_a_file_whose_table_is_right_is_read_by_it(tmp_path: Path) -> None:
    """Marks that data has by chance are no chunks."""
    data = session_file([[key(), step(), step()], [key(START + 200)]], replace(HEADER, interval=3))
    path = tmp_path / "right.butter"
    path.write_bytes(data + key(START + 300))
    with ButterFile(str(path)) as reader:
        assert reader.count == 2
    assert next(iter(verify(str(path))))["fault"] is False


def test_the_layout_is_found_where_the_first_chunk_is_damaged(tmp_path: Path) -> None:
    data = bytearray(corpus("butter", "old", "arena_short.v3early.k30.gzip.butter").read_bytes())
    header = parse_header(bytes(data))
    assert header is not None
    data[header.end + 100] ^= 0xFF
    path = tmp_path / "early.butter"
    path.write_bytes(data)
    assert sum("frame" in record for record in dump(str(path))) == 70
    assert info(str(path)).dialect == "3 early"


def test_the_layout_is_found_where_the_only_chunk_is_cut(tmp_path: Path) -> None:
    data = corpus("butter", "old", "arena_short.v3early.k30.none.butter").read_bytes()
    path = tmp_path / "early.butter"
    path.write_bytes(data[:8000])
    assert info(str(path)).dialect == "3 early"
    assert info(str(path)).frames > 10


def test_the_sample_is_sound() -> None:
    *findings, report = verify(str(SAMPLES / "arena.butter"))
    assert [(finding["what"], finding["found"], finding["fault"]) for finding in findings] == [
        ("chunks without a checksum: a flipped bit in them is not noticed", "4 of 4 chunks", False)
    ]
    assert (report["sound"], report["chunks"], report["frames"]) == (True, 4, 100)
