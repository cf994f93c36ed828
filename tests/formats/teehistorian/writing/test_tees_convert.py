"""A recording written again: an excerpt, of one player, anonymised, compressed otherwise."""

import os
from pathlib import Path
from typing import Any

import pytest

from nhlog.errors import Usage
from nhlog.formats.teehistorian.dump import dump
from nhlog.formats.teehistorian.operations import info
from nhlog.formats.teehistorian.replay import open_replay
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.messages import NetMessage
from nhlog.formats.teehistorian.writing.convert import convert
from tests.corpus import SAMPLES
from tests.formats.teehistorian.builders import Server, played, start_info

SAMPLE = str(SAMPLES / "coverage.teehistorian")
LAST = 1659


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
    return info(path).health


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
    assert info(target).ticks == 600
    told = convert(SAMPLE, target, first="0:10", last="50%", force=True)
    assert (told["first"], told["last"]) == (499, 830)
    assert info(target).ticks == 830


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
    assert [one.name for one in info(target).players] == ["alpha"]
    assert info(target).ticks == 400


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
    assert [(it.name, it.joined, it.left) for it in info(target).players] == [("two", 13, 15)]
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
    assert [it.name for it in info(target).players] == ["player 1", "player 2", "player 4"]
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
