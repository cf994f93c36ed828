"""The outline is kept for the next time, and never believed of other bytes; and a seek decodes what it needs."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog import cache
from nhlog.formats.butter.operations import info, rewind
from nhlog.formats.butter.reading import butterfile, decoding, index
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.replay import EchoReplay, open_replay
from nhlog.formats.butter.wire import frames
from nhlog.formats.butter.wire.header import Header, format_header
from nhlog.timeline import parse_position
from tests.changed import put
from tests.corpus import SAMPLES
from tests.doses import dose, seeded
from tests.formats.butter.made import HEADER, START, Session, joined, key, moved, session_file, step

CHUNKS, FRAMES = 12, 10
ROOM = 40  # for chunks, in the header of a file that grows
GOAL = (1 | 4 | 6 << 3, 2, 1, 12.5, 8.0)


def session(goals: int = 0) -> list[list[bytes]]:
    """Chunks in each of which somebody joins, the status changes and a goal is made in frame `goals`."""
    chunks = []
    for number in range(CHUNKS):
        here = (joined(1), joined(2)) if number % 2 else (joined(1),)
        still = tuple(moved(row + 1, (0.5, 0, 0.25)) for row in range(len(here)))
        made = [key(START + number * FRAMES * 33, 600.0 - number, (here, (), ()), status=4, score=(3, 0, 0, 0, number))]
        for at in range(1, FRAMES):
            goal = (*GOAL[:3], 12.5, float(number)) if at == goals else None
            made.append(step(teams=(still, (), ()), score=goal, status=(5, 0, 3) if at == 7 else None))
        chunks.append(made)
    return chunks


def growing(chunks: Session, header: Header = HEADER) -> bytes:
    """A file that is not finished: there is room for more chunks in its header."""
    data = [b"".join(chunk) for chunk in chunks]
    sizes = (*map(len, data), *(0,) * (ROOM - len(data)))
    return format_header(replace(header, sizes=sizes)) + b"".join(data)


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(index, "LEAST", 0)
    monkeypatch.setattr("nhlog.formats.butter.reading.butterfile.WORTHWHILE", 0)
    monkeypatch.setattr(cache, "_STRETCH", 64)
    return tmp_path / "cache" / "nhlog" / "butter"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The offsets of the frames that were read."""
    found: list[int] = []
    read = butterfile.read_frames

    def counted(*arguments: object, **named: object) -> Iterator[object]:
        for frame in read(*arguments, **named):
            found.append(frame.offset)
            yield frame

    monkeypatch.setattr(butterfile, "read_frames", counted)
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.butter"
    path.write_bytes(growing(session()))
    return path


def told(path: Path) -> list[object]:
    """All that depends on the outline."""
    with closing(open_replay(str(path))) as replay:
        timeline = replay.timeline
        axes = [list(axis.values) for axis in timeline.axes.values()]
        description = (replay.info, *timeline.markers, *axes, list(timeline.clock or ()), list(timeline.keyframes))
        return [*description, *(state_at(replay, step) for step in range(timeline.last + 1)), replay.outline.events]


def state_at(replay: EchoReplay, step: int) -> object:
    replay.seek(step)
    return replay.state


def anew(path: Path, home: Path) -> list[object]:
    """What is told when nothing is kept."""
    for entry in home.iterdir():
        entry.unlink()
    return told(path)


def test_who_opens_a_session_again_decodes_no_frame(path: Path, parsed: list[int]) -> None:
    open_replay(str(path)).close()
    assert len(parsed) >= CHUNKS * FRAMES
    del parsed[:]
    with closing(open_replay(str(path))) as replay:
        assert replay.timeline.last == CHUNKS * FRAMES - 1
        assert info(str(path)).frames == CHUNKS * FRAMES
        assert parsed == []
        replay.seek(3 * FRAMES + 4)
        assert replay.state.frame.time == START + 34 * 33
        assert len(parsed) == 5
        replay.seek(3 * FRAMES + 6)
        assert replay.state.fault == ""
        assert len(parsed) == 7, "it goes on from where it was"
        replay.seek(3 * FRAMES)
        assert replay.state.fault == ""
        assert len(parsed) == 7


