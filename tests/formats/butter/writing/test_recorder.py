"""A .butter file that is being recorded is sound at every moment, whatever becomes of the recorder."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.errors import LockNotObtained, NhlogError, Unsupported, Usage
from nhlog.formats.butter.info import list_session, session_info
from nhlog.formats.butter.operations import verify
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.replay import open_replay
from nhlog.formats.butter.wire.decode import ReferenceDecoder
from nhlog.formats.butter.wire.header import Header, Roster
from nhlog.formats.butter.wire.values import Frame, Player
from nhlog.formats.butter.writing.recorder import Recorder
from nhlog.replay import Change, Status
from tests.corpus import corpus
from tests.formats.butter.written import chunks_of, read_back, session

INTERVAL = 7


def whole() -> tuple[Header, list[Frame]]:
    """A session in which now and then somebody joins who was never there."""
    header, _, frames = session(corpus("butter", "sessions", "tutorial_short.echoreplay"))
    return replace(header, interval=INTERVAL, compression="gzip"), list(frames)


def theirs(recorder: Recorder, frame: Frame, number: int) -> Frame:
    """The frame with the players that the recorder's table has; each thirteenth brings a new one."""

    def player(one: Player, more: int) -> Player:
        who = one.who
        found = recorder.roster.person(who.userid + more, f"{who.name}{more or ''}", who.number, who.level)
        return one._replace(who=found, playerid=one.playerid + more)

    teams = []
    for place, team in enumerate(frame.teams):
        players = [player(one, 0) for one in team.players]
        if players and number >= 13 and not place:
            players.append(player(team.players[0], number // 13))
        teams.append(team._replace(players=tuple(players)))
    return frame._replace(teams=tuple(teams))


def record(path: Path, first: int, last: int, *, room: int = 4) -> Recorder:
    header, frames = whole()
    recorder = Recorder(str(path), header, room=room)
    for number in range(first, last):
        recorder.add(theirs(recorder, frames[number], number))
    return recorder


def read(path: Path) -> list[Frame]:
    """The frames as the reference reads them; there is no fault anywhere."""
    with ButterFile(str(path), ReferenceDecoder) as reader:
        chunks = [reader.chunk(number) for number in range(reader.count)]
        assert [chunk.fault for chunk in chunks if chunk.fault] == []
        assert all(len(chunk.frames) == INTERVAL for chunk in chunks[:-1])
        return [frame for chunk in chunks for frame in chunk.frames]


def is_sound(path: Path) -> bool:
    *_, report = verify(str(path))
    return bool(report["sound"])


def test_every_frame_is_in_the_file_at_once_and_seen_by_who_watches(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    header, frames = whole()
    recorder = Recorder(str(path), header, room=4)
    recorder.add(theirs(recorder, frames[0], 0))
    replay = open_replay(str(path))
    for number in range(1, 60):
        recorder.add(theirs(recorder, frames[number], number))
        assert replay.refresh() is Change.GREW
        assert replay.timeline.last == number
        assert replay.info.status is list_session(str(path)).status is Status.LIVE
        if number % 6 == 0:
            assert [frame.time for frame in read(path)] == [frame.time for frame in frames[: number + 1]]
            assert is_sound(path)
    replay.seek(59)
    seen = replay.state
    recorder.finish()
    assert replay.refresh() is Change.FINISHED
    assert replay.state == seen
    replay.close()
    assert session_info(str(path)).compression == "gzip"
    assert (list_session(str(path)).status, is_sound(path)) == (Status.FINISHED, True)
    assert os.listdir(tmp_path) == ["a.butter"]


def test_what_is_recorded_is_what_convert_would_write(tmp_path: Path) -> None:
    record(tmp_path / "a.butter", 0, 50).finish()
    header, frames = whole()
    roster = Roster()
    table = type("Table", (), {"roster": roster})
    same = [theirs(table, frame, number) for number, frame in enumerate(frames[:50])]  # type: ignore[arg-type]
    assert read(tmp_path / "a.butter") == read_back(
        (header, roster, same), chunks_of((header, roster, same), INTERVAL), ReferenceDecoder
    )


def recording_child(path: Path, first: int) -> tuple[int, int]:
    """A process that records from frame `first` on as fast as it can, and a pipe that gets a byte for each frame."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            header, frames = whole()
            recorder = Recorder(str(path), header, room=4)
            for number in range(first, len(frames)):
                recorder.add(theirs(recorder, frames[number], number))
                os.write(writing, b".")
            signal.pause()
        finally:
            os._exit(1)
    os.close(writing)
    return child, reading


def test_a_kill_at_any_time_leaves_all_frames_but_one_and_another_recorder_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    _, frames = whole()
    kept = kills = 0
    for more in (*[1, 3, 2, 5, 8, 4, 6, 7] * 3, 1000):
        child, pipe = recording_child(path, kept)
        seen = 0
        while seen < more and kept + seen < len(frames):
            assert os.read(pipe, 1), "it ended by itself"
            seen += 1
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        seen += len(os.read(pipe, 1 << 16))
        os.close(pipe)
        kills += 1
        found = read(path)
        assert kept + seen <= len(found) <= kept + seen + 1
        assert [frame.time for frame in found] == [frame.time for frame in frames[: len(found)]]
        assert is_sound(path)
        kept = len(found)
        if kept == len(frames):
            break
    assert kept == len(frames)
    assert kills > 10


def test_a_recording_that_is_not_finished_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    for first, last in ((0, 10), (10, 11), (11, 40)):
        recorder = record(path, first, last)
        assert recorder.frames == last
        recorder.leave()
    record(path, 40, 50).finish()
    _, frames = whole()
    assert [frame.time for frame in read(path)] == [frame.time for frame in frames[:50]]
    assert len(read(path)[-1].players) == len(frames[49].players) + 1
    with pytest.raises(Usage, match="finished"):
        record(path, 50, 51)
    header, _ = whole()
    again = Recorder(str(path), header, force=True)
    again.add(theirs(again, frames[0], 0))
    again.finish()
    assert len(read(path)) == 1


def test_two_recorders_of_one_file_are_refused_and_so_is_another_session(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    header, _ = whole()
    first = record(path, 0, 20)
    for force in (False, True):
        with pytest.raises(LockNotObtained):
            Recorder(str(path), header, force=force)
    late = Recorder(str(tmp_path / "b.butter"), header)
    other = record(tmp_path / "b.butter", 0, 1)
    with pytest.raises(LockNotObtained):
        late.add(whole()[1][0])
    other.leave()
    first.leave()
    with pytest.raises(Usage, match="another session"):
        Recorder(str(path), replace(header, sessionid=header.sessionid[::-1]))
    record(path, 20, 21).finish()


def test_a_session_without_room_is_refused_and_what_was_recorded_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    header, frames = whole()
    with pytest.raises(Unsupported):
        Recorder(str(path), replace(header, map_name="mpl_moon"))
    recorder = record(path, 0, 20)
    frame = theirs(recorder, frames[20], 20)
    player = frame.teams[0].players[0]

    def crowd(rows: int) -> Frame:
        more = range(1000 * rows, 1000 * rows + rows - len(recorder.roster.people))
        people = [recorder.roster.person(userid, f"P{userid}", 1, 1) for userid in more]
        blue = frame.teams[0]._replace(players=tuple(player._replace(who=who) for who in people))
        return frame._replace(teams=(blue, *frame.teams[1:]))

    recorder.add(crowd(255))
    with pytest.raises(Unsupported, match="too many players"):
        recorder.add(crowd(256))
    with pytest.raises(NhlogError):
        recorder.add(frames[21])
    recorder.leave()
    assert len(read(path)) == 21
    assert is_sound(path)
