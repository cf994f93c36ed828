"""`nhlog record NAME.butter` as one uses it: from lines, and from the game's own interface."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from zipfile import ZipFile

import pytest

from nhlog.formats.butter.operations import diff
from nhlog.formats.butter.reading.butterfile import ButterFile
from nhlog.formats.butter.writing.recording import EchoRecording
from tests.corpus import ROOT, SAMPLES, corpus
from tests.guests import needs
from tests.starter import Started
from tests.waiting import PATIENCE

SAMPLE = SAMPLES / "arena.butter"
Command = Callable[..., Any]


def differing(one: Path, other: Path) -> set[str]:
    *fields, report = diff(str(one), str(other))
    assert (report["only_a"], report["only_b"]) == (0, 0)
    return {field["field"] for field in fields if field["unit"] in ("frames", "recording", "ms") and field["largest"]}


def frames_of(path: Path) -> int:
    with ButterFile(str(path)) as reader:
        return sum(len(chunk.frames) for chunk in reader.chunks())


def test_what_is_dumped_can_be_recorded_and_so_can_lines_of_an_echoreplay(nhlog: Command, tmp_path: Path) -> None:
    told = nhlog("record", tmp_path / "a.butter", "--json", stdin=nhlog("dump", SAMPLE, "--json").out.encode())
    assert told.code == 0, told.err
    assert told.records == [
        {
            "file": str(tmp_path / "a.butter"),
            "frames": 100,
            "duration": told.records[0]["duration"],
            "size": (tmp_path / "a.butter").stat().st_size,
            "finished": True,
        }
    ]
    assert differing(SAMPLE, tmp_path / "a.butter") == set()
    source = corpus("butter", "sessions", "arena_short_bones.echoreplay")
    with ZipFile(source) as archive:
        text = archive.read(archive.namelist()[0])
    told = nhlog("record", tmp_path / "b.butter", "--interval", "30", "--compression", "zstd_3", stdin=text)
    assert (told.code, differing(source, tmp_path / "b.butter")) == (0, {"goal"})  # which was none of the format's
    with ButterFile(str(tmp_path / "b.butter")) as reader:
        assert (reader.count, reader.header.compression, reader.header.interval) == (4, "zstd_3", 30)


def test_a_session_of_the_interface_is_now_and_what_it_says_without_one_is_passed_over(tmp_path: Path) -> None:
    moments = iter(range(1_700_000_000_000, 1_700_000_100_000, 33))
    recording = EchoRecording(str(tmp_path / "a.butter"), print, clock=lambda: next(moments) * 1_000_000)
    for said in (sessions()[0], b'{"err_code":-6}', b'{"teams": []}', sessions()[1]):
        recording.line(said)
    (told,) = recording.end()
    assert (told["frames"], told["duration"]) == (2, 33_000)


def sessions() -> list[bytes]:
    with ZipFile(corpus("butter", "sessions", "tutorial_short.echoreplay")) as archive:
        return [line.split(b"\t")[1] for line in archive.read(archive.namelist()[0]).splitlines()[:20]]


def test_a_recording_that_is_left_open_is_continued(nhlog: Command, tmp_path: Path) -> None:
    lines = nhlog("dump", SAMPLE, "--json").out.encode().splitlines(keepends=True)
    path = tmp_path / "a.butter"
    for first, options, frames in ((0, ["--open"], 40), (40, ["--open"], 80), (80, [], 100)):
        told = nhlog("record", path, "--json", *options, stdin=b"".join(lines[first:frames])).records[0]
        assert (told["frames"], told["finished"]) == (frames, not options)
        assert nhlog("ls", tmp_path, "--json").records[0]["status"] == ("live" if options else "finished")
    assert differing(SAMPLE, path) == set()
    assert nhlog("record", path, stdin=lines[0]).code == 2
    assert nhlog("record", path, "--force", stdin=lines[0]).code == 0


def test_another_session_begins_another_file(nhlog: Command, tmp_path: Path) -> None:
    lines = nhlog("dump", SAMPLE, "--json").out.encode().splitlines(keepends=True)
    with ButterFile(str(SAMPLE)) as reader:
        session = reader.header.sessionid.encode()
    other = [line.replace(session, session[::-1]) for line in lines]
    told = nhlog("record", tmp_path / "a.butter", "--json", stdin=b"".join((*lines[:5], *other[5:8], *lines[8:10])))
    assert [(Path(one["file"]).name, one["frames"]) for one in told.records] == [
        ("a.butter", 5),
        ("a-2.butter", 3),
        ("a-3.butter", 2),
    ]
    assert told.err.count("another session begins") == 2


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b"nonsense", "line 4: not a frame"),
        (b"{" * 100_000, "line 4: not a frame"),
        (b'{"t": "x", "frame": {}}', "line 4: not a frame"),
        (b'{"t": 1, "frame": {"teams": 1}}', "line 4: not a session"),
        (b'{"t": 1, "frame": {"teams": [], "sessionid": 5}}', "line 4: not a session"),
    ],
    ids=str,
)
def test_a_line_that_makes_no_sense_ends_it_and_what_came_before_is_kept(
    nhlog: Command, line: bytes, what: str, tmp_path: Path
) -> None:
    lines = nhlog("dump", SAMPLE, "--json").out.encode().splitlines(keepends=True)
    done = nhlog("record", tmp_path / "a.butter", stdin=b"".join(lines[:3]) + line + b"\n")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert what in done.err
    assert frames_of(tmp_path / "a.butter") == 3
    assert nhlog("record", tmp_path / "a.butter", stdin=b"".join(lines[3:5])).code == 0
    assert frames_of(tmp_path / "a.butter") == 5


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("a.butter", "--ring", "5m"), marks=needs("Hollow Cube")),
        ("a.butter", "--interval", "70000"),
        ("a.butter", "--compression", "xz"),
        ("a.butter", "--rate", "5"),
        ("a.butter", "--from", "ftp://x/session"),
        ("a.butter", "--from", "http://x/", "--input", "x"),
        pytest.param(("folder", "--interval", "5"), marks=needs("Hollow Cube")),
    ],
    ids=" ".join,
)
def test_a_request_without_sense_is_refused(nhlog: Command, arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = nhlog("record", tmp_path / arguments[0], *arguments[1:])
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert os.listdir(tmp_path) == []


def test_a_text_is_not_recorded(nhlog: Command, tmp_path: Path) -> None:
    done = nhlog("record", tmp_path / "a.echoreplay")
    assert (done.code, done.err) == (4, f"nhlog: {tmp_path / 'a.echoreplay'}: only .butter files can be recorded\n")
    assert os.listdir(tmp_path) == []


def test_the_file_is_there_before_its_first_frame(nhlog: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    lines = nhlog("dump", SAMPLE, "--json").out.encode().splitlines()[:4]
    recording = EchoRecording(str(path), print)
    assert path.read_bytes() == b""
    for line in lines:
        recording.line(line)
    [record] = recording.end()
    assert (record["file"], frames_of(path)) == (str(path), len(lines))


def test_an_empty_file_that_was_there_stays_where_no_frame_comes(tmp_path: Path) -> None:
    (tmp_path / "a.butter").touch()
    EchoRecording(str(tmp_path / "a.butter"), print).leave()
    EchoRecording(str(tmp_path / "b.butter"), print).leave()
    assert os.listdir(tmp_path) == ["a.butter"]


def test_without_a_frame_no_file_is_made(nhlog: Command, tmp_path: Path) -> None:
    assert nhlog("record", tmp_path / "a.butter", stdin=b'{"error": "x"}\n').code == 1
    assert os.listdir(tmp_path) == []


class Game(HTTPServer):
    """The interface of a game, which gives one answer after the other, and then is in no match."""

    def __init__(self, answers: list[bytes | None]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler, bind_and_activate=False)
        self.server_bind()
        self.answers = iter(answers)
        self.over = Event()
        self._serving = Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    def begin(self) -> None:
        """Answer from now on; before, who asks is refused."""
        self.server_activate()
        self._serving.start()

    def end(self) -> None:
        if self._serving.is_alive():
            self.shutdown()
        self.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/session"


class _Handler(BaseHTTPRequestHandler):
    server: Game

    def do_GET(self) -> None:
        answer = next(self.server.answers, b"")
        if answer == b"":
            self.server.over.set()
        self.send_response(200 if answer else 404)
        self.end_headers()
        self.wfile.write(answer or b'{"err_code":-6}')

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def games() -> Iterator[Callable[[list[bytes | None]], Game]]:
    made: list[Game] = []

    def make(answers: list[bytes | None]) -> Game:
        made.append(Game(answers))
        return made[-1]

    yield make
    for game in made:
        game.end()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_game_s_own_interface_is_asked_until_a_signal_comes(
    games: Callable[[list[bytes | None]], Game], number: signal.Signals, tmp_path: Path
) -> None:
    """It is silent at first, is on an unknown map, has a match and none, talks nonsense twice, has another session."""
    match = sessions()
    elsewhere = match[0].replace(b"mpl_tutorial_arena", b"mpl_moon").replace(b'"sessionid":"8', b'"sessionid":"6')
    again = [said.replace(b'"sessionid":"8', b'"sessionid":"7') for said in match]
    assert again != match
    game = games([None, elsewhere, *match[:8], None, b"{not", b"{so", *match[8:12], *again[:3]])
    command = [sys.executable, "-m", "terminal.cli", "record", "--json", str(tmp_path / "a.butter")]
    with Started(
        [*command, "--from", game.address, "--rate", "100"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert "refused; asking again" in process.stderr.readline()
        game.begin()
        assert game.over.wait(60)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert [(Path(told["file"]).name, told["frames"]) for told in map(json.loads, out.splitlines())] == [
        ("a.butter", 12),
        ("a-2.butter", 3),
    ]
    said = [line.split(": ", 2)[2] for line in err.splitlines() if game.address in line]
    waiting, again_there = "no match is played; waiting for one", "it answers again"
    assert said[0] == waiting
    assert "mpl_moon" in said[1]
    assert said[2:4] == [again_there, waiting]
    assert said[4].startswith("line 10: not a frame")
    assert said[5] == again_there
    assert frames_of(tmp_path / "a.butter") == 12


def test_of_a_process_that_is_killed_every_frame_is_kept_and_the_next_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.butter"
    lines = [b'{"t":%d,"frame":%s}\n' % (1_700_000_000_000 + 33 * n, said) for n, said in enumerate(sessions())]
    command = [sys.executable, "-m", "terminal.cli", "record", "--json", str(path)]
    for first in (0, 7, 14):
        with Started(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            process.stdin.write(b"".join(lines[first : first + 7]))
            process.stdin.flush()
            while not (path.exists() and path.stat().st_size) or frames_of(path) < min(first + 7, len(lines)):
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(0.02)
            process.kill()
            process.communicate()
        assert frames_of(path) == min(first + 7, len(lines))
