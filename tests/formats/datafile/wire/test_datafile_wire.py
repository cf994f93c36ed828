"""The container: what each rule says when it is broken, and what is still read then."""

import zlib
from struct import pack_into, unpack_from

import pytest

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.formats.datafile.operations import dump, info, open_replay, verify
from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.wire import MAX_COUNT, MAX_DATA, Finding, Item, inflate, parse_header
from tests.corpus import corpus
from tests.formats.datafile.made import every_kind, map_bytes, opened

ITEMS = [Item(0, 0, (1,)), Item(1, 0, (2, 3)), Item(1, 1, ()), Item(7, 5, (4, 5, 6))]
DATA = [b"first", b"", b"third" * 99]
GOOD = map_bytes(ITEMS, DATA)
RAW = map_bytes(ITEMS, DATA, 3)
ITEM_TYPES = 36
ITEM_OFFSETS = ITEM_TYPES + 3 * 12
DATA_OFFSETS = ITEM_OFFSETS + 4 * 4
DATA_SIZES = DATA_OFFSETS + 3 * 4
ITEMS_AT = DATA_SIZES + 3 * 4


def changed(at: int, value: int, data: bytes = GOOD) -> bytes:
    """With another integer at `at`."""
    copy = bytearray(data)
    pack_into("<i", copy, at, value)
    return bytes(copy)


def data_of(datafile: object) -> list[bytes | None]:
    """Every data item, None where it cannot be had."""
    found = []
    for index in range(datafile.num_data):
        try:
            found.append(datafile.data(index))
        except Damaged:
            found.append(None)
    return found


def test_what_was_written_is_read() -> None:
    for data, version in ((GOOD, 4), (RAW, 3)):
        datafile = opened(data)
        assert datafile.header.version == version
        assert list(datafile.items) == ITEMS
        assert data_of(datafile) == DATA
        assert datafile.findings == ()


def test_both_magics_are_one() -> None:
    datafile = opened(b"ATAD" + GOOD[4:])
    assert (list(datafile.items), datafile.findings) == (ITEMS, ())


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", Unsupported, "not a datafile: expected DATA or ATAD"),
        (b"PNG\n" + GOOD[4:], Unsupported, "not a datafile"),
        (b"DAT", Damaged, "truncated in the header: expected 36 bytes, found 3"),
        (GOOD[:35], Damaged, "offset 35: truncated in the header: expected 36 bytes, found 35"),
        (changed(4, 5), Unsupported, "offset 4: unknown datafile version: expected 3 or 4, found 5"),
        (changed(20, -1, changed(24, -1)), Damaged, "offset 20: num_items cannot be"),
        (changed(20, -1, changed(12, 3)), Damaged, "offset 20: num_items cannot be"),
    ],
)
def test_what_tells_nothing_is_refused(data: bytes, error: type[NhlogError], words: str) -> None:
    with pytest.raises(error) as raised:
        opened(data)
    assert words in str(raised.value)


CRUDE = 4 * len(DATA)
SIZE, SWAPLEN = unpack_from("<2i", GOOD, 8)


