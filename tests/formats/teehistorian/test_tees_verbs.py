"""What the verbs do with a recording: cut, pack, anonymise, list, add up, tell; and that the document says so."""

import os
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import Usage
from nhlog.files import CannotOpen
from nhlog.formats import format_of, operation
from nhlog.formats.teehistorian import convert, dump, events, info, listing, open_replay, state, stats, verify
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.messages import NetMessage
from tests.contract.json_contract import documented, seen
from tests.corpus import ROOT, SAMPLES
from tests.formats.teehistorian.builders import Server, every_kind, header, played, start_info

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


def health(path: str) -> str:
    return str(info(path)["health"])


# convert


def test_nothing_changed_is_every_byte(target: str) -> None:
    told = convert(SAMPLE, target)
    assert Path(target).read_bytes() == Path(SAMPLE).read_bytes()
    assert (told["compression"], told["size"], told["error"]) == ("none", os.path.getsize(SAMPLE), None)


@pytest.mark.parametrize("ending", ["gz", "xz", "zst"])
@pytest.mark.parametrize("by_name", [False, True])
def test_packing_and_unpacking_is_every_byte(tmp_path: Path, ending: str, by_name: bool) -> None:
    packed = str(tmp_path / (f"x.teehistorian.{ending}" if by_name else "x"))
    told = convert(SAMPLE, packed, compression=None if by_name else ending)
    assert told["compression"] == ending
    assert os.path.getsize(packed) == told["size"] < os.path.getsize(SAMPLE) // 2
    plain = str(tmp_path / "plain")
    convert(packed, plain, compression="none")
    assert Path(plain).read_bytes() == Path(SAMPLE).read_bytes()


@pytest.mark.parametrize(("first", "last"), [(0, None), (None, 700), (110, 360), (111, 111), (500, 900), (1658, None)])
def test_the_states_of_a_cut_are_those_of_the_whole(target: str, first: int | None, last: int | None) -> None:
    told = convert(SAMPLE, target, first=first, last=last)
    assert told["error"] is None
    assert health(target) == "sound"
    whole, part = open_replay(SAMPLE), open_replay(target)
    assert part.header.raw == whole.header.raw
    assert part.timeline.last <= (LAST if last is None else last)
    for tick in range(max((first or 0) - 1, 0), part.timeline.last + 1):
        whole.seek(tick)
        part.seek(tick)
        assert part.state == whole.state
    assert list(part.events(first or 0, LAST)) == [
        event for event in part.events(0, LAST) if event.step >= (first or 0)
    ]
    texts = [event.text for event in whole.events(first or 0, LAST if last is None else last)]
    assert [event.text for event in part.events(first or 0, LAST)] == texts


def test_a_part_can_be_named_by_positions(target: str) -> None:
    convert(SAMPLE, target, first="500", last="0:12")
    assert info(target)["ticks"] == 600
    told = convert(SAMPLE, target, first="0:10", last="50%", force=True)
    assert (told["first"], told["last"]) == (499, 830)
    assert info(target)["ticks"] == 830


def test_a_cut_of_it_all_is_every_byte(target: str) -> None:
    convert(SAMPLE, target, first=0)
    assert Path(target).read_bytes() == Path(SAMPLE).read_bytes()


@pytest.mark.parametrize("player", ["alpha", "0"])
def test_of_one_player_only_his_messages_are_left(target: str, player: str) -> None:
    convert(SAMPLE, target, player=player)
    assert health(target) == "sound"
    wanted = [record for record in dump(SAMPLE) if record.get("cid") == 0]
    assert list(dump(target)) == wanted


def test_of_one_player_within_ticks(target: str) -> None:
    convert(SAMPLE, target, player="alpha", first=300, last=400)
    assert health(target) == "sound"
    assert [one["name"] for one in info(target)["players"]] == ["alpha"]
    assert info(target)["ticks"] == 400


def test_a_slot_used_again_is_another_player(written: Any, target: str) -> None:
    server = Server()
    for name in ("one", "two"):
        server.tick += 5
        server.join(3, name)
        server.tick += 1
        server.place(3, 10, 10)
        server.tick += 1
        server.drop(3)
        server.tick += 1
        server.gone(3)
    source = written(server.finish())
    convert(source, target, player="two")
    assert [(it["name"], it["joined"], it["left"]) for it in info(target)["players"]] == [("two", 13, 15)]
    assert health(target) == "sound"