@pytest.mark.parametrize("make", [growing, session_file], ids=["live", "finished"])
def test_what_is_known_from_the_cache_is_what_is_found_without_it(make, tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    path.write_bytes(make(session(3)))
    first = told(path)
    assert told(path) == first


def test_a_real_session_is_the_same_from_the_cache(tmp_path: Path, cache_home: Path, parsed: list[int]) -> None:
    path = tmp_path / "a.butter"
    path.write_bytes((SAMPLES / "arena.butter").read_bytes())
    first = told(path)
    assert list(cache_home.iterdir())
    del parsed[:]
    assert told(path) == first
    assert 0 < len(parsed) <= len(first)


@pytest.mark.parametrize("known", [1, 5, CHUNKS - 1])
def test_of_a_session_that_grew_only_what_was_added_is_read(
    path: Path, known: int, cache_home: Path, parsed: list[int]
) -> None:
    put(path, growing(session()[:known]))
    open_replay(str(path)).close()
    put(path, growing(session()))
    del parsed[:]
    open_replay(str(path)).close()
    assert len(parsed) == (CHUNKS - known) * FRAMES
    assert told(path) == anew(path, cache_home)


def test_a_chunk_that_grew_is_read_from_its_start(path: Path, cache_home: Path, parsed: list[int]) -> None:
    *most, last = session()
    put(path, growing([*most, last[:4]]))
    open_replay(str(path)).close()
    put(path, growing([*most, last]))
    del parsed[:]
    open_replay(str(path)).close()
    assert len(parsed) == FRAMES
    assert told(path) == anew(path, cache_home)


@pytest.mark.parametrize("at", [0, 1, 4, 5, 60, 200, -1])
def test_a_damaged_entry_is_as_none(path: Path, at: int, cache_home: Path, parsed: list[int]) -> None:
    expected = told(path)
    (entry,) = cache_home.iterdir()
    data = bytearray(entry.read_bytes())
    data[at] ^= 1
    entry.write_bytes(data)
    del parsed[:]
    open_replay(str(path)).close()
    assert len(parsed) >= CHUNKS * FRAMES
    assert told(path) == expected


def test_another_session_of_the_same_size_in_its_place_is_read(path: Path, cache_home: Path) -> None:
    put(path, growing(session(3)))
    before = told(path)
    other = growing(session(5))
    assert len(other) == path.stat().st_size
    put(path, other)
    after = told(path)
    assert after != before
    assert after == anew(path, cache_home)


def test_chunks_before_one_that_was_changed_are_known(path: Path, cache_home: Path, parsed: list[int]) -> None:
    chunks = session()
    open_replay(str(path)).close()
    chunks[8] = session(3)[8]
    assert sum(map(len, chunks[8])) != sum(map(len, session()[8]))
    put(path, growing(chunks))
    del parsed[:]
    open_replay(str(path)).close()
    assert len(parsed) == (CHUNKS - 8) * FRAMES
    assert told(path) == anew(path, cache_home)


def test_players_who_are_others_now_are_read(path: Path, cache_home: Path) -> None:
    before = told(path)
    eve = HEADER.people[1]._replace(name="Al")
    put(path, growing(session(), replace(HEADER, people=(HEADER.people[0], eve, HEADER.people[2]))))
    after = told(path)
    assert after != before
    assert after == anew(path, cache_home)
    assert any("Al joined" in marker.name for marker in open_replay(str(path)).timeline.markers)


def test_of_a_session_that_was_rewound_nothing_behind_the_cut_is_known(path: Path, cache_home: Path) -> None:
    open_replay(str(path)).close()
    rewind(str(path), parse_position("frame:54"), lambda lost: True, keep=False)
    assert open_replay(str(path)).timeline.last == 54
    assert told(path) == anew(path, cache_home)
    put(path, growing(session()[:4]))
    assert open_replay(str(path)).timeline.last == 4 * FRAMES - 1
    assert told(path) == anew(path, cache_home)


def test_what_is_wrong_with_a_chunk_is_told_each_time(path: Path, cache_home: Path, parsed: list[int]) -> None:
    chunks = session()
    chunks[6][5] = b"\0\0" + chunks[6][5][2:]
    put(path, growing(chunks))
    first = told(path)
    assert open_replay(str(path)).info.status == "damaged"
    assert told(path) == first
    del parsed[:]
    assert "chunk 6" in info(str(path)).health
    assert len(parsed) == 5 + 5 * FRAMES, "those of the chunk with the fault, and of the chunks behind it"


# what a seek decodes


def test_a_seek_gives_what_decoding_the_whole_chunk_gives(tmp_path: Path) -> None:
    """Also where pause timers have to be raised, which only the last frames of a chunk may tell."""
    path = tmp_path / "a.butter"
    ada = ([joined(1)], (), ())
    still = ([moved(1)], (), ())
    timed = [
        [key(START, teams=ada), *[step(teams=still)] * 4, step(teams=still, pause=(1, -0.5)), *[step(teams=still)] * 4],
        [key(START + 330, teams=ada), *[step(teams=still, pause=(1, 0.25))] * 9],
    ]
    path.write_bytes(session_file(timed))
    for file in (path, SAMPLES / "arena.butter"):
        with ButterFile(str(file)) as reader:
            whole = [frame for chunk in reader.chunks() for frame in chunk.frames]
        for _ in range(2):
            with closing(open_replay(str(file))) as replay:
                steps = list(range(len(whole)))
                seeded(1).shuffle(steps)
                for at in steps:
                    replay.seek(at)
                    assert replay.state.frame == whole[at]
                assert list(replay.frames(0, len(whole) - 1)) == whole
    assert whole != []


def long_chunk(frames: int) -> list[bytes]:
    still = ([moved(1, (0.5, 0, 0.25))], [moved(2)], ())
    return [key(teams=([joined(1)], [joined(2)], ())), *[step(teams=still)] * (frames - 1)]


def test_a_place_in_a_long_chunk_is_reached_from_a_mark_that_was_passed_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: list[int]
) -> None:
    monkeypatch.setattr(decoding, "APART", 10)
    monkeypatch.setattr(butterfile, "_KEPT", 0)
    path = tmp_path / "a.butter"
    path.write_bytes(session_file([long_chunk(200), long_chunk(200)]))
    with ButterFile(str(path)) as reader:
        whole = [frame for chunk in reader.chunks() for frame in chunk.frames]
    with closing(open_replay(str(path))) as replay:
        for at in (199, 399):
            assert state_at(replay, at) == (at, whole[at], "")
        for at in seeded(1).sample(range(400), dose("butter.places")):
            del parsed[:]
            assert state_at(replay, at) == (at, whole[at], "")
            assert len(parsed) <= 11
        assert list(replay.frames(150, 260)) == whole[150:261]
        assert replay.source.chunk(0).frames == tuple(whole[:200])


