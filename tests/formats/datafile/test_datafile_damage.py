"""Damaged and hostile maps: a clean report or a clean error, in a moment and in little memory; never anything else."""

import json
import tracemalloc
import zlib
from contextlib import suppress
from os import listdir
from pathlib import Path
from struct import pack

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.formats.datafile.operations import dump, info, listing, open_replay, state, verify
from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.reading.map import Map
from nhlog.formats.datafile.replay import MapReplay
from nhlog.formats.datafile.wire import HEADER, ITEM_TYPE, MAX_COUNT, Item
from terminal.views import Viewpoint
from terminal.views.teeworlds.datafile import VIEW
from tests.changed import flipped
from tests.doses import spread
from tests.effort import within
from tests.formats.datafile.made import every_kind, game_layer, map_bytes, opened, small_map

MOMENT = 35  # million additions
MEMORY = 64 << 20  # bytes
SMALL = every_kind()


def look(path: Path, data: bytes) -> None:
    """Everything that is ever asked of a map; an error of ours is an answer."""
    path.write_bytes(data)
    try:
        replay = open_replay(str(path))
    except (Damaged, Unsupported) as raised:
        error = raised
    else:
        look_through(path, data, replay)
        return
    assert "\n" not in str(error)
    assert error.file == str(path)


def look_through(path: Path, data: bytes, replay: MapReplay) -> None:
    try:
        assert replay.info.title == "map"
        for side, zoom in ((0, 0), (1, 3), (7, -2)):
            VIEW.body(replay, 20, 6, Viewpoint(side=side, zoom=zoom))
        VIEW.facts(replay)
        for panel in VIEW.panels.values():
            panel(replay)
        assert VIEW.look is not None
        assert VIEW.look(replay, Viewpoint(), 2, -1).place(20, 6)
        records = [info(str(path)), listing(str(path)), *dump(str(path))]
        with suppress(Unsupported):  # a datafile that is no map
            records.append(state(replay))
        *findings, report = verify(str(path))
    finally:
        replay.close()
    for record in (*records, *findings, report):
        assert json.loads(msgspec.json.encode(record))
    assert 0 <= report["sound_bytes"] <= report["size"] == len(data)
    assert 0 <= report["sound_items"] <= report["items"]
    assert 0 <= report["sound_blocks"] <= report["blocks"]
    assert report["sound"] == (not any(finding["fault"] for finding in findings))


def look_quickly(path: Path, data: bytes) -> None:
    with within(MOMENT, data):
        try:
            look(path, data)
        except Exception as error:  # so that the map at fault can be had again
            raise AssertionError(f"{type(error).__name__}: {error} for {data!r}") from error


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "map.map"


def test_every_beginning(path: Path) -> None:
    """The wire code's own test cuts everywhere; here is what is made of it."""
    for size in range(len(SMALL)):
        look_quickly(path, SMALL[:size])


@pytest.mark.parametrize("part", range(4))
def test_every_changed_byte(path: Path, part: int) -> None:
    for at in range(part, len(SMALL), 4):
        look_quickly(path, flipped(SMALL, at, (1, 0x80, 0xFF)[at % 3]))


def test_missing_and_doubled_bytes(path: Path) -> None:
    for at in spread(range(len(SMALL))):
        look_quickly(path, SMALL[:at] + SMALL[at + 1 :])
        look_quickly(path, SMALL[:at] + SMALL[at : at + 1] + SMALL[at:])


