"""What is written of a session is what was recorded, at every frame and for every reader."""

import json
from dataclasses import replace
from itertools import product

import pytest

from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.encode.bones import POSITION_TOLERANCE, ROTATION_TOLERANCE
from nhlog.formats.butter.wire.frames import read_frames
from nhlog.formats.butter.wire.header import format_header, parse_header
from nhlog.formats.butter.wire.packing import pack, unpack
from nhlog.formats.butter.wire.stored import layouts
from nhlog.formats.butter.writing.compare import Differences
from tests.corpus import corpus
from tests.formats.butter.written import Session, all_faults, chunks_of, read_back, session

SHORT = ("arena_short", "combat_short", "old_api_short", "tutorial_short")
BONES = "arena_short_bones"
INTERVALS = (1, 10, 30, 300)
LARGER = 1.01  # than the reference's, at most


def recorded(name: str) -> Session:
    return session(corpus("butter", "sessions", f"{name}.echoreplay"))


@pytest.mark.parametrize(("name", "interval"), [*product(SHORT, INTERVALS), (BONES, 30)])
def test_every_frame_is_within_a_step_of_what_was_recorded(name: str, interval: int) -> None:
    whole = recorded(name)
    assert all_faults(whole, read_back(whole, chunks_of(whole, interval))) == []


@pytest.mark.parametrize("name", [*SHORT, BONES])
def test_the_reference_reads_the_same(name: str) -> None:
    whole = recorded(name)
    assert all_faults(whole, read_back(whole, chunks_of(whole, 30), ReferenceDecoder), corrected=False) == []


def test_a_longer_session_is_within_a_step_in_every_thirtieth_frame() -> None:
    whole = recorded("arena_mid")
    chunks = chunks_of(whole, 300)
    assert all_faults(whole, read_back(whole, chunks), every=30) == []
    assert all_faults(whole, read_back(whole, chunks, ReferenceDecoder), corrected=False, every=30) == []
    sizes = {name: sum(len(pack(chunk, name)) for chunk in chunks) for name in ("gzip", "zstd_3")}
    for name, size in sizes.items():
        with ButterFile(str(corpus("butter", "ref", f"arena_mid.k300.{name}.butter"))) as reader:
            assert size <= LARGER * sum(reader.header.sizes)


@pytest.mark.parametrize("decoding", [CorrectedDecoder, ReferenceDecoder])
@pytest.mark.parametrize("interval", [7, 300])
def test_bones_are_right_from_any_chunk_on(decoding: type[ReferenceDecoder], interval: int) -> None:
    whole = recorded(BONES)
    chunks = chunks_of(whole, interval)
    found = read_back(whole, chunks, decoding)
    if interval == 7:
        assert read_back(whole, chunks[3:], decoding) == found[21:]
    differences = Differences()
    for one, other in zip(whole[2], found, strict=True):
        differences.add(one, other)
    largest = {record["field"]: record["largest"] for record in differences.records()}
    assert largest["bones.position"] <= POSITION_TOLERANCE + 1 / 4096
    assert largest["bones.rotation"] <= ROTATION_TOLERANCE + 0.01


def manifest(name: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads(corpus("butter", "ref", f"{name}.manifest.json").read_text())
    return found


@pytest.mark.parametrize("name", SHORT)
def test_no_file_is_larger_than_the_reference_s_by_more_than_a_hundredth(name: str) -> None:
    whole = recorded(name)
    made = {interval: chunks_of(whole, interval) for interval in INTERVALS}
    larger = []
    for said in manifest(name).values():
        compression = str(said["comp"])
        chunks = [pack(chunk, compression) for chunk in made[said["interval"]]]
        header = replace(whole[0], people=tuple(whole[1].people), compression=compression, sizes=[*map(len, chunks)])
        size = len(format_header(header)) + sum(map(len, chunks))
        if size > LARGER * said["bytes"]:
            larger.append((said, size))
    assert larger == []


def test_with_bones_it_is_so_but_for_the_bones_of_keyframes() -> None:
    """The reference's keyframes count bones from the chunk before, which its own reader gets wrong."""
    whole = recorded(BONES)
    bones = 8 * (6 + 23 * (3 * 2 + 4))
    for compression in ("none", "gzip", "zstd_3"):
        size = sum(len(pack(chunk, compression)) for chunk in chunks_of(whole, 300))
        assert size <= LARGER * manifest(BONES)[f"{BONES}.k300.{compression}.butter"]["bytes"]
    for interval in (10, 30):
        keyframes = -(-len(whole[2]) // interval) - 1
        size = sum(map(len, chunks_of(whole, interval)))
        assert size <= LARGER * manifest(BONES)[f"{BONES}.k{interval}.none.butter"]["bytes"] + keyframes * bones


REFERENCES = [
    f"{name}.k{interval}.{compression}"
    for name in (*SHORT, BONES)
    for interval, compression in ((30, "none"), (30, "gzip"), (30, "zstd_3"), (30, "zstd_22"), (300, "gzip"))
]


@pytest.mark.parametrize("reference", REFERENCES)
def test_header_table_and_marks_are_those_of_the_reference(reference: str) -> None:
    name, interval, compression = reference.split(".")
    data = corpus("butter", "ref", f"{reference}.butter").read_bytes()
    header = parse_header(data, len(data))
    assert header is not None
    whole = recorded(name)
    chunks = chunks_of(whole, int(interval[1:]))
    ours = replace(
        whole[0],
        interval=int(interval[1:]),
        compression=compression,
        people=tuple(whole[1].people),
        sizes=header.sizes,
    )
    assert format_header(ours) == data[: header.end]
    at = header.end
    for size, chunk in zip(header.sizes, chunks, strict=True):
        theirs = b"".join(unpack(data[at : at + size], compression))
        layout = layouts(header)[0]
        assert [frame.key for frame in read_frames([chunk], layout)] == [
            frame.key for frame in read_frames([theirs], layout)
        ]
        at += size