@pytest.mark.parametrize(
    ("at", "value", "finding"),
    [
        (8, SIZE + 4, Finding(8, "wrong size", str(SIZE), str(SIZE + 4))),
        (12, 0, Finding(12, "wrong swaplen", str(SWAPLEN), "0")),
        (16, -1, Finding(16, "num_item_types cannot be", "a count that the file has room for", "-1")),
        (20, -1, Finding(20, "num_items cannot be", "a count that the file has room for", "-1")),
        (24, MAX_COUNT + 1, Finding(24, "num_data cannot be", "a count that the file has room for", "262145")),
        (28, -8, Finding(28, "item_size cannot be", "a count that the file has room for", "-8")),
        (32, -1, Finding(32, "data_size cannot be", "a count that the file has room for", "-1")),
        (
            ITEM_TYPES + 12,
            0,
            Finding(ITEM_TYPES + 12, "an item type twice", "one of 0 to 65535", "0"),
        ),
        (
            ITEM_TYPES + 16,
            0,
            Finding(ITEM_TYPES + 16, "the items of type 1 do not follow those before them", "1", "0"),
        ),
        (
            ITEM_OFFSETS + 4,
            16,
            Finding(ITEM_OFFSETS + 4, "wrong offset of item 1", "12", "16"),
        ),
        (ITEMS_AT + 12 + 4, 12, Finding(ITEMS_AT + 16, "wrong size of item 1", "8", "12")),
        (ITEMS_AT + 12 + 4, -4, Finding(ITEMS_AT + 16, "wrong size of item 1", "8", "-4")),
        (ITEMS_AT + 12 + 4, 1 << 30, Finding(ITEMS_AT + 16, "wrong size of item 1", "8", str(1 << 30))),
    ],
)
def test_one_wrong_number_in_the_head_is_named_and_costs_nothing(at: int, value: int, finding: Finding) -> None:
    datafile = opened(changed(at, value))
    assert finding in datafile.findings
    assert list(datafile.items) == ITEMS
    assert data_of(datafile) == DATA


@pytest.mark.parametrize("size", [SIZE, SIZE - CRUDE])
@pytest.mark.parametrize("swaplen", [SWAPLEN, SWAPLEN - CRUDE])
def test_sizes_that_leave_out_a_table_are_no_fault(size: int, swaplen: int) -> None:
    datafile = opened(changed(8, size, changed(12, swaplen)))
    assert len(datafile.findings) == (size != SIZE) + (swaplen != SWAPLEN)
    assert not any(finding.fault for finding in datafile.findings)
    assert list(datafile.items) == ITEMS


def test_version_3_has_no_such_table_to_leave_out() -> None:
    [finding] = opened(changed(8, unpack_from("<i", RAW, 8)[0] - CRUDE, RAW)).findings
    assert finding.fault


@pytest.mark.parametrize(
    ("at", "value", "words", "lost"),
    [
        (DATA_OFFSETS + 4, -1, "wrong offset of data item 1", {1}),
        (DATA_OFFSETS + 4, 1 << 30, "wrong offset of data item 1", {1}),
        (DATA_SIZES, 4, "data item 0: more bytes than declared", {0}),
        (DATA_SIZES, 6, "data item 0: fewer bytes than declared", {0}),
        (DATA_SIZES, -1, "data item 0 cannot be of that size", {0}),
        (DATA_SIZES, 0, "data item 0: more bytes than declared", {0}),
        (DATA_SIZES, MAX_DATA, "data item 0 cannot be of that size", {0}),
    ],
)
def test_a_broken_data_item_costs_only_itself(at: int, value: int, words: str, lost: set[int]) -> None:
    datafile = opened(changed(at, value))
    assert list(datafile.items) == ITEMS
    assert data_of(datafile) == [None if index in lost else data for index, data in enumerate(DATA)]
    for index in lost:
        with pytest.raises(Damaged) as raised:
            datafile.data(index)
        assert words in raised.value.what


def test_raw_data_is_lost_with_its_end() -> None:
    datafile = opened(changed(DATA_OFFSETS + 8, 1 << 30, RAW))
    assert data_of(datafile) == [b"first", None, None]


def test_there_is_no_data_item_beyond_the_last() -> None:
    for index in (-1, len(DATA)):
        with pytest.raises(Damaged, match=f"no data item {index}: expected 0 to 2"):
            opened(GOOD).data(index)


@pytest.mark.parametrize("data", [GOOD, RAW], ids=["version 4", "version 3"])
def test_cut_anywhere_it_gives_what_is_before_the_cut(data: bytes) -> None:
    whole = opened(data)
    for size in range(36, len(data)):
        datafile = opened(data[:size])
        assert any(finding.what == "cut" and finding.offset == size for finding in datafile.findings)
        ends = [at + 8 + 4 * len(item.data) for at, item in zip(whole.head.offsets, ITEMS, strict=True)]
        assert list(datafile.items) == [item for item, end in zip(ITEMS, ends, strict=True) if end <= size]
        for index, there in enumerate(whole.head.data):
            if there.end <= size:
                assert datafile.data(index) == DATA[index]
            elif there.start < there.end:
                with pytest.raises(Damaged):
                    datafile.data(index)