def test_marks_are_bounded_and_what_is_too_much_for_a_chunk_is_so_from_each_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "APART", 10)
    monkeypatch.setattr(decoding, "_MOST", 7)
    monkeypatch.setattr(butterfile, "_KEPT", 0)
    path = tmp_path / "a.butter"
    path.write_bytes(session_file([long_chunk(200)] * 3))
    with closing(open_replay(str(path))) as replay:
        monkeypatch.setattr(frames, "MOST_PLAYERS", 300)
        expected = [replay.source.chunk(number) for number in range(3)]
        assert [len(chunk.frames) for chunk in expected] == [150] * 3
        for at in seeded(1).sample(range(600), 2 * dose("butter.places")):
            replay.seek(at)
            chunk = expected[at // 200]
            assert replay.state.frame == chunk.frames[min(at % 200, 149)]
            assert replay.state.fault == ("" if at % 200 < 150 else str(chunk.fault))
            assert replay.source._marks._count <= 7


def test_decoded_frames_are_kept_within_a_bound(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(butterfile, "_KEPT", 16 * 2 * FRAMES)
    with closing(open_replay(str(path))) as replay:
        for at in seeded(1).sample(range(CHUNKS * FRAMES), dose("butter.kept")):
            replay.seek(at)
            assert replay.state.fault == ""
            decodings = replay.source._decodings.values()
            assert sum(len(decoding.frames) for decoding in decodings) <= 3 * FRAMES
