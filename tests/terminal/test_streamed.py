"""The live stream of a recording: whoever comes at any time is shown what a terminal shows who saw all of it."""

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from nhlog.formats import open_recording
from nhlog.formats.asciicast.wire.alis import Event, decode_message
from nhlog.testing import ReplayContract
from nhlog.timeline import MICROSECONDS, Position
from nhlog.vt import Size
from terminal.streamed import LiveStream, cast_of, open_stream
from tests.conftest import Done
from tests.contract import (
    test_butter,
    test_hollowcube,
    test_nhgame,
    test_teehistorian,
)
from tests.corpus import SAMPLES, corpus
from tests.terminal.watcher import Watcher

SIZE = Size(100, 30)
GROWING = {
    "NetHack 4": test_nhgame.TestNhgame,
    "Hollow Cube": test_hollowcube.TestTextLayout,
    "DDNet": test_teehistorian.TestTeehistorian,
    "Echo VR": test_butter.TestButter,
}


@contextmanager
def streamed(path: Path) -> Iterator[LiveStream]:
    with closing(open_stream(str(path), SIZE)) as stream:
        yield stream


@pytest.mark.parametrize("name", GROWING)
def test_any_recording_that_grows_is_a_live_stream(name: str, tmp_path: Path) -> None:
    recordings: ReplayContract = GROWING[name]()
    old, new = recordings.growing()
    path = tmp_path / f"growing{recordings.ending}"
    recordings.put(path, old)
    with streamed(path) as stream:
        early = Watcher(stream.begin())
        before = early.grid
        recordings.append(path, new[: len(new) // 2])
        early.take(stream.look(1.0))
        recordings.append(path, new[len(new) // 2 :])
        early.take(stream.look(2.0))
        late = Watcher(stream.begin())
        assert early.grid.text() == late.grid.text() != before.text()
        assert early.time == late.time
    with streamed(path) as stream:
        assert Watcher(stream.begin()).grid.text()[:-1] == late.grid.text()[:-1]  # but for what it tells meanwhile


@pytest.mark.parametrize("name", ["bash-unicode.ttyrec", "nh366-ibmgfx-sam.ttyrec", "bash-resize-asciinema24.cast"])
def test_a_recorded_terminal_passes_on_what_was_written_with_its_times(name: str, tmp_path: Path) -> None:
    whole = corpus("terminal", "recorded", name).read_bytes()
    chance, path = random.Random(name), tmp_path / name
    size = len(whole) // 4
    path.write_bytes(whole[:size])
    with streamed(path) as stream:
        watchers = [Watcher(stream.begin())]
        while size < len(whole):
            size += chance.randrange(1, len(whole) // 12)
            path.write_bytes(whole[:size])
            messages = stream.look(0.0)
            for watcher in watchers:
                watcher.take(messages)
            if chance.random() < 0.5:
                watchers.append(Watcher(stream.begin()))
    with closing(open_recording(str(path))) as replay:
        replay.seek(replay.timeline.last)
        for watcher in watchers:
            assert watcher.grid.rows == replay.state.grid.rows
            assert (watcher.grid.cursor, watcher.time) == (replay.state.grid.cursor, replay.info.duration)


CAST = b'{"version": 2, "width": 80, "height": 24, "command": "secret"}\n[0.5, "o", "hello"]\n'


@pytest.fixture
def cast(tmp_path: Path) -> Path:
    path = tmp_path / "some.cast"
    path.write_bytes(CAST)
    return path


def test_what_was_typed_stays_here(cast: Path) -> None:
    with cast.open("ab", buffering=0) as file, streamed(cast) as stream:
        file.write(b'[1, "i", "password"]\n[1.25, "m", "here"]\n[2, "o", "world"]\n')
        events = [decode_message(message) for message in stream.look(0.0)]
        assert events == [Event(2, 750_000, "m", b"here"), Event(3, 750_000, "o", b"world")]
        assert b"secret" not in stream.begin()


def test_who_has_missed_much_is_shown_the_screen(cast: Path) -> None:
    with streamed(cast) as stream:
        with cast.open("ab") as file:
            file.writelines(b'[%d, "o", "%s"]\n' % (number, b"x" * 999) for number in range(1, 300))
        (message,) = stream.look(0.0)
        assert message == stream.begin()
        assert Watcher(message).time == 299 * MICROSECONDS


def test_a_recording_that_is_written_anew_begins_anew(cast: Path) -> None:
    with streamed(cast) as stream:
        cast.write_bytes(CAST.replace(b"hello", b"other"))
        (message,) = stream.look(0.0)
        assert Watcher(message).grid.text()[0] == "other"
        cast.write_bytes(b"")
        assert stream.look(1.0) == []  # and what is known stays


def test_it_ends_with_the_program_or_when_nobody_writes(cast: Path) -> None:
    with streamed(cast) as stream:
        assert stream.ended
    with cast.open("ab", buffering=0) as file, streamed(cast) as stream:
        assert not stream.ended
        file.write(b"rubbish\n")
        assert (stream.look(0.0), stream.ended) == ([], False)  # damaged, but being written
        file.write(b'[3, "x", "0"]\n')
        stream.look(1.0)
        file.close()
        assert stream.ended


def test_a_finished_game_is_shown_as_it_ended() -> None:
    with streamed(SAMPLES / "died2.nhgame") as stream:
        assert stream.ended
        text = "".join(Watcher(stream.begin()).grid.text())
        assert "game over" in text
        assert "nothing to follow" not in text
        assert "help" not in text  # nobody can press its key there


def written(path: Path, tmp_path: Path) -> bytes:
    """The cast of a recording, which is in a file beside it, too."""
    made = tmp_path / "made.cast"
    made.write_bytes(b"".join(cast_of(str(path), SIZE)))
    return made.read_bytes()


@pytest.mark.parametrize("name", ["bash-unicode.ttyrec", "nh366-ibmgfx-sam.ttyrec"])
def test_the_cast_of_a_recorded_terminal_has_its_output_and_its_times(name: str, tmp_path: Path) -> None:
    path = corpus("terminal", "recorded", name)
    written(path, tmp_path)
    with closing(open_recording(str(path))) as replay, closing(open_recording(str(tmp_path / "made.cast"))) as made:
        assert made.info.duration == replay.info.duration
        for at in (20, 50, 80, 100):
            time = Position("time", replay.info.duration * at // 100)
            for one in (replay, made):
                one.seek(one.timeline.resolve(time))
            assert made.state.grid.text() == replay.state.grid.text()


def test_the_cast_of_a_game_is_what_convert_writes(tmp_path: Path, nhlog: Callable[..., Done]) -> None:
    game = corpus("nethack4", "short1.nhgame")
    nhlog("convert", game, tmp_path / "converted.cast", "--size", "100x30")
    assert written(game, tmp_path) == (tmp_path / "converted.cast").read_bytes()


def test_a_cast_has_nothing_that_was_typed_or_of_the_machine(cast: Path, tmp_path: Path) -> None:
    with cast.open("ab") as file:
        file.write(b'[1, "i", "password"]\n[2, "m", "here"]\n[2, "o", "half')
    header, *events = map(json.loads, written(cast, tmp_path).splitlines())
    assert header == {"version": 2, "width": 80, "height": 24}
    assert events == [[0.5, "o", "hello"], [2.0, "m", "here"]]