@given(st.lists(st.tuples(st.integers(0, len(SMALL) // 4 - 1), st.integers(-(1 << 31), (1 << 31) - 1)), max_size=4))
def test_any_integers_at_any_places(tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]) -> None:
    data = bytearray(SMALL)
    for place, value in changes:
        data[4 * place : 4 * place + 4] = pack("<i", value)
    look_quickly(tmp_path_factory.mktemp("any") / "map.map", bytes(data))


@given(st.binary(max_size=400))
def test_anything_behind_the_magic(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    look_quickly(tmp_path_factory.mktemp("any") / "map.map", b"DATA" + pack("<i", 4) + data)


# what would cost much if it were believed


def memory(act: object) -> int:
    """The most that was taken meanwhile."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def header(types: int, items: int, data: int, item_size: int, data_size: int) -> bytes:
    before = 12 * types + 4 * items + 8 * data + item_size
    return HEADER.pack(b"DATA", 4, 20 + before + data_size, 20 + before, types, items, data, item_size, data_size)


HOSTILE = {
    "types that all have all items": header(4_000, 4_000, 0, 32_000, 0)
    + b"".join(ITEM_TYPE.pack(number, 0, (1 << 31) - 1) for number in range(4_000))
    + b"".join(pack("<i", 8 * number) for number in range(4_000))
    + bytes(32_000),
    "items that are all the same": header(1, 10_000, 0, 80_000, 0)
    + ITEM_TYPE.pack(0, 0, 10_000)
    + bytes(40_000)
    + pack("<ii", 0, 79_992)
    + bytes(79_992),
    "data items that are all the same": header(0, 0, 10_000, 0, 60_000)
    + bytes(40_000)
    + pack("<i", 1 << 25) * 10_000
    + zlib.compress(bytes(1 << 25), 9),
    "data items from the last to the first": header(0, 0, 10_000, 0, 60_000)
    + b"".join(pack("<i", 10_000 - number) for number in range(10_000))
    + pack("<i", 1 << 25) * 10_000
    + bytes(60_000),
    "more items than there may be": header(0, MAX_COUNT + 1, 0, 0, 0) + bytes(4 * MAX_COUNT + 4),
    "counts that the file has no room for": header(1000, MAX_COUNT, MAX_COUNT, 1 << 30, 0),
    "a thousand layers on the same large data": map_bytes(
        [
            Item(0, 0, (1,)),
            *(Item(5, n, (0, 2, 0, 3, 2000, 2000, n == 0, 0, 0, 0, 0, -1, 0, -1, 0)) for n in range(100)),
        ],
        [bytes(16_000_000)],
    ),
    "a layer that grows out of little": map_bytes(
        [Item(0, 0, (1,)), Item(5, 0, (0, 2, 0, 4, 5000, 5000, 1, 0, 0, 0, 0, -1, 0, -1, 0))],
        [bytes((1, 0, 255, 0)) * 100],
    ),
    "items that are all broken": map_bytes([Item(0, 0, (1,)), *(Item(5, n, ()) for n in range(20_000))], []),
    "groups of all layers": map_bytes(
        [
            Item(0, 0, (1,)),
            *(Item(4, n, (1, 0, 0, 0, 0, 0, (1 << 31) - 1)) for n in range(2000)),
            *(Item(5, n, (0, 99, 0)) for n in range(2000)),
        ],
        [],
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_numbers_cost_little(path: Path, name: str) -> None:
    path.write_bytes(HOSTILE[name])

    def everything() -> None:
        with suppress(Damaged):
            open_replay(str(path)).close()
            listing(str(path))

    with within(4 * MOMENT):  # memory is counted meanwhile, which is slow
        assert memory(everything) < MEMORY


def test_a_bomb_is_not_inflated_beyond_what_was_declared(path: Path) -> None:
    data = bytearray(map_bytes([], [bytes(40 << 20)]))
    data[36 + 4 : 36 + 8] = pack("<i", 1000)
    datafile = opened(bytes(data))

    def inflate() -> None:
        with pytest.raises(Damaged, match="more bytes than declared"):
            datafile.data(0)

    assert memory(inflate) < 1 << 20


def test_a_layer_takes_no_more_of_its_data_than_it_has_tiles(path: Path) -> None:
    layers = [Item(5, n, game_layer(2, 2, 0)) for n in range(300)]
    path.write_bytes(map_bytes([Item(0, 0, (1,)), *layers], [bytes(40 << 20)]))

    def layers_read() -> None:
        with open_datafile(str(path)) as datafile:
            assert sum(1 for _ in Map(datafile).grids()) == 300

    assert memory(layers_read) < 4 << 20


def test_text_that_is_no_text_is_shown_as_it_can_be(path: Path) -> None:
    data = map_bytes([Item(0, 0, (1,)), Item(1, 0, (1, 0, 1, 1, 1))], [b"\xff\xfeA\x1b[2J\n", b"no nul"])
    path.write_bytes(data)
    assert info(str(path)).author == "\ufffd\ufffdA\x1b[2J\n"
    assert info(str(path)).license == "no nul"
    replay = open_replay(str(path))
    assert not any("\x1b" in row for row in VIEW.panels["attributes"](replay).text())
    replay.close()


def test_nothing_is_left_open(path: Path) -> None:
    files = len(listdir("/proc/self/fd"))
    for data in (SMALL, SMALL[:300], b"", b"nothing", small_map("1")):
        path.write_bytes(data)
        for act in (info, listing, lambda name: list(dump(name)), lambda name: list(verify(name))):
            with suppress(NhlogError):
                act(str(path))
    assert len(listdir("/proc/self/fd")) == files


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "none.map"):
        with pytest.raises(NhlogError) as raised:
            open_datafile(str(name))
        assert raised.value.file == str(name)
