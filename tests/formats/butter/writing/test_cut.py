"""`recover` and `rewind`: what is kept is sound and read by the reference, and what is cut off is kept beside it."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from nhlog.errors import TooShort
from nhlog.files.cuts import CutRefused, kept_of
from nhlog.formats.butter.operations import recover, rewind, verify
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.replay import open_replay
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.header import format_header
from nhlog.formats.butter.wire.packing import pack
from nhlog.formats.butter.wire.values import Frame
from nhlog.formats.butter.writing.recorder import Recorder
from nhlog.operations import Record
from nhlog.replay import Status
from nhlog.timeline import parse_position
from tests.contract.json_contract import documented, seen
from tests.contract.test_butter import lines, played, zipped
from tests.corpus import ROOT, SAMPLES, corpus
from tests.formats.butter.made import HEADER, START, joined, key, moved, session_file, step
from tests.formats.butter.written import session

DOCUMENT = (ROOT / "docs" / "butter.md").read_text()
Command = Callable[..., Any]

ADA = ([joined(1, (1, 2, -8))], (), ())
ON = ([moved(1, (0.5, 0, 0.25))], (), ())
SMALL = [[key(teams=ADA), step(teams=ON), step(teams=ON)], [key(START + 99, teams=ADA), step(teams=ON)]]


def packed(compression: str) -> bytes:
    chunks = [pack(b"".join(chunk), compression) for chunk in SMALL]
    header = replace(HEADER, compression=compression, sizes=tuple(map(len, chunks)))
    return format_header(header) + b"".join(chunks)


def text() -> bytes:
    return b"".join(lines(session_file(SMALL)))


FILES = {
    "none.butter": packed("none"),
    "gzip.butter": packed("gzip"),
    "zstd.butter": packed("zstd_3"),
    "text.echoreplay": text(),
    "zip.echoreplay": zipped(text()),
}


def frames_of(path: Path) -> list[Frame]:
    with closing(open_replay(str(path))) as replay:
        return [*replay.frames(0, replay.timeline.last)]


def is_sound(path: Path) -> bool:
    *_, report = verify(str(path))
    return bool(report["sound"])


def read_by_the_reference(path: Path) -> int:
    with ButterFile(str(path), ReferenceDecoder) as reader:
        chunks = [reader.chunk(number) for number in range(reader.count)]
        assert [chunk.fault for chunk in chunks if chunk.fault] == []
        return sum(len(chunk.frames) for chunk in chunks)


def prefixes(data: bytes) -> Iterator[bytes]:
    """Every beginning of a small file; of a larger one some, and all that lack little."""
    few = {*range(0, len(data), max(len(data) // 300, 1)), *range(len(data) - 12, len(data))}
    return (data[:size] for size in sorted(few))


@pytest.mark.parametrize("name", FILES)
def test_of_every_beginning_of_a_file_the_whole_frames_are_kept_and_it_is_sound(name: str, tmp_path: Path) -> None:
    whole, path = tmp_path / f"whole-{name}", tmp_path / name
    whole.write_bytes(FILES[name])
    frames = frames_of(whole)
    seen = set()
    for data in prefixes(FILES[name]):
        path.write_bytes(data)
        try:
            before = frames_of(path)
        except TooShort:
            with pytest.raises(TooShort):
                recover(str(path))
            continue
        told = recover(str(path))
        assert frames_of(path) == before == frames[: len(before)]
        assert is_sound(path)
        assert recover(str(path))["offset"] is None
        if name.endswith("butter"):
            assert read_by_the_reference(path) == len(before)
        if told["kept_in"] is not None:
            kept = Path(told["kept_in"]).read_bytes()
            assert kept == (data[told["offset"] :] if name.startswith("text") else data)
            os.unlink(told["kept_in"])
        seen.add(len(before))
    assert max(seen) >= 3


def test_a_dry_run_does_nothing_and_without_keep_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    data = FILES["none.butter"][:-3]
    path.write_bytes(data)
    told = recover(str(path), dry_run=True)
    assert (told["recovered"], told["lost_bytes"] > 0, path.read_bytes()) == (False, True, data)
    assert recover(str(path), keep=False) == {**told, "recovered": True}
    assert os.listdir(tmp_path) == ["a.butter"]
    assert read_by_the_reference(path) == 4


def recording(path: Path) -> Recorder:
    header, _, frames = session(corpus("butter", "sessions", "tutorial_short.echoreplay"))
    recorder = Recorder(str(path), replace(header, interval=10), room=20)
    for frame in frames[recorder.frames : 45]:
        teams = []
        for team in frame.teams:
            players = []
            for player in team.players:
                _, name, userid, number, level = player.who
                players.append(player._replace(who=recorder.roster.person(userid, name, number, level)))
            teams.append(team._replace(players=tuple(players)))
        recorder.add(frame._replace(teams=tuple(teams)))  # type: ignore[arg-type]
    return recorder


def test_a_recording_that_was_never_finished_is_finished_and_one_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    recorder = recording(path)
    with pytest.raises(CutRefused):
        recover(str(path))
    with pytest.raises(CutRefused):
        rewind(str(path), parse_position("20"), lambda _: True)
    recorder.leave()
    with path.open("ab") as file:
        file.write(b"a frame that was not counted")
    told = recover(str(path))
    assert told["lost_bytes"] == 28
    assert (read_by_the_reference(path), is_sound(path)) == (45, True)
    with closing(open_replay(str(path))) as replay:
        assert replay.info.status is Status.FINISHED


def test_a_rewound_recording_is_continued_from_there(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    recording(path).leave()
    whole = frames_of(path)
    for where, frames in (("frame:39", 40), ("frame:14", 15), ("start", 1)):
        told = rewind(str(path), parse_position(where), lambda _: True)
        assert (told["rewound"], told["frame"]) == (True, frames - 1)
        assert frames_of(path) == whole[:frames]
        assert read_by_the_reference(path) == frames
        recording(path).leave()
        assert [frame.time for frame in frames_of(path)] == [frame.time for frame in whole]
    assert len(kept_of(str(path))) == 3


def test_whole_chunks_stay_as_they_are_and_the_loss_is_shown_before(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    data = (SAMPLES / "arena.butter").read_bytes()
    path.write_bytes(data)
    asked: list[Record] = []

    def refuse(lost: Record) -> bool:
        asked.append(lost)
        return False

    with ButterFile(str(path)) as reader:
        chunks = [reader.stored(number) for number in range(reader.count)]
    for dry_run in (True, False):
        told = rewind(str(path), parse_position("frame:69"), refuse, dry_run=dry_run)
        assert (told["rewound"], told["kept_in"], path.read_bytes()) == (False, None, data)
    (lost,) = asked
    assert (lost["frame"], lost["lost_frames"], lost["size"]) == (69, 30, len(data))
    assert lost["lost_bytes"] > 0
    whole = frames_of(path)
    told = rewind(str(path), parse_position("frame:69"), lambda _: True)
    assert {**lost, "rewound": True, "kept_in": told["kept_in"]} == told
    assert Path(told["kept_in"]).read_bytes() == data
    with ButterFile(str(path)) as reader:
        assert [reader.stored(number) for number in range(2)] == chunks[:2]
    assert [frame.time for frame in frames_of(path)] == [frame.time for frame in whole[:70]]
    assert is_sound(path)
    assert rewind(str(path), parse_position("end"), refuse)["offset"] is None


@pytest.mark.parametrize("name", ["text.echoreplay", "zip.echoreplay"])
def test_a_text_goes_back_line_by_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    rows = lines(session_file(played()))
    path.write_bytes(zipped(b"".join(rows)) if name.startswith("zip") else b"".join(rows))
    for frame in (7, 3, 0):
        told = rewind(str(path), parse_position(f"frame:{frame}"), lambda _: True)
        kept = b"".join(rows[: frame + 1])
        assert (told["frame"], told["offset"]) == (frame, len(kept))
        if name.startswith("zip"):
            with ZipFile(path) as archive:
                assert archive.read(archive.namelist()[0]) == kept
        else:
            assert path.read_bytes() == kept
    assert len(kept_of(str(path))) == 3


def test_the_documented_keys_are_those_of_record_recover_and_rewind(nhlog: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    whole = nhlog("dump", SAMPLES / "arena.butter", "--json").out.encode()
    told = {"record": nhlog("record", path, "--open", "--json", stdin=whole).records}
    told["rewind"] = nhlog("rewind", path, "--to", "50%", "--yes", "--json").records
    told["recover"] = nhlog("recover", path, "--json").records
    for verb, records in told.items():
        keys = documented(DOCUMENT)[f"nhlog {verb}"][""]
        assert [seen(record, keys) for record in records] == [set(keys)]
