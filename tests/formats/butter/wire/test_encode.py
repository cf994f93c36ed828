"""What is written of a session is what was recorded, at every frame and for every reader."""

import json
from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.encode.bones import POSITION_TOLERANCE, ROTATION_TOLERANCE
from nhlog.formats.butter.wire.frames import read_frames
from nhlog.formats.butter.wire.header import format_header, parse_header
from nhlog.formats.butter.wire.packing import pack, unpack
from nhlog.formats.butter.wire.rotations import angle_between
from nhlog.formats.butter.wire.stored import layouts
from nhlog.formats.butter.wire.values import BonePlayer
from nhlog.formats.butter.writing.compare import Differences
from tests.corpus import corpus
from tests.formats.butter.made import START
from tests.formats.butter.written import Session, all_faults, chunks_of, parted, read_back, session

SHORT = ("arena_short", "combat_short", "old_api_short", "tutorial_short")
BONES = "arena_short_bones"
INTERVALS = (1, 10, 30, 300)
LARGER = 1.01  # than the reference's, at most
LARGER_WITH_BONES = 1.02
CHECKSUM = 4  # bytes of a zstd chunk of ours that those of the reference do not have: without them damage is not told


def recorded(name: str) -> Session:
    return session(corpus("butter", "sessions", f"{name}.echoreplay"))


@cache
def written(name: str, interval: int) -> list[bytes]:
    return chunks_of(recorded(name), interval)


@pytest.mark.parametrize(("name", "interval"), [*product(SHORT, INTERVALS), (BONES, 30)])
def test_every_frame_is_within_a_step_of_what_was_recorded_and_the_reference_reads_the_same(
    name: str, interval: int
) -> None:
    whole = recorded(name)
    chunks = written(name, interval)
    found = read_back(whole, chunks)
    assert all_faults(whole, found) == []
    assert parted(whole, chunks, found) == []


def test_of_a_longer_session_too_and_it_is_no_larger() -> None:
    whole = recorded("arena_mid")
    chunks = written("arena_mid", 300)
    found = read_back(whole, chunks)
    assert all_faults(whole, found) == []
    assert parted(whole, chunks, found) == []
    sizes = {name: sum(len(pack(chunk, name)) for chunk in chunks) for name in ("gzip", "zstd_3")}
    for name, size in sizes.items():
        with ButterFile(str(corpus("butter", "ref", f"arena_mid.k300.{name}.butter"))) as reader:
            assert size <= LARGER * sum(reader.header.sizes)


def test_the_reference_reads_the_points_of_a_combat_at_every_frame() -> None:
    """It takes those that are left out for 0."""
    whole = recorded("combat_short")
    found = read_back(whole, chunks_of(whole, 30), ReferenceDecoder)
    points = [(frame.points, read.points) for frame, read in zip(whole[2], found, strict=True)]
    assert sum(any(recorded) for recorded, _ in points) > 30
    assert max(abs(a - b) for pair in points for a, b in zip(*pair, strict=True)) < 0.1


def test_what_only_a_corrected_reader_adds_up_the_reference_reads_as_the_latest_step() -> None:
    """Statistics of teams: it must be so for readers that add them up (spec 9.3)."""
    whole = recorded("arena_short")
    found = read_back(whole, chunks_of(whole, 300), ReferenceDecoder)
    total = step = 0
    for frame, read in zip(whole[2], found, strict=True):
        rise = frame.teams[0].stats.points - total
        total += rise
        if frame.teams[0].stats != read.teams[0].stats:
            assert read.teams[0].stats.points in (rise, step)
        step = read.teams[0].stats.points


