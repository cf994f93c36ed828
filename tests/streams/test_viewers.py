"""A viewer beside a writer that pauses inside records, is killed, begins again, and is replaced by another."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nhlog.formats import open_recording
from nhlog.formats.nhgame.operations import rewind
from nhlog.timeline import parse_position
from tests.builders import every_kind, played
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES
from tests.streams.writers import STREAMS, Stream, Writer, shown
from tests.terminal.pty import NHLOG, Pty

REPLACED = ("another file has its name now, and is shown", "it was cut or rewritten, and was read again")

NAMELESS = "the file was deleted or moved"


@pytest.fixture(params=list(STREAMS))
def stream(request: pytest.FixtureRequest) -> Stream:
    return STREAMS[request.param]()


@pytest.fixture
def path(stream: Stream, tmp_path: Path) -> Path:
    return tmp_path / f"live{stream.ending}"


def test_the_client_shows_whole_records_from_the_first_to_the_last(stream: Stream, path: Path) -> None:
    header, first, second = stream.cuts
    with Pty(*NHLOG, "watch", str(path), size=(100, 32)) as viewer:
        viewer.wait_for("waiting: there is no such file yet")
        path.touch()
        viewer.wait_for("waiting for the first byte")
        with Writer(path) as writer:
            writer.append(stream.data[:header])
            viewer.wait_for(f"waiting for more than the first {header} bytes")
            writer.append(stream.data[header:first])
            viewer.wait_for(shown(path))
        with Writer(path) as writer:  # after the other one was killed
            writer.append(stream.data[first:second])
            viewer.wait_for(shown(path))
            writer.append(stream.data[second:])
            viewer.wait_for(shown(path))
            writer.replace(stream.other)
            viewer.wait(lambda rows: any(told in row for row in rows for told in REPLACED))
            viewer.wait_for(shown(path))
        viewer.send("q")
        assert viewer.end() == 0


def test_a_recording_without_a_name_says_so_until_there_is_one_again(stream: Stream, path: Path) -> None:
    path.write_bytes(stream.data[: stream.cuts[1]])
    with Pty(*NHLOG, "watch", str(path), size=(100, 32)) as viewer:
        viewer.wait_for(shown(path))
        path.unlink()
        viewer.wait(lambda rows: any("the file was deleted" in row or NAMELESS in row for row in rows[:1]))
        path.write_bytes(stream.data[: stream.cuts[2]])
        viewer.wait_for(shown(path))
        viewer.wait(lambda rows: not any("deleted" in row or NAMELESS in row for row in rows))
        viewer.send("q")
        assert viewer.end() == 0


def test_events_are_told_as_they_happen(stream: Stream, path: Path) -> None:
    header, first, second = stream.cuts
    with Followed(path) as events:
        assert events.changes == ["waiting"]
        with Writer(path) as writer:
            writer.append(stream.data[:header])
            writer.append(stream.data[header:first])
            events.wait(lambda: events.told == told(path))
        with Writer(path) as writer:
            for data in (stream.data[first:second], stream.data[second:]):
                writer.append(data)
                events.wait(lambda: events.told == told(path))
            writer.replace(stream.other)
            events.wait(lambda: events.changes[-1] in ("replaced", "rewound") and events.told == told(path))
    assert len(set(events.changes)) == 2


def test_a_log_that_is_rewound_and_gone_tells_so_with_the_documented_keys(tmp_path: Path) -> None:
    path = tmp_path / "game.nhgame"
    game, finished = played(9), every_kind()
    with Followed(path) as events:
        path.write_bytes(game.data)
        events.wait(lambda: events.told == told(path))
        for line in (b"kick\n", b"D4\n"):
            with path.open("ab") as file:
                file.write(line)
            events.wait(lambda: events.told == told(path))
        assert rewind(str(path), parse_position("turn:4"), lambda loss: True)["rewound"]
        events.wait(lambda: events.changes[-1] == "rewound" and events.told == told(path))
        path.rename(tmp_path / "moved")
        events.wait(lambda: events.changes[-1] == "gone")
        finished.write(path)
        events.wait(lambda: events.changes[-1] == "finished")
        assert events.told == told(path)
    assert events.changes == ["waiting", "rewound", "gone", "replaced", "finished"]
    kinds = documented((ROOT / "docs" / "json.md").read_text())["nhlog events --follow"]
    met = {kind: set[str]() for kind in kinds}
    for record in events.records:
        kind = record["kind"] if record["kind"] in kinds else ""
        keys = seen(record, kinds[""] | kinds[kind])
        met[""] |= keys & kinds[""].keys()
        met[kind] |= keys - kinds[""].keys()
    assert met == {kind: set(keys) for kind, keys in kinds.items()} | {"": {"kind", "text"}}


def told(path: Path) -> list[str]:
    """The events of a recording as it is now."""
    replay = open_recording(str(path))
    try:
        return [event.text for event in replay.events(0, replay.timeline.last)]
    finally:
        replay.close()


class Followed:
    """`nhlog events --follow --json` of a file that is not there at first: the events that stand, and the changes."""

    def __init__(self, path: Path) -> None:
        self._child = subprocess.Popen(
            [*NHLOG, "events", str(path), "--follow", "--json"], stdout=subprocess.PIPE, text=True
        )
        self.told: list[str] = []
        self.changes: list[str] = []
        self.records: list[dict[str, Any]] = []
        self._take()

    def __enter__(self) -> "Followed":
        return self

    def __exit__(self, *_: object) -> None:
        self._child.terminate()
        self._child.communicate()

    def wait(self, until: Callable[[], bool]) -> None:
        while not until():
            self._take()

    def _take(self) -> None:
        assert self._child.stdout
        record: dict[str, Any] = json.loads(self._child.stdout.readline())
        self.records.append(record)
        match record:
            case {"step": _, "text": text}:
                del self.told[len(self.told) - record.get("amends", 0) :]
                self.told.append(text)
            case {"kind": kind}:
                self.changes.append(kind)
                self.told = [] if kind == "replaced" else self.told
                del self.told[len(self.told) - record.get("events", 0) :]


@pytest.mark.parametrize(("name", "size"), [("coverage.teehistorian", 9000), ("run.replay", 4000)])
def test_after_a_pipe_was_closed_inside_a_record_nothing_is_live_or_waited_for(name: str, size: int) -> None:
    piped = f'head -c {size} "$0" | "$@" watch -'
    with Pty("sh", "-c", piped, str(SAMPLES / name), *NHLOG, size=(100, 32)) as viewer:
        viewer.wait_for("the pipe was closed")
        viewer.wait(lambda rows: not any("live" in row or "waiting" in row for row in rows))
        viewer.send("q")
        assert viewer.end() == 0


class Recorder:
    """`nhlog record FOLDER --open`, fed tick by tick."""

    def __init__(self, folder: Path) -> None:
        self._child = subprocess.Popen(
            [*NHLOG, "record", str(folder), "--open", "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def feed(self, ticks: range) -> None:
        """Somebody walks on."""
        assert self._child.stdin
        for tick in ticks:
            move = {"e": "Move", "entityId": 0, "position": [tick / 4, 64, 0, 0, 0]}
            print(json.dumps({"tick": tick, "events": [move]}), file=self._child.stdin, flush=True)

    def kill(self) -> None:
        self._child.kill()
        self._child.communicate()

    def end(self) -> None:
        self._child.communicate()


def test_a_folder_is_watched_from_before_its_first_tick_over_the_death_of_its_recorder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    with Pty(*NHLOG, "watch", str(folder), size=(100, 32)) as viewer:
        viewer.wait_for("waiting")
        first = Recorder(folder)
        first.feed(range(60))
        viewer.wait_for("tick 59/59")
        first.kill()
        second = Recorder(folder)
        second.feed(range(60, 90))
        viewer.wait_for("tick 89/89")
        second.end()
        viewer.send("q")
        assert viewer.end() == 0
