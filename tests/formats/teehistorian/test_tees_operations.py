"""What the registry can do with a recording: list, add up, tell, say where; and that the document says so."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from nhlog.errors import NhlogError
from nhlog.files import CannotOpen
from nhlog.formats import format_of, operation
from nhlog.formats.follow import happened as events
from nhlog.formats.teehistorian.operations import (
    ConvertOptions,
    DumpOptions,
    convert,
    dump,
    info,
    listing,
    open_replay,
    recover,
    rewind,
    state,
    stats,
    verify,
)
from nhlog.formats.teehistorian.reading import summary
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.codec import encode
from nhlog.timeline import parse_position
from tests.changed import flipped
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES
from tests.formats.teehistorian.builders import HEADER, Server, every_kind, header

SAMPLE = str(SAMPLES / "coverage.teehistorian")
LAST = 1659


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "made.teehistorian")


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(data: bytes, name: str = "given.teehistorian") -> str:
        (tmp_path / name).write_bytes(data)
        return str(tmp_path / name)

    return write


# ls


def entry(tmp_path: Path) -> Path:
    [found] = (tmp_path / "cache" / "nhlog" / "teehistorian").iterdir()
    return found


def test_the_second_listing_reads_nothing_but_the_cache(written: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(Path(SAMPLE).read_bytes())
    first = listing(path)
    assert (first.title, first.people, first.duration) == (
        "coverage",
        ("alpha", "beta", "gämma", "delta"),
        LAST * 20_000,
    )
    assert first.status == "finished"
    summarised: list[str] = []
    monkeypatch.setattr(summary, "summarise", summarised.append)
    assert listing(path) == first
    assert summarised == []


def test_an_edit_that_keeps_size_and_time_is_seen(written: Any) -> None:
    path = written(Path(SAMPLE).read_bytes())
    listing(path)
    status = os.stat(path)
    with open(path, "r+b") as file:
        file.write(bytes(status.st_size))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(NhlogError, match="not a teehistorian file"):
        listing(path)


def test_a_wrong_entry_is_not_trusted(tmp_path: Path) -> None:
    right = listing(SAMPLE)
    data = entry(tmp_path).read_bytes()
    for at in range(len(data)):
        entry(tmp_path).write_bytes(flipped(data, at))
        assert listing(SAMPLE) == right
    entry(tmp_path).write_bytes(b"")
    assert listing(SAMPLE) == right
    assert entry(tmp_path).read_bytes() == data


def test_a_file_that_has_grown_is_read_again(written: Any) -> None:
    data = Path(SAMPLE).read_bytes()
    path = written(data[:9000])
    assert (listing(path).status, listing(path).duration) == ("live", 412 * 20_000)
    with open(path, "ab") as file:
        file.write(data[9000:])
    assert (listing(path).status, listing(path).duration) == ("finished", LAST * 20_000)


def test_without_a_cache_it_is_listed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    right = listing(SAMPLE)
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nothing")
    assert listing(SAMPLE) == right
    with pytest.raises(CannotOpen):
        listing("/proc/nothing")


# stats, events, state


def test_what_players_did_is_added_up(written: Any) -> None:
    server = Server()
    server.join(0, "one")
    server.tick = 1
    server.place(0, 0, 0)
    keys = [(0, 0, 0), (1, 1, 1), (1, 2, 1), (0, 5, 0), (1, 5, 0)]  # jump, fire, hook
    for tick, (jump, fire, hook) in enumerate(keys, 2):
        server.tick = tick
        server.place(0, 32 * tick, 0)
        server.input(0, 0, 0, 0, jump, fire, hook, 0, 0, 0, 0)
    server.command(0, 128, b"kill")
    server.say(extra.PlayerFinish(0, 100))
    server.say(extra.PlayerFinish(0, 70))
    server.drop(0)
    server.join(0, "one")
    server.tick = 51
    assert list(stats(written(server.finish()))) == [
        {
            "player": "one",
            "stays": 2,
            "time": 6 * 20_000,
            "distance": 6,
            "spawns": 1,
            "deaths": 0,
            "kills": 0,
            "commands": 1,
            "finishes": 2,
            "best": 70 * 20_000,
            "inputs": 5,
            "jumps": 2,
            "hooks": 1,
            "fires": 3,
        }
    ]


def test_events_are_those_of_the_replay() -> None:
    replay = open_replay(SAMPLE)
    told = list(events(SAMPLE))
    assert [(it["tick"], it["text"], it["offset"], it["kind"], it["cid"]) for it in told] == [
        (event.step, event.text, event.offset, event.kind, event.cid) for event in replay.events(0, LAST)
    ]
    texts = [it["text"] for it in told]
    for text in (
        "client 0 connects",
        "alpha joins",
        "beta: /team 1",
        "delta has rcon access as helper (default_helper)",
        "beta leaves (Kicked (be nice))",
        "alpha (rcon): echo hi from rcon",
        "alpha gives up",
        "gämma goes to the spectators",
    ):
        assert text in texts


def test_the_state_tells_places_and_keys() -> None:
    replay = open_replay(SAMPLE)
    replay.seek(800)
    told = state(replay)
    assert told["tick"] == 800
    assert [it["name"] for it in told["players"]] == ["alpha", "gämma", "delta"]
    assert {"x", "y", "input", "alive"} <= set(told["players"][0])


def test_dump_can_be_narrowed() -> None:
    every = list(dump(SAMPLE))
    assert list(dump(SAMPLE, DumpOptions(first=300, last=310))) == [it for it in every if 300 <= it["tick"] <= 310]
    assert list(dump(SAMPLE, DumpOptions(kind="drop"))) == [it for it in every if it["type"] == "drop"]
    named = next(at for at, it in enumerate(every) if it["type"] == "message")  # before it nobody is alpha
    assert list(dump(SAMPLE, DumpOptions(player="alpha"))) == [it for it in every[named:] if it.get("cid") == 0]


def test_a_message_of_the_second_version_is_a_fault_in_a_file_of_the_first(written: Any) -> None:
    ex = encode(extra.Test())
    old = header(version="1")
    for data, faults in ((old + b"\x41\x01" + ex + ex + b"\x40", [len(old) + 2]), (HEADER + ex + b"\x40", [])):
        *findings, report = verify(written(data))
        assert [finding["offset"] for finding in findings if finding["fault"]] == faults
        assert report["sound"] is not bool(faults)


def test_the_registry_knows_it(tmp_path: Path) -> None:
    assert format_of(SAMPLE).name == "DDNet teehistorian"
    (tmp_path / "odd").write_bytes(Path(SAMPLE).read_bytes())
    assert operation(str(tmp_path / "odd"), "info")(SAMPLE).format == "DDNet teehistorian"


# the document

DOCUMENT = (ROOT / "docs" / "teehistorian.md").read_text()


def _records(title: str, written: Any, target: str) -> list[dict[str, Any]]:
    whole = written(every_kind(), "whole.teehistorian")
    cut = written(every_kind()[:-30], "cut.teehistorian")
    bare = written(header(start_time="never", map_size="?", prev_game_uuid="x", server_port=None) + b"\x7f", "bare")
    files = (whole, cut, bare, SAMPLE)
    if title == "nhlog state":
        replays = [open_replay(file) for file in files]
        told = [state(replay) for replay in replays]
        for replay in replays:
            replay.seek(replay.timeline.last // 2)
        return told + [state(replay) for replay in replays]
    if title == "nhlog recover":
        return [{"file": file, **recover(file)} for file in (whole, cut)]
    if title == "nhlog rewind":
        ticks = [parse_position(place) for place in ("end", "start")]
        return [{"file": whole, **rewind(whole, tick, lambda lost: True)} for tick in ticks]
    if title == "nhlog convert":
        return [convert(SAMPLE, target), convert(cut, target, ConvertOptions(first=3), force=True)]
    if title.startswith("nhlog verify"):
        found = [record for file in files for record in verify(file)]
        return [record for record in found if ("sound" in record) == (title == "nhlog verify")]
    verb = {"ls": listing, "info": info}.get(title.split()[1])
    if verb:
        return [json.loads(msgspec.json.encode(verb(file))) for file in files]
    return [it for file in files for it in {"dump": dump, "events": events, "stats": stats}[title.split()[1]](file)]


@pytest.mark.parametrize("title", documented(DOCUMENT))
def test_the_documented_keys_are_exactly_those_printed(title: str, written: Any, target: str) -> None:
    kinds = documented(DOCUMENT)[title]
    common, met = kinds.get("", {}), set()
    for record in _records(title, written, target):
        kind = "error" if "error" in record and title != "nhlog convert" else record.get("type", "event")
        keys = kinds.get(kind, {})
        met |= {(kind if name in keys else "", name) for name in seen(record, {**common, **keys})}
    assert met == {(kind, name) for kind, keys in kinds.items() for name in keys}