@pytest.mark.parametrize("decoding", [CorrectedDecoder, ReferenceDecoder])
@pytest.mark.parametrize("interval", [7, 300])
def test_bones_are_right_from_any_chunk_on(decoding: type[ReferenceDecoder], interval: int) -> None:
    whole = recorded(BONES)
    chunks = written(BONES, interval)
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
    made = {interval: written(name, interval) for interval in INTERVALS}
    larger = []
    for said in manifest(name).values():
        compression = str(said["comp"])
        chunks = [pack(chunk, compression) for chunk in made[said["interval"]]]
        header = replace(whole[0], people=tuple(whole[1].people), compression=compression, sizes=[*map(len, chunks)])
        size = len(format_header(header)) + sum(map(len, chunks))
        if size > LARGER * said["bytes"] + CHECKSUM * len(chunks) * compression.startswith("zstd"):
            larger.append((said, size))
    assert larger == []


def test_with_bones_it_is_so_within_two_hundredths() -> None:
    """The reference's keyframes count bones from the chunk before, which its own reader gets wrong; these are whole."""
    made = {interval: written(BONES, interval) for interval in (10, 30, 300)}
    for said in manifest(BONES).values():
        if said["interval"] in made:
            size = sum(len(pack(chunk, str(said["comp"]))) for chunk in made[said["interval"]])
            assert size <= LARGER_WITH_BONES * said["bytes"], said


def test_no_bone_is_turned_too_far_wherever_it_points() -> None:
    """Also where all components are alike, and rounding them turns most."""
    turns = [(0.5, 0.5, 0.5, 0.5), (0.5, -0.51, 0.5, 0.49), (0.7, 0.7, 0.1, -0.1), (0, 0, 0, 1), (0.02, 0, 0, 1)]
    spun = [tuple(value + number / 500 for value in turn) for turn in turns for number in range(60)]
    everyone = [BonePlayer((0.0,) * 69, sum(spun[at : at + 23], ())) for at in range(0, len(spun) - 22, 23)]
    header, roster, frames = recorded("tutorial_short")
    whole = header, roster, [frames[0]._replace(bones=(one,)) for one in everyone]
    for interval in (1, 300):
        for one, other in zip(everyone, read_back(whole, chunks_of(whole, interval)), strict=True):
            assert isinstance(other.bones, tuple)
            for at in range(0, 92, 4):
                off = angle_between(one.rotations[at : at + 4], other.bones[0].rotations[at : at + 4])
                assert off <= ROTATION_TOLERANCE + 0.01


def test_no_keyframe_is_more_than_a_minute_from_the_next() -> None:
    header, roster, frames = recorded("tutorial_short")
    times = [0, 59_999, 60_000, 60_001, 120_000, 120_001, 120_002, 180_002, 500_000, 400_000, 460_001]
    slow = header, roster, [frames[0]._replace(time=START + time) for time in times]
    (chunk,) = chunks_of(slow, 300)
    keys = [frame.key for frame in read_frames([chunk], layouts(replace(header, people=tuple(roster.people)))[0])]
    assert [time for time, key in zip(times, keys, strict=True) if key] == [
        0,
        60_001,
        120_002,
        500_000,
        400_000,
        460_001,
    ]
    assert [frame.time - START for frame in read_back(slow, [chunk], ReferenceDecoder)] == times


@pytest.mark.parametrize("name", ["disc", "last_score"])
def test_what_is_there_no_more_is_not_kept_by_any_reader(name: str) -> None:
    header, roster, frames = recorded("arena_short")
    gone = [frame._replace(**{name: None}) if number % 7 > 3 else frame for number, frame in enumerate(frames[:40])]
    whole = header, roster, gone
    chunks = chunks_of(whole, 30)
    assert all_faults(whole, read_back(whole, chunks)) == []
    assert parted(whole, chunks) == []


REFERENCES = [
    f"{name}.k{interval}.{compression}"
    for name in (*SHORT, BONES)
    for interval, compression in ((30, "none"), (30, "gzip"), (30, "zstd_3"), (30, "zstd_22"), (300, "gzip"))
]


@pytest.mark.parametrize("reference", REFERENCES)
def test_header_table_and_marks_are_those_of_the_reference(reference: str) -> None:
    name, interval, compression = reference.split(".")
    data = corpus("butter", "ref", f"{reference}.butter").read_bytes()
    header = parse_header(data)
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