def test_anonymous_nothing_tells_who_it_was(written: Any, target: str) -> None:
    server = played(20, 3)
    say = server.say
    say(extra.AuthLogin(0, 3, b"secret account"))
    say(extra.DdnetVersion(1, b"connection id 16", 1, b"client"))
    say(extra.SaveSuccess(1, bytes(16), b"player 2 was here"))
    say(extra.UnknownExtra(bytes(16), b"player 1 again"))
    say(NetMessage(2, start_info(b"\xff\xfeodd", b"clan")))
    server.command(0, 4, b"kick", b"player 1", b"because of player 10")
    server.drop(1, b"Kicked by player 2")
    source = written(server.finish().replace(b"player ", b"walter "))
    convert(source, target, anonymise=True)
    data = Path(target).read_bytes()
    for word in (b"walter", b"clan", b"secret", b"connection", b"odd"):
        assert word not in data
    assert health(target) == "sound"
    assert [it["name"] for it in info(target)["players"]] == ["player 1", "player 2", "player 4"]
    moved = [[one for one in dump(path) if one["type"] == "player_change"] for path in (source, target)]
    assert moved[0] == moved[1]


def test_of_a_cut_source_what_there_is_becomes_whole(written: Any, target: str) -> None:
    source = written(Path(SAMPLE).read_bytes()[:9000])
    told = convert(source, target, last=10**6)
    assert told["error"] == f"{source}: cut at byte 9000, tick 412"
    assert health(target) == "sound"
    *whole, _ = dump(source)
    assert list(dump(target)) == whole


def test_what_is_there_is_not_replaced_unasked(written: Any) -> None:
    there = written(b"precious")
    with pytest.raises(Usage):
        convert(SAMPLE, there)
    assert Path(there).read_bytes() == b"precious"
    convert(SAMPLE, there, force=True)
    assert health(there) == "sound"


@pytest.mark.parametrize("options", [{"first": 5, "last": 4}, {"player": "nobody"}, {"compression": "rar"}], ids=str)
def test_what_makes_no_sense_is_refused_before_anything_is_written(target: str, options: dict[str, Any]) -> None:
    with pytest.raises(Usage):
        convert(SAMPLE, target, **options)
    assert not os.path.exists(target)


def test_a_source_is_not_lost_by_being_the_target(written: Any) -> None:
    path = written(Path(SAMPLE).read_bytes())
    convert(path, path, first=500, force=True)
    assert health(path) == "sound"


# ls


def entry(tmp_path: Path) -> Path:
    [found] = (tmp_path / "cache" / "nhlog" / "teehistorian").iterdir()
    return found


def test_the_second_listing_reads_nothing_but_the_cache(written: Any) -> None:
    path = written(Path(SAMPLE).read_bytes())
    first, status = listing(path), os.stat(path)
    assert (first["title"], first["people"], first["duration"]) == (
        "coverage",
        ["alpha", "beta", "gämma", "delta"],
        LAST * 20_000,
    )
    assert first["status"] == "finished"
    with open(path, "r+b") as file:  # the same file, size and time, but nothing in it
        file.write(bytes(status.st_size))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert listing(path) == first


def test_a_wrong_entry_is_not_trusted(tmp_path: Path) -> None:
    right = listing(SAMPLE)
    data = entry(tmp_path).read_bytes()
    for at in range(0, len(data), 3):
        entry(tmp_path).write_bytes(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])
        assert listing(SAMPLE) == right
    entry(tmp_path).write_bytes(b"")
    assert listing(SAMPLE) == right
    assert entry(tmp_path).read_bytes() == data


def test_a_file_that_has_grown_is_read_again(written: Any) -> None:
    data = Path(SAMPLE).read_bytes()
    path = written(data[:9000])
    assert (listing(path)["status"], listing(path)["duration"]) == ("live or cut", 412 * 20_000)
    with open(path, "ab") as file:
        file.write(data[9000:])
    assert (listing(path)["status"], listing(path)["duration"]) == ("finished", LAST * 20_000)


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
    assert list(dump(SAMPLE, first=300, last=310)) == [it for it in every if 300 <= it["tick"] <= 310]
    assert list(dump(SAMPLE, kind="drop")) == [it for it in every if it["type"] == "drop"]
    named = next(at for at, it in enumerate(every) if it["type"] == "message")  # before it nobody is alpha
    assert list(dump(SAMPLE, player="alpha")) == [it for it in every[named:] if it.get("cid") == 0]


def test_the_registry_knows_it(tmp_path: Path) -> None:
    assert format_of(SAMPLE).name == "DDNet teehistorian"
    (tmp_path / "odd").write_bytes(Path(SAMPLE).read_bytes())
    assert operation(str(tmp_path / "odd"), "info")(SAMPLE)["format"] == "DDNet teehistorian"


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
    if title == "nhlog convert":
        return [convert(SAMPLE, target), convert(cut, target, first=3, force=True)]
    if title.startswith("nhlog verify"):
        found = [record for file in files for record in verify(file)]
        return [record for record in found if ("sound" in record) == (title == "nhlog verify")]
    verb = {"ls": listing, "info": info}.get(title.split()[1])
    if verb:
        return [verb(file) for file in files]
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
