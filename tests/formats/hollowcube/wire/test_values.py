"""What bytes mean: the reference's vectors, both ways, and bytes that mean nothing."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Damaged, NhlogError, Unsupported, Usage
from nhlog.formats.hollowcube.wire import primitives as wire
from nhlog.formats.hollowcube.wire.chunks import MAX_RAW, ChunkBuilder
from nhlog.formats.hollowcube.wire.enums import Hand, Pose
from nhlog.formats.hollowcube.wire.events import (
    EVENTS,
    AbsoluteMove,
    CheckpointReached,
    EntityState,
    HandAnimation,
    ItemUse,
    SetItem,
    read_event,
    record_of,
    write_event,
)
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, Header, Layout, build_header, parse_header
from nhlog.formats.hollowcube.wire.index import Entry, read_entry, write_entry
from nhlog.formats.hollowcube.wire.nbt import (
    MAX_DEPTH,
    Kind,
    NbtList,
    Tag,
    from_json,
    plain,
    read_nbt,
    to_json,
    write_nbt,
)
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Incomplete, Pos, Vector
from tests.corpus import corpus
from tests.formats.hollowcube.made import EVERY_KIND, NONE, item
from tests.test_architecture import IO, MODULES, imports, is_in

Codec = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]

CODECS: dict[str, Codec] = {
    "VAR_INT": (wire.read_var_int, wire.write_var_int, int),
    "VAR_LONG": (wire.read_var_long, wire.write_var_long, int),
    "LP_POS": (wire.read_lp_pos, wire.write_lp_pos, lambda value: Pos(*map(float, value))),
    "LP_VECTOR3": (wire.read_lp_vector, wire.write_lp_vector, lambda value: Vector(*map(float, value))),
    "POS": (wire.read_pos, wire.write_pos, lambda value: Pos(*map(float, value))),
    "BLOCK_POSITION": (wire.read_block_position, wire.write_block_position, lambda value: BlockPosition(*value)),
    "STRING": (wire.read_string, wire.write_string, str),
    "CHUNK_INDEX": (read_entry, write_entry, lambda value: Entry(*value)),
    "NBT_COMPOUND": (read_nbt, write_nbt, from_json),
}

VALUES = [
    (wire.read_var_int, wire.write_var_int, -300),
    (wire.read_var_long, wire.write_var_long, 1 << 40),
    (wire.read_string, wire.write_string, "één"),
    (wire.read_pos, wire.write_pos, Pos(1.5, -2.0, 3.0, 4.0, 5.0)),
    (wire.read_lp_pos, wire.write_lp_pos, Pos(1.5, -2.0, 100.0, 45.0, -90.0)),
    (wire.read_lp_vector, wire.write_lp_vector, Vector(9.0, 0.0, -9.0)),
    (wire.read_block_position, wire.write_block_position, BlockPosition(-1, -2048, 33554431)),
    (read_entry, write_entry, Entry(300, 100, 1, 5 << 32 | 7, 200, 3000)),
]


def test_the_references_vectors_both_ways() -> None:
    seen = set()
    for line in corpus("hollowcube", "vectors.jsonl").read_text().splitlines():
        vector = json.loads(line)
        if vector["type"] not in CODECS:
            continue
        read, write, value_of = CODECS[vector["type"]]
        data = bytes.fromhex(vector["hex"])
        value, end = read(data, 0)
        assert (value, end) == (value_of(vector.get("decoded", vector["value"])), len(data)), vector
        assert write(value_of(vector["value"])) == data, vector
        seen.add(vector["type"])
    assert seen == set(CODECS)


def test_the_references_headers_both_ways() -> None:
    lines = corpus("hollowcube", "vectors.jsonl").read_text().splitlines()
    vectors = [vector for vector in map(json.loads, lines) if vector["type"] == "HEADER"]
    for vector in vectors:
        header = parse_header(bytes.fromhex(vector["hex"]))
        assert build_header(header) == bytes.fromhex(vector["hex"])
        told = {name: getattr(header, name) for name in ("timestamp", "flags", "data_version", "tick_count")}
        assert told == {name: vector[name] for name in told}
        assert (str(header.world_id), header.world_version.hex()) == (vector["world_id"], vector["world_version"])
    assert vectors


@pytest.mark.parametrize(("read", "write", "value"), VALUES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_value_ends_where_it_ends_and_every_beginning_of_it_is_cut(read: Any, write: Any, value: Any) -> None:
    data = write(value)
    assert read(b"\xaa" + data + b"\xaa", 1) == (value, 1 + len(data))
    for size in range(len(data)):
        with pytest.raises(Incomplete):
            read(data[:size], 0)


@pytest.mark.parametrize("data", [b"\xff" * 5 + b"\0", b"\x80" * 12])
def test_a_number_that_goes_on_is_no_number(data: bytes) -> None:
    with pytest.raises(Damaged, match="too long"):
        wire.read_var_int(data, 0)


@pytest.mark.parametrize("data", [b"\x02\xff\xff", wire.write_var_int(-1)])
def test_a_text_that_is_none(data: bytes) -> None:
    with pytest.raises(Damaged):
        wire.read_string(data, 0)


def test_what_is_no_number_is_written_as_nothing_moves() -> None:
    nan, infinite = float("nan"), float("inf")
    assert wire.write_lp_vector(Vector(nan, 0.0, 0.0)) == b"\0"
    assert wire.read_lp_pos(wire.write_lp_pos(Pos(nan, 0.0, 0.0, 0.0, 0.0)), 0)[0] == Pos(0, 0, 0, 0, 0)
    wire.read_lp_pos(wire.write_lp_pos(Pos(infinite, -infinite, 0.0, 0.0, 0.0)), 0)


# headers

TEXT = Header(Layout.TEXT, UUID(int=5), bytes(16), 1_795_187_205_278, 700, 8, 2, 126, dictionary=9)
GAME = Header(Layout.GAME, UUID(int=5), b"\1\2", 1_795_187_205_278, 700, 8, 2, 126, data_version=4900, flags=3)


@pytest.mark.parametrize("header", [TEXT, GAME], ids=["text", "game"])
def test_a_header_reads_back(header: Header) -> None:
    data = build_header(header)
    assert len(data) == HEADER_SIZE
    assert parse_header(data + b"more") == header
    for size in range(1, HEADER_SIZE):
        with pytest.raises(Incomplete):
            parse_header(data[:size])


def test_the_byte_after_the_magic_tells_the_layouts_apart() -> None:
    assert (build_header(TEXT)[:5], build_header(GAME)[:6]) == (b"HCRP\1", b"HCRP\0\4")


@pytest.mark.parametrize("version", [b"\0\3", b"\0\5", b"\0\1", b"\2\0", b"\4\0"])
def test_another_version_is_refused(version: bytes) -> None:
    with pytest.raises(Unsupported):
        parse_header(b"HCRP" + version + build_header(GAME)[6:])


@pytest.mark.parametrize("data", [b"", b"PRCH" + bytes(252), b"HCRX", build_header(GAME)[:24] + b"\x21" + bytes(240)])
def test_what_is_no_header(data: bytes) -> None:
    with pytest.raises(Damaged):
        parse_header(data)


def test_a_world_version_that_does_not_fit_is_not_written() -> None:
    with pytest.raises(Usage):
        build_header(replace(TEXT, world_version=b"short"))
    with pytest.raises(Usage):
        build_header(replace(GAME, world_version=bytes(33)))


# events


@pytest.mark.parametrize("event", [event for tick in EVERY_KIND for event in tick], ids=lambda e: type(e).__name__)
def test_an_event_reads_back_and_every_beginning_of_it_is_cut(event: Any) -> None:
    data = write_event(event)
    back, end = read_event(data + b"\xaa", 0)
    assert (type(back), back, end) == (type(event), event, len(data))
    for size in range(len(data)):
        with pytest.raises(Damaged):
            read_event(data[:size], 0)


def test_there_are_fifteen_events_and_every_kind_is_tested() -> None:
    assert len(EVENTS) == 15
    assert {type(event) for tick in EVERY_KIND for event in tick} == set(EVENTS)


@pytest.mark.parametrize(
    "data",
    [
        b"\x0f",
        wire.write_var_int(-1),
        b"\x02\0\x12\0",
        b"\x03\0\x02",
        b"\x04\0\x02",
        b"\x0c\x0a\0",
        b"\x05\0\xff\xff\xff\xff\x0f",
    ],
    ids=["unknown", "negative", "pose", "hand", "neither true nor false", "reason", "a negative count"],
)
def test_what_is_no_event(data: bytes) -> None:
    with pytest.raises(Damaged):
        read_event(data, 0)


def test_records_have_the_references_names() -> None:
    assert record_of(EntityState(7, Pose.SWIMMING, 0x41)) == {
        "id": 2,
        "e": "EntityState",
        "entityId": 7,
        "pose": "SWIMMING",
        "onFire": True,
        "sneaking": False,
        "riptideSpinAttack": False,
        "sprinting": False,
        "swimming": False,
        "invisible": False,
        "glowing": True,
        "flyingWithElytra": False,
    }
    assert record_of(ItemUse(0, None)) == {"id": 4, "e": "ItemUse", "entityId": 0, "hand": None}
    assert record_of(HandAnimation(0, Hand.OFF))["hand"] == "OFF"
    assert record_of(SetItem(0, {4: item("diamond")}))["items"] == {"4": {"id": "minecraft:diamond", "count": 1}}
    move = AbsoluteMove(0, Pos(1.0, 2.0, 3.0, 4.0, 5.0), Vector(0.0, 0.0, 0.0))
    assert record_of(move)["position"] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert record_of(CheckpointReached("a", 5)) == {
        "id": 11,
        "e": "CheckpointReached",
        "checkpointId": "a",
        "runTime": 5,
    }


def test_what_a_field_cannot_hold_is_not_written() -> None:
    with pytest.raises(Usage):
        write_event(EntityState(0, Pose.STANDING, 256))


# NBT

LEAVES = st.one_of(
    st.integers(-(1 << 7), (1 << 7) - 1).map(lambda value: Tag(Kind.BYTE, value)),
    st.integers(-(1 << 15), (1 << 15) - 1).map(lambda value: Tag(Kind.SHORT, value)),
    st.integers(-(1 << 31), (1 << 31) - 1).map(lambda value: Tag(Kind.INT, value)),
    st.integers(-(1 << 63), (1 << 63) - 1).map(lambda value: Tag(Kind.LONG, value)),
    st.floats(width=32, allow_nan=False).map(lambda value: Tag(Kind.FLOAT, value)),
    st.floats(allow_nan=False).map(lambda value: Tag(Kind.DOUBLE, value)),
    st.text().map(lambda value: Tag(Kind.STRING, value)),
    st.lists(st.integers(-128, 127)).map(lambda value: Tag(Kind.BYTE_ARRAY, tuple(value))),
    st.lists(st.integers(-(1 << 31), (1 << 31) - 1)).map(lambda value: Tag(Kind.INT_ARRAY, tuple(value))),
    st.lists(st.integers(-(1 << 63), (1 << 63) - 1)).map(lambda value: Tag(Kind.LONG_ARRAY, tuple(value))),
    st.lists(st.text(max_size=3).map(lambda value: Tag(Kind.STRING, value))).map(
        lambda values: Tag(Kind.LIST, NbtList(Kind.STRING, tuple(values)))
    ),
    st.sampled_from(list(Kind)).map(lambda kind: Tag(Kind.LIST, NbtList(kind, ()))),
)
COMPOUNDS = st.recursive(
    st.dictionaries(st.text(max_size=5), LEAVES, max_size=4).map(lambda value: Tag(Kind.COMPOUND, value)),
    lambda inner: st.dictionaries(st.text(max_size=5), inner, max_size=3).map(lambda value: Tag(Kind.COMPOUND, value)),
    max_leaves=8,
)


@given(COMPOUNDS)
def test_nbt_and_json_carry_a_tree_both_ways(tree: Tag) -> None:
    data = write_nbt(tree)
    assert read_nbt(b"\xaa" + data + b"\xaa", 1) == (tree, 1 + len(data))
    assert from_json(json.loads(json.dumps(to_json(tree)))) == tree
    plain(tree)


def test_texts_are_modified_utf_8() -> None:
    tree = Tag(Kind.COMPOUND, {"a\0": Tag(Kind.STRING, "\U0001f600")})
    assert write_nbt(tree) == b"\x0a\x08\0\x03a\xc0\x80\0\x06\xed\xa0\xbd\xed\xb8\x80\0"
    assert read_nbt(write_nbt(tree))[0] == tree


def test_an_empty_compound_is_two_bytes() -> None:
    assert write_nbt(NONE) == b"\x0a\0"


@given(st.binary(max_size=40))
def test_no_bytes_are_more_than_wrong(data: bytes) -> None:
    for read in (read_nbt, read_event, read_entry):
        with suppress(NhlogError):
            read(b"\x0a" + data, 0)


def nested(depth: int) -> bytes:
    return b"\x0a" + b"\x0a\0\0" * depth + b"\0" * (depth + 1)


def test_depth_is_bounded() -> None:
    tree, _ = read_nbt(nested(MAX_DEPTH - 1))
    assert from_json(to_json(tree)) == tree
    with pytest.raises(Unsupported):
        read_nbt(nested(MAX_DEPTH + 1))
    with pytest.raises(Unsupported):
        read_nbt(b"\x0a\x09\0\0" + b"\x09\0\0\0\x01" * 5000)


@pytest.mark.parametrize(
    "payload",
    [
        b"\x07\0\0\x7f\xff\xff\xff",
        b"\x0c\0\0\x7f\xff\xff\xff",
        b"\x09\0\0\x01\x7f\xff\xff\xff",
        b"\x09\0\0\x00\x00\x00\x00\x01",
        b"\x07\0\0\xff\xff\xff\xff",
        b"\x0d\0\0",
        b"\x08\0\0\0\x01\xff",
    ],
    ids=["bytes", "longs", "list", "list without a type", "negative", "type", "text"],
)
def test_a_length_is_not_believed(payload: bytes) -> None:
    with pytest.raises(Damaged):
        read_nbt(b"\x0a" + payload + b"\0")


@pytest.mark.parametrize(
    "record",
    [
        5,
        {"t": 10},
        {"t": 99, "v": 1},
        {"t": 10, "v": 3},
        {"t": 10, "v": {"a": {"t": 3, "v": "x"}}},
        {"t": 10, "v": {"a": {"t": 9, "e": 3, "v": [{"t": 8, "v": "x"}]}}},
        {"t": 10, "v": {"a": {"t": 8, "v": 7}}},
    ],
)
def test_json_that_is_no_nbt_is_refused(record: Any) -> None:
    with pytest.raises(Usage):
        from_json(record)


@pytest.mark.parametrize(
    "tag",
    [Tag(Kind.BYTE, 128), Tag(Kind.INT_ARRAY, (1 << 31,)), Tag(Kind.STRING, "a" * 70_000), Tag(Kind.FLOAT, 1e300)],
)
def test_a_value_that_its_type_cannot_hold_is_not_written(tag: Tag) -> None:
    with pytest.raises(Usage):
        write_nbt(Tag(Kind.COMPOUND, {"a": tag}))


def test_metadata_is_a_compound() -> None:
    with pytest.raises(Usage):
        write_nbt(Tag(Kind.INT, 1))


VALUES = ("nhlog.formats.hollowcube.state", "nhlog.formats.hollowcube.words")


@pytest.mark.parametrize(
    "module", [name for name in MODULES if is_in(name, "nhlog.formats.hollowcube.wire") or name in VALUES]
)
def test_what_turns_bytes_into_values_cannot_do_io(module: str) -> None:
    assert {name.partition(".")[0] for name in imports(module)} & IO == set()


@pytest.mark.parametrize("layout", Layout)
def test_a_chunk_that_its_layout_cannot_hold_is_unsupported(layout: Layout) -> None:
    chunk = ChunkBuilder(layout, 0)
    chunk.add(0, 1, bytes(MAX_RAW - 100))
    with pytest.raises(Unsupported, match=f"a chunk is too large: expected at most {MAX_RAW} bytes"):
        chunk.add(1, 1, bytes(200))