def test_inflating_stops_at_what_was_declared() -> None:
    bomb = zlib.compress(bytes(50 << 20), 9)
    with pytest.raises(Damaged, match="more bytes than declared: expected 10, found at least 11"):
        inflate(bomb, 10)


def test_a_header_is_nine_values() -> None:
    header = parse_header(GOOD)
    assert (header.magic, header.version, header.num_items, header.num_data) == (b"DATA", 4, 4, 3)


# the damaged copies of one real map

BAD = {
    "data_size_large": (1532, "data item 0: fewer bytes than declared"),
    "data_size_small": (1532, "data item 0: more bytes than declared"),
    "item_offset1_wrong": (136, "wrong offset of item 1"),
    "num_items_neg": (20, "num_items cannot be"),
    "size_plus4": (8, "wrong size"),
    "swaplen_zero": (12, "wrong swaplen"),
    "truncated_1": (3763, "data item 16: truncated zlib stream"),
    "type_start_wrong": (52, "the items of type 1 do not follow those before them"),
    "zlib_corrupt": (1532, "data item 0: bad zlib stream"),
}
SOUND = {"good", "swaplen_only_crude"}
COST_DATA = {"data_size_large": {0}, "data_size_small": {0}, "zlib_corrupt": {0}, "truncated_1": {16}}


def test_these_are_all_bad_maps_of_the_corpus() -> None:
    assert {path.stem for path in corpus("teeworlds", "badmaps").glob("*.map")} == BAD.keys() | SOUND


@pytest.mark.parametrize("name", BAD)
def test_each_bad_map_says_what_is_wrong_with_it(name: str) -> None:
    path = str(corpus("teeworlds", "badmaps", f"{name}.map"))
    *findings, report = verify(path)
    offset, what = BAD[name]
    assert not report["sound"]
    assert report["sound_bytes"] == min(finding["offset"] for finding in findings if finding["fault"])
    assert [finding for finding in findings if finding["offset"] == offset and finding["what"].startswith(what)]
    assert info(path).health != "sound"
    assert any("error" in record for record in dump(path))


def test_no_two_bad_maps_say_the_same() -> None:
    assert len(set(BAD.values())) == len(BAD)


@pytest.mark.parametrize("name", sorted(BAD.keys() | SOUND))
def test_what_is_sound_in_a_bad_map_is_shown(name: str) -> None:
    lost = COST_DATA.get(name, set())
    with (
        open_datafile(str(corpus("teeworlds", "badmaps", "good.map"))) as good,
        open_datafile(str(corpus("teeworlds", "badmaps", f"{name}.map"))) as bad,
    ):
        assert bad.items == good.items
        assert data_of(bad) == [None if n in lost else data for n, data in enumerate(data_of(good))]
    replay = open_replay(str(corpus("teeworlds", "badmaps", f"{name}.map")))
    kinds = {"game", "front", "tele", "speedup", "switch", "tune"} - ({"tune"} if name == "truncated_1" else set())
    assert replay.state.terrain.grids.keys() == kinds
    assert bool(replay.state.fault) == (name in BAD)
    replay.close()


@pytest.mark.parametrize("name", sorted(SOUND))
def test_a_size_that_an_old_writer_left_out_is_no_fault(name: str) -> None:
    *findings, report = verify(str(corpus("teeworlds", "badmaps", f"{name}.map")))
    assert report["sound"]
    assert all(not finding["fault"] for finding in findings)


def test_verify_finds_nothing_in_a_map_with_everything(tmp_path) -> None:
    path = tmp_path / "every.map"
    path.write_bytes(every_kind())
    *findings, report = verify(str(path))
    assert findings == []
    assert report["sound"]
