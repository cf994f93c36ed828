"""The records of sessions are those that docs/butter.md describes, and say what happened."""

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest

from nhlog.errors import Damaged, TooShort
from nhlog.formats import format_of, is_recording, open_recording
from nhlog.formats.butter.operations import dump, info, listing, open_replay, state, stats, verify
from nhlog.formats.follow import happened as events
from nhlog.operations import as_record
from nhlog.replay import Change, Status
from nhlog.timeline import NoSuchPosition, parse_position
from tests.contract.json_contract import documented, seen
from tests.contract.test_butter import played
from tests.corpus import ROOT, SAMPLES, corpus
from tests.formats.butter.made import HEADER, START, joined, key, moved, session_file, step

DOCUMENT = (ROOT / "docs" / "butter.md").read_text()
READING = ("info", "ls", "dump", "verify", "state", "stats", "events")
SECTIONS = [f"nhlog {verb}" for verb in READING]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Sessions that make the verbs say all that they can."""
    whole = session_file(played())
    made = {"whole": whole, "cut": whole[:-3], "empty": session_file([]), "trailing": whole + b"more"}
    for name, data in made.items():
        (tmp_path / f"{name}.butter").write_bytes(data)
    bones = key()[:-1] + b"\x03" + b"\1\0\0\1\0\0" + b"\0\0\0" + b"\xff\xf7\xdf\x7f"
    (tmp_path / "bones.butter").write_bytes(session_file([[bones]]))
    return [str(tmp_path / f"{name}.butter") for name in (*made, "bones")] + [str(SAMPLES / "arena.butter")]


def records(title: str, file: str) -> list[dict[str, Any]]:
    if title == "nhlog info":
        return [as_record(info(file))]
    if title == "nhlog ls":
        return [as_record(listing(file))]
    if title == "nhlog state":
        if "empty" in file:
            return []
        with closing(open_replay(file)) as replay:
            return [state(replay)]
    verb = {"nhlog dump": dump, "nhlog verify": verify, "nhlog stats": stats, "nhlog events": events}[title]
    return [] if "empty" in file and verb is events else list(verb(file))


def kind_of(title: str, record: Mapping[str, Any]) -> str:
    if title == "nhlog dump":
        return "error" if "error" in record else "frame"
    if title == "nhlog verify":
        return "report" if "sound" in record else "finding"
    return str(record["kind"]) if title == "nhlog stats" else ""


@pytest.mark.parametrize("title", SECTIONS)
def test_the_documented_keys_are_exactly_those_there_are(files: list[str], title: str) -> None:
    kinds = documented(DOCUMENT)[title]
    met: dict[str, set[str]] = {kind: set() for kind in kinds}
    for file in files:
        for record in records(title, file):
            kind = kind_of(title, record)
            met[kind] |= seen(json.loads(msgspec.json.encode(record)), kinds[kind])
    assert met == {kind: set(keys) for kind, keys in kinds.items()}


def test_the_kinds_of_events_are_those_of_the_document() -> None:
    told = DOCUMENT.partition("## `nhlog events`")[2].partition("|")[0]
    found = {record["kind"] for record in events(str(corpus("butter", "ref", "arena_mid.k300.gzip.butter")))}
    assert len(found) > 8
    assert [kind for kind in sorted(found) if f"`{kind}`" not in told] == []


def write(tmp_path: Path, *chunks: list[bytes]) -> str:
    path = tmp_path / "made.butter"
    path.write_bytes(session_file(chunks))
    return str(path)


def test_what_happened_is_told_at_its_frame(tmp_path: Path) -> None:
    told = [(record["step"], record["kind"], record["text"]) for record in events(write(tmp_path, *played()))]
    assert told == [
        (0, "begin", "the recording begins, with blue Ada; orange Bo"),
        (1, "stun", "Bo is stunned"),
        (2, "status", "status score"),
        (2, "goal", "goal for orange: 3 points by Bo, slam dunk, 12.5 m/s from 8.0 m, assist by Ada"),
        (3, "pause", "paused"),
        (4, "status", "status playing"),
        (4, "join", "Cy joined orange"),
        (5, "gap", "nothing was recorded for 2.0 s"),
        (5, "pause", "unpaused"),
        (6, "leave", "Bo left orange"),
        (7, "swap", "Cy went from orange to spectators"),
        (8, "gap", "the recorded clock goes back by 1.20 s"),
        (8, "status", "status round_over"),
        (8, "leave", "Cy left spectators"),
    ]


def test_markers_are_the_events_that_a_viewer_marks(tmp_path: Path) -> None:
    replay = open_replay(write(tmp_path, *played()))
    marked = [(marker.step, marker.kind, marker.name) for marker in replay.timeline.markers]
    assert marked[:6] == [
        (2, "status", "score"),
        (2, "goal", "goal 1"),
        (3, "pause", "paused"),
        (4, "status", "playing"),
        (4, "join", "Cy joined orange"),
        (5, "gap", "gap 1"),
    ]
    assert {event.step for event in replay.events(1, 99) if event.kind != "stun"} == {step for step, *_ in marked}
    assert replay.timeline.resolve(parse_position("marker:goal 1")) == 2
    replay.close()


def test_the_games_clock_is_a_position(tmp_path: Path) -> None:
    """It counts down and starts anew: the next place that shows it counts, and after the last one the first."""
    rounds = [[key(START + 1000 * number, 600.0), *[step(clock=-0.5)] * 4] for number in range(2)]
    with closing(open_replay(write(tmp_path, *rounds))) as replay:
        timeline, there = replay.timeline, parse_position("clock:9:59")
        assert [timeline.resolve(there, here) for here in (0, 2, 7, 9)] == [2, 7, 2, 2]
        assert timeline.resolve(parse_position("clock:9:58.7"), 0) == 3
        with pytest.raises(NoSuchPosition):
            timeline.resolve(parse_position("clock:0:10"))


def test_where_the_clock_goes_back_the_time_stands_still(tmp_path: Path) -> None:
    replay = open_replay(write(tmp_path, *played()))
    times = list(replay.timeline.axes["time"].values)
    assert times == [0, 33000, 66000, 99000, 132000, 2132000, 2165000, 2198000, 2198000, 2198000]
    assert "goes back once" in replay.info.note
    assert replay.info.start == START * 1000
    replay.seek(8)
    assert state(replay)["utc"] == (START + 1000) * 1000
    replay.close()


def test_a_file_on_its_way_is_live_and_then_finished(tmp_path: Path) -> None:
    path, data = tmp_path / "coming.butter", session_file(played())
    path.write_bytes(data[:-5])
    replay = open_replay(str(path))
    assert replay.info.status is Status.LIVE
    assert "waiting for the rest of chunk 3 of 3" in replay.info.note
    assert listing(str(path)).status is Status.LIVE
    path.write_bytes(data)
    assert replay.refresh() is Change.FINISHED
    assert listing(str(path)).status is Status.FINISHED
    assert replay.timeline.last == 9
    replay.close()


def test_a_session_written_anew_with_more_has_grown(tmp_path: Path) -> None:
    """The recorder writes the whole file again, with a longer table."""
    path, chunks = tmp_path / "session.butter", played()
    path.write_bytes(session_file(chunks[:1]))
    replay = open_replay(str(path))
    replay.seek(2)
    path.write_bytes(session_file(chunks))
    assert (replay.refresh(), replay.step, replay.timeline.last) == (Change.GREW, 2, 9)
    path.write_bytes(b"")  # as it is for a moment while it is written
    with pytest.raises(TooShort):
        replay.refresh()
    assert (replay.step, replay.timeline.last) == (2, 9)
    path.write_bytes(session_file(chunks[1:]))
    assert replay.refresh() is Change.REWOUND
    replay.close()


def test_stats_add_up_what_players_do(tmp_path: Path) -> None:
    on = ([moved(1, (0.5, 0, 0), flags=1)], [moved(2)], ())
    off = ([moved(1, (0, 0, 0))], [moved(2)], ())
    start = ([joined(1, ping=80)], [joined(2, ping=30)], ())
    path = write(tmp_path, [key(teams=start), step(teams=on), step(teams=off), step(teams=off)])
    told = {record.get("player", record["team"]): record for record in stats(path)}
    assert (told["Ada"]["distance"], told["Ada"]["possession"], told["Ada"]["top_speed"]) == (0.5, 25.0, 1.0)
    assert told["Ada"]["ping"] == {"min": 80, "median": 80, "max": 80}
    assert (told["Bo"]["team"], told["Bo"]["distance"]) == ("orange", 0)
    assert told["blue"]["players"] == ["Ada"]


def test_one_listing_reads_the_header_and_two_chunks(tmp_path: Path) -> None:
    path = write(tmp_path, *[[key(START + 1000 * number), step(500)] for number in range(50)])
    told = listing(path)
    assert (told.start, told.duration) == (START * 1000, 49_500_000)
    assert told.people == tuple(person.name for person in HEADER.people)


def test_names_decide_what_is_a_session(tmp_path: Path) -> None:
    for name in ("a.butter", "b.echoreplay"):
        assert is_recording(name)
        assert format_of(name).name == "Echo VR recording"
    path = tmp_path / "a.butter"
    path.write_bytes(session_file([]))
    with pytest.raises(Damaged):
        open_recording(str(path))


def test_a_text_that_grows_by_many_lines_and_one_that_is_another(tmp_path: Path) -> None:
    def text(session: str) -> bytes:
        with ZipFile(corpus("butter", "sessions", f"{session}.echoreplay")) as archive:
            return archive.read(archive.namelist()[0])

    whole, other = text("tutorial_short") + text("tutorial_short") + text("tutorial_short"), text("arena_short")
    lines = whole.splitlines(keepends=True)
    path = tmp_path / "live.echoreplay"
    path.write_bytes(b"".join(lines[:130]))
    with closing(open_replay(str(path))) as replay:
        replay.seek(120)
        path.write_bytes(whole)
        assert replay.refresh() is Change.GREW
        with closing(open_replay(str(path))) as fresh:
            assert (replay.step, list(replay.timeline.markers)) == (120, list(fresh.timeline.markers))
            for step in (0, 99, 100, 129, 130, 299):
                replay.seek(step)
                fresh.seek(step)
                assert replay.state == fresh.state
        path.write_bytes(other)
        assert replay.refresh() is Change.REWOUND
        assert replay.info.people[0] == "Loma_Ridge-"


@pytest.mark.parametrize("session", ["arena_short", "combat_short"])
def test_a_session_and_what_was_made_of_it_tell_the_same(session: str) -> None:
    text = str(corpus("butter", "sessions", f"{session}.echoreplay"))
    compact = str(corpus("butter", "ref", f"{session}.k300.gzip.butter"))
    assert [record for record in verify(text) if not record.get("sound")] == []
    one, two = as_record(info(text)), as_record(info(compact))
    assert {one["dialect"], two["dialect"]} == {"echoreplay", "3"}
    same = ("health", "session", "server", "client", "map", "players", "start", "end", "frames", "rate", "goals")
    assert [one[name] for name in same] == [two[name] for name in same]
    told, compactly = ([(event["step"], event["text"]) for event in events(path)] for path in (text, compact))
    assert told == compactly
    for mine, theirs in zip(stats(text), stats(compact), strict=True):
        assert mine["stats"].pop("possession_time") == pytest.approx(theirs["stats"].pop("possession_time"), abs=0.2)
        assert (mine["stats"], mine["possession"]) == (theirs["stats"], theirs["possession"])
        assert mine["distance"] == pytest.approx(theirs["distance"], abs=0.3)
