"""Sessions made to mislead: none is called sound, no verb passes over their damage, and none takes much memory."""

import math
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.butter.operations import convert, dump, info, stats, verify
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.wire.correct import CorrectedDecoder
from nhlog.formats.butter.wire.echoreplay.parse import Parser
from nhlog.formats.butter.wire.frames import read_frames
from nhlog.formats.butter.wire.header import Roster, format_header
from nhlog.formats.butter.wire.stored import StoredFrame, layouts
from nhlog.formats.butter.writing.recode import Recoder
from nhlog.formats.follow import happened as events
from terminal.views.butter.words import points_words
from tests.contract.test_butter import lines, played
from tests.formats.butter.made import HEADER, joined, key, moved, session_file, step


def assert_told(path: Path) -> None:
    """Every verb that reads it tells of the damage."""
    *_, report = verify(str(path))
    assert not report["sound"]
    assert info(str(path)).health != "sound"
    for verb in (events, stats, dump):
        assert any("error" in record for record in verb(str(path))), verb


def test_a_table_without_chunks_before_data_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.butter"
    path.write_bytes(format_header(HEADER) + b"".join(played()[0]))
    *_, report = verify(str(path))
    assert not report["sound"]
    assert info(str(path)).health != "sound"
    assert [record for record in stats(str(path)) if "error" in record]
    assert [record["error"] for record in dump(str(path))]
    with pytest.raises(Damaged, match="the file has no frame"):
        list(events(str(path)))
    assert "the file has no frame" in convert(str(path), str(tmp_path / "x.echoreplay"))["error"]


def test_a_chunk_that_is_cut_off_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.butter"
    path.write_bytes(session_file(played())[:-3])
    assert_told(path)


def test_a_last_line_that_is_cut_off_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.echoreplay"
    path.write_bytes(b"".join(lines(session_file(played())))[:-200])
    assert_told(path)


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (b'{"teams":[],"blue_points":1e308}', r"1e\+308"),
        (b'{"teams":[],"rules_changed_at":1180591620717411303424}', "rules_changed_at"),
        (b'{"teams":[{"players":[{"velocity":[0,-1e39,0]}]}]}', r"-1e\+39"),
    ],
)
def test_a_number_that_the_game_cannot_have_is_damage(said: bytes, wrong: str) -> None:
    with pytest.raises(Damaged, match=wrong):
        Parser().frame(0, said, None)


def test_a_number_may_be_a_word() -> None:
    """The game writes so what is no number, or infinite; and so do we."""
    said = b'{"teams":[],"blue_points":"Infinity","orange_points":"NaN","game_clock":"-Infinity"}'
    frame = Parser().frame(0, said, None)
    assert (frame.clock, frame.points[0], math.isnan(frame.points[1])) == (-math.inf, math.inf, True)


@pytest.mark.parametrize(("points", "told"), [(2.0, "2"), (0.5, "0.50"), (math.inf, "inf"), (math.nan, "nan")])
def test_points_that_are_no_number_can_be_shown(points: float, told: str) -> None:
    assert points_words(points) == told


def frames_of(path: Path) -> list:
    with ButterFile(str(path)) as reader:
        return [frame for chunk in reader.chunks() for frame in chunk.frames]


def test_a_disc_that_appears_later_is_written(tmp_path: Path) -> None:
    path = tmp_path / "x.butter"
    path.write_bytes(session_file([[key(disc=(0, 1, 0)), step(disc=(0.5, 0, 0.25)), step(disc=(0.5, 0, 0))]]))
    first, second, third = frames_of(path)
    recoder = Recoder(replace(HEADER, compression="none"), Roster(HEADER.people), "none")
    made = b"".join(recoder.chunks([first._replace(disc=None), second, third], 4))
    path.write_bytes(format_header(replace(HEADER, sizes=(len(made),))) + made)
    assert [frame.disc and frame.disc.position for frame in frames_of(path)][1:] == [
        second.disc.position,
        third.disc.position,
    ]


def test_a_value_without_room_is_named_with_its_frame(tmp_path: Path) -> None:
    path = tmp_path / "x.butter"
    path.write_bytes(session_file([[key()]]))
    [frame] = frames_of(path)
    with pytest.raises(Unsupported, match=f"the frame of {1 << 70} ms does not fit"):
        list(Recoder(HEADER, Roster(HEADER.people), "none").chunks([frame._replace(time=1 << 70)], 4))


@pytest.mark.parametrize("one_more", [0, 1])
def test_a_chunk_has_as_many_players_as_it_may_and_no_more(one_more: int) -> None:
    """65536 in all of its frames."""
    crowd, few = ([moved(1)] * 255,) * 3, ([moved(1)] * 255, [moved(1)] * 255, [moved(1)] * one_more)
    frames = [key(teams=([joined(1)], (), ())), *[step(teams=crowd)] * 85, step(teams=few)]
    found: list[StoredFrame] = []
    with pytest.raises(Damaged, match="more frames or players") if one_more else nullcontext():
        found.extend(read_frames([b"".join(frames)], layouts(HEADER)[0]))
    assert len(found) == len(frames) - one_more


def test_a_chunk_has_no_million_players(tmp_path: Path) -> None:
    crowd = ([moved(1)] * 255,) * 3
    frames = [key(teams=([joined(1)], (), ())), *[step(teams=crowd)] * 1370]
    path = tmp_path / "x.butter"
    path.write_bytes(session_file([frames]))
    with ButterFile(str(path), CorrectedDecoder) as reader:
        chunk = reader.chunk(0)
    assert "more frames or players" in str(chunk.fault)
    assert sum(len(frame.players) for frame in chunk.frames) <= 1 << 16
