"""The corrected decoding is nearer to the session that was recorded than the reference's, and never farther."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.wire import bones
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.echoreplay.format import bones_record, frame_record
from nhlog.formats.butter.wire.rotations import axes_or_zeros
from nhlog.formats.butter.wire.stored import StoredFrame, StoredTeam
from nhlog.formats.butter.wire.values import Frame
from tests.corpus import corpus
from tests.formats.butter.made import HEADER, START, joined, key, moved, session_file, step
from tests.formats.butter.truth import source_frames

Errors = dict[str, list[tuple[float, float]]]

ROUNDING = 1e-4  # metres and seconds that float32 sums may be off
KNOWN = "a team's stuns cannot fall in the file, so after a fall they are too many until the next keyframe"


def collect(source: Any, reference: Any, corrected: Any, path: str, errors: Errors) -> None:
    """By field, how far the two decodings are from the source; text and truth values are 0 or 1 away."""
    if isinstance(source, dict):
        for name in source.keys() & (reference or {}).keys():
            collect(source[name], reference[name], corrected[name], f"{path}.{name}", errors)
    elif isinstance(source, list):
        if isinstance(reference, list) and len(source) == len(reference):
            for one, two, three in zip(source, reference, corrected, strict=True):
                collect(one, two, three, path, errors)
    else:
        errors[path].append((off(source, reference), off(source, corrected)))


def off(source: Any, found: Any) -> float:
    numbers = isinstance(source, int | float) and isinstance(found, int | float)
    return abs(float(source) - float(found)) if numbers else float(source != found)


def decoded(path: Path) -> tuple[list[tuple[bool, Frame]], list[tuple[bool, Frame]]]:
    both: list[list[tuple[bool, Frame]]] = []
    for decoding in (ReferenceDecoder, CorrectedDecoder):
        with ButterFile(str(path), decoding) as reader:
            chunks = [reader.chunk(number) for number in range(reader.count)]
            both.append([pair for chunk in chunks for pair in zip(chunk.keys, chunk.frames, strict=True)])
    return both[0], both[1]


@cache
def errors_of(name: str) -> Errors:
    """Of a file of the corpus."""
    session = name.split(".")[0]
    path = corpus("butter", "ref", f"{name}.gzip.butter")
    reference, corrected = decoded(path)
    with ButterFile(str(path)) as reader:
        header = reader.header
    errors: Errors = defaultdict(list)
    source = source_frames(corpus("butter", "sessions", f"{session}.echoreplay"))
    number = -1
    for number, frame, _ in source:
        (_, one), (_, two) = reference[number], corrected[number]
        collect(frame, frame_record(header, one), frame_record(header, two, axes_or_zeros), "", errors)
    assert number + 1 == len(reference) == len(corrected)
    return errors


@pytest.mark.parametrize("name", ["arena_short.k30", "combat_short.k300", "old_api_short.k300", "arena_mid.k300"])
def test_no_field_is_farther_from_the_session(name: str) -> None:
    """Summed over the frames, field by field."""
    errors = errors_of(name)
    assert len(errors) > 60
    for field, pairs in errors.items():
        reference, corrected = (sum(pair[which] for pair in pairs) for which in (0, 1))
        assert corrected <= reference + ROUNDING * len(pairs), field
        assert max(pair[1] for pair in pairs) <= max(pair[0] for pair in pairs) + 0.02, field


def test_motion_that_was_left_out_is_moved() -> None:
    errors = errors_of("old_api_short.k300")
    reference, corrected = zip(*errors[".teams.players.head.position"], strict=True)
    assert max(reference) > 3.5  # metres: the head stands still where it glides
    assert max(corrected) < 0.02


def test_statistics_of_teams_are_those_of_the_session() -> None:
    errors = errors_of("arena_mid.k300")
    for name in ("points", "goals", "saves", "steals", "passes", "catches", "shots_taken", "interceptions"):
        reference, corrected = zip(*errors[f".teams.stats.{name}"], strict=True)
        assert max(reference) > 0
        assert max(corrected) == 0, name
    assert max(corrected for _, corrected in errors[".teams.stats.stuns"]) > 0, KNOWN


def test_bones_are_carried_over_a_keyframe() -> None:
    reference, corrected = decoded(corpus("butter", "ref", "arena_short_bones.k30.gzip.butter"))
    session = source_frames(corpus("butter", "sessions", "arena_short_bones.echoreplay"))
    errors: Errors = defaultdict(list)
    pairs = zip(session, bones.reference_bones(reference), bones.corrected_bones(corrected), strict=True)
    for (_, _, source), one, two in pairs:
        collect(source, bones_record(one), bones_record(two), "", errors)
    positions, rotations = errors[".user_bones.bone_t"], errors[".user_bones.bone_o"]
    assert max(pair[0] for pair in positions) > 1
    assert max(pair[1] for pair in positions) < 0.016
    assert sum(pair[1] for pair in rotations) < 0.6 * sum(pair[0] for pair in rotations)


def frames_of(tmp_path: Path, *chunks: list[bytes]) -> list[Frame]:
    path = tmp_path / "made.butter"
    path.write_bytes(session_file(chunks))
    with ButterFile(str(path)) as reader:
        found = [reader.chunk(number) for number in range(reader.count)]
    assert [chunk.fault for chunk in found] == [None] * len(chunks)
    return [frame for chunk in found for frame in chunk.frames]


def test_what_is_left_out_repeats_the_last_step_and_zero_stays_zero(tmp_path: Path) -> None:
    still, on = ([moved(1)], (), ()), ([moved(1, (0.5, 0, 0))], (), ())
    stop = ([moved(1, (0, 0, 0))], (), ())
    frames = frames_of(
        tmp_path,
        [
            key(teams=([joined(1)], (), ())),
            step(teams=on),
            *[step(teams=still)] * 3,
            step(teams=stop),
            step(teams=still),
        ],
    )
    assert [frame.players[0].head.position[0] for frame in frames] == [0, 0.5, 1, 1.5, 2, 2, 2]
    assert [frame.players[0].body.position[0] for frame in frames] == [0] * 7


def test_the_disc_goes_on_as_the_players_do(tmp_path: Path) -> None:
    frames = frames_of(tmp_path, [key(disc=(1, 0, 0)), step(disc=(0, 0, 2)), step(), step()])
    assert [frame.disc and frame.disc.position for frame in frames] == [(1, 0, 0), (1, 0, 2), (1, 0, 4), (1, 0, 6)]


def test_a_timer_counts_from_zero_or_never_falls_below(tmp_path: Path) -> None:
    up = [key(pause=1), step(pause=(1, 0.5)), step(), step(pause=(1, 0.0)), step()]
    down = [key(START + 200, pause=1), step(pause=(1, 1.0)), step(pause=(0, -7.0)), step(pause=(0, 0.0))]
    frames = frames_of(tmp_path, up, down)
    assert [frame.pause.paused_timer for frame in frames] == [0, 0.5, 1, 1, 1, 6, 7, 0, 0]


def test_two_of_one_name_keep_what_is_theirs(tmp_path: Path) -> None:
    """Their rows are the same, so only their numbers tell them apart."""
    one, two = joined(1, (1, 0, 0)), bytearray(joined(1, (2, 0, 0)))
    two[1] = 77
    moved_one, moved_two = moved(1, (1, 0, 0)), bytearray(moved(1, (10, 0, 0)))
    moved_two[1] = 77
    first, second = ([one, bytes(two)], (), ()), ([moved_one, bytes(moved_two)], (), ())
    frames = frames_of(tmp_path, [key(teams=first), step(teams=second), step(teams=([bytes(moved_two)], (), ()))])
    places = [[player.head.position[0] for player in frame.players] for frame in frames]
    assert places == [[1, 2], [2, 12], [22]]


def test_a_rotation_that_could_not_be_packed_is_none() -> None:
    assert axes_or_zeros(0) == ((0, 0, 0),) * 3
    assert axes_or_zeros(0x7FDFF7FF)[0][2] > 0.999


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("map_name", ["mpl_combat_dyson", "mpl_arena_a"])
def test_points_that_are_not_told_again_are_gone_in_combat_of_version_3_and_there_alone(
    version: int, map_name: str
) -> None:
    header = replace(HEADER, version=version, map_name=map_name)
    team = StoredTeam(False, (), ())
    first = StoredFrame(
        0, True, START, 600.0, 4, (5, 7), 0, (0, 0, 0.0, 0.0), (), (), (), (), (), None, (team,) * 3, None
    )
    then = first._replace(offset=99, key=False, time=33, clock=0.0, status=None, points=(), inputs=None, pause=())
    told = {
        decoding: [frame.points for _, frame in decoding(header).frames([first, then])]
        for decoding in (ReferenceDecoder, CorrectedDecoder)
    }
    gone = version == 3 and header.combat
    assert told == {
        ReferenceDecoder: [(5.0, 7.0), (0.0, 0.0) if gone else (5.0, 7.0)],
        CorrectedDecoder: [(5.0, 7.0), (5.0, 7.0)],
    }


def test_a_ping_of_version_1_may_fall() -> None:
    folder = corpus("butter", "old")
    (reference, first), (_, second) = (decoded(folder / f"arena_short.{v}.k30.none.butter") for v in ("v1", "v2"))
    pings = [[player.ping for _, frame in frames for player in frame.players] for frames in (first, second, reference)]
    assert pings[0] == pings[1]
    assert max(pings[2]) > 60_000
