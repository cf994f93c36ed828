"""Bytes to values and back: numbers, messages, EX messages, packets, the header."""

import json
from uuid import UUID, uuid3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.teehistorian.wire import extra
from nhlog.formats.teehistorian.wire.codec import BadMessage, decode, encode
from nhlog.formats.teehistorian.wire.extra import EXTRA_NAMES, EXTRA_TYPES, decode_extra, encode_extra, uuid_text
from nhlog.formats.teehistorian.wire.game import ClientInfo, parse_packet, renamed
from nhlog.formats.teehistorian.wire.header import MAGIC, MOST_HEADER, parse_header
from nhlog.formats.teehistorian.wire.split import LONGEST, MOST_ARGS, Splitter, measure
from nhlog.formats.teehistorian.wire.varint import NeedMore, pack, unpack, unpack_all, wrapped
from tests.formats.teehistorian.builders import HEADER, every_kind, header, start_info
from tests.formats.teehistorian.hostile import HOSTILE
from tests.formats.teehistorian.streams import messages, numbers

# numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "00"), (-1, "40"), (63, "3f"), (64, "8001"), (-64, "7f"), (-65, "c001"), (8191, "bf7f"), (8192, "808001")],
)
def test_a_number_has_the_bytes_of_the_specification(value: int, text: str) -> None:
    assert pack(value).hex() == text
    assert unpack(bytes.fromhex(text), 0) == (value, len(text) // 2)


@given(numbers)
def test_every_number_of_32_bits_comes_back(value: int) -> None:
    data = pack(value)
    assert len(data) <= 5
    assert unpack(b"x" + data + b"y", 1) == (value, 1 + len(data))


@given(st.lists(numbers))
def test_many_numbers_come_back(values: list[int]) -> None:
    assert unpack_all(b"".join(map(pack, values))) == tuple(values)


@given(numbers)
def test_a_cut_number_needs_more(value: int) -> None:
    for size in range(len(pack(value))):
        with pytest.raises(NeedMore):
            unpack(pack(value)[:size], 0)


@pytest.mark.parametrize("value", [1 << 31, -(1 << 31) - 1])
def test_a_larger_number_has_no_bytes(value: int) -> None:
    with pytest.raises(OverflowError):
        pack(value)


@pytest.mark.parametrize(("text", "value"), [("8000", 0), ("80808000", 0), ("8080808010", 0), ("808080800f", 15 << 27)])
def test_overlong_and_padded_numbers_are_read(text: str, value: int) -> None:
    data = bytes.fromhex(text)
    assert unpack(data, 0) == (value, len(data))


def test_after_five_bytes_a_number_ends_whatever_they_say() -> None:
    assert unpack(b"\xff" * 6, 0) == (-(1 << 31), 5)
    assert unpack_all(b"\xff" * 10) == (-(1 << 31),) * 2


@given(st.integers())
def test_sums_run_over(value: int) -> None:
    assert -(1 << 31) <= wrapped(value) < 1 << 31
    assert (wrapped(value) - value) % (1 << 32) == 0


# messages


@given(messages)
def test_every_message_comes_back(message: tuple[object, ...]) -> None:
    data = encode(message)
    assert decode(data) == message
    assert type(decode(data)) is type(message)
    assert measure(data) == len(data)
    splitter = Splitter()
    assert splitter.feed(data + data) == ([data, data] if data != b"\x40" else [data])


@given(messages)
def test_a_cut_message_needs_more(message: tuple[object, ...]) -> None:
    data = encode(message)
    for size in range(len(data)):
        splitter = Splitter()
        assert splitter.feed(data[:size]) == []
        assert (splitter.offset, splitter.error, splitter.end) == (0, None, size)
        assert splitter.feed(data[size:]) == [data]
        assert splitter.offset == len(data)


@pytest.mark.parametrize("what", HOSTILE)
def test_what_cannot_be_is_named_with_its_place(what: str) -> None:
    splitter = Splitter(1000)
    sound = encode(decode(b"\x42\x03\x01\x02"))
    assert splitter.feed(sound + HOSTILE[what] + sound) == [sound]
    error = splitter.error
    assert isinstance(error, BadMessage)
    assert error.what == what.partition(",")[0]
    assert 1000 + len(sound) <= error.offset <= 1000 + len(sound) + len(HOSTILE[what])
    assert splitter.offset == 1000 + len(sound)
    assert splitter.feed(sound) == []


def test_what_the_server_never_writes_but_can_be_read_is_read() -> None:
    odd = bytes.fromhex("8000") + b"\x01\x02", b"\x43\x80\x00", b"\x42\x00\x80\x80\x80\x80\x10\x00"
    for data in odd:
        assert Splitter().feed(data) == [data]
        assert decode(data)
        assert encode(decode(data)) != data


def test_after_the_end_nothing_is_taken() -> None:
    splitter = Splitter()
    assert splitter.feed(b"\x40\x40junk") == [b"\x40"]
    assert splitter.feed(b"more") == []
    assert (splitter.finished, splitter.offset, splitter.junk, splitter.end) == (True, 1, 9, 10)


@given(st.lists(st.integers(1, 40), min_size=1), st.booleans())
def test_pieces_of_any_size_give_what_the_whole_gives(sizes: list[int], long: bool) -> None:
    body = every_kind()[len(HEADER) :]
    if long:
        body = body[:-1] + encode(extra.UnknownExtra(bytes(16), bytes(300))) + body[-1:]
    whole = Splitter().feed(body)
    splitter, found, at = Splitter(), [], 0
    while at < len(body):
        size = sizes[at % len(sizes)]
        found += splitter.feed(body[at : at + size])
        at += size
    assert found == whole
    assert b"".join(found) == body


@pytest.mark.parametrize("step", [1 << 16, LONGEST - 1, LONGEST, 4 * LONGEST])
def test_a_message_may_be_as_long_as_the_longest_and_no_longer_however_it_comes(step: int) -> None:
    for length in LONGEST, LONGEST + 1:
        data = b"\x48\x00" + b"x" * (length - 3) + b"\0"
        splitter, found = Splitter(), []
        for at in range(0, length, step):
            found += splitter.feed(data[at : at + step])
        if length == LONGEST:
            assert (found, splitter.error) == ([data], None)
        else:
            assert (found, getattr(splitter.error, "what", None)) == ([], "message too long")


@pytest.mark.parametrize(
    "data",
    [
        b"\x48\x00" + b"x" * (LONGEST - 2),
        b"\x4a" + bytes(16) + pack(LONGEST),
        b"\x49\x00\x04x\0" + pack(MOST_ARGS),
        b"\x49\x00\x04x\0" + pack(MOST_ARGS) + b"y\0" * (MOST_ARGS - 1),
    ],
)
def test_what_may_still_be_a_message_waits_for_more(data: bytes) -> None:
    splitter = Splitter()
    assert (splitter.feed(data), splitter.error, splitter.end) == ([], None, len(data))


def test_a_command_may_have_as_many_arguments_as_any_may() -> None:
    data = b"\x49\x00\x04x\0" + pack(MOST_ARGS) + b"y\0" * MOST_ARGS
    assert Splitter().feed(data) == [data]


# EX messages


def test_uuids_are_those_of_the_specification() -> None:
    space = UUID("e05ddaaa-c4e6-4cfb-b642-5d48e80c0029")
    for raw, name in EXTRA_NAMES.items():
        assert uuid_text(raw) == str(uuid3(space, name))
    assert len(EXTRA_NAMES) == 23
    assert set(EXTRA_TYPES) == set(EXTRA_NAMES.values())


@pytest.mark.parametrize("name", EXTRA_TYPES)
@given(data=st.binary(max_size=60))
def test_any_payload_of_any_ex_message_comes_back(name: str, data: bytes) -> None:
    uuid = next(raw for raw, known in EXTRA_NAMES.items() if known == name)
    value = decode_extra(uuid, data)
    assert encode_extra(value) == (uuid, data)
    assert type(value) in (EXTRA_TYPES[name], extra.UnknownExtra)


def test_what_a_later_version_adds_is_kept() -> None:
    uuid, data = encode_extra(extra.PlayerFinish(3, 4))
    assert decode_extra(uuid, data + b"new") == extra.PlayerFinish(3, 4, b"new")


def test_a_save_may_lack_its_text() -> None:
    uuid, data = encode_extra(extra.SaveSuccess(3, bytes(16), None))
    assert decode_extra(uuid, data) == extra.SaveSuccess(3, bytes(16), None, b"")


@pytest.mark.parametrize("data", [b"", b"\x80", b"\x01\x03no end", b"\x80\x00\x01name\0"])
def test_a_payload_that_does_not_fit_is_kept_as_it_is(data: bytes) -> None:
    uuid, _ = encode_extra(extra.AuthLogin(0, 3, b""))
    assert decode_extra(uuid, data) == extra.UnknownExtra(uuid, data)


# packets


@pytest.mark.parametrize("seven", [False, True])
def test_a_name_is_read_and_replaced(seven: bool) -> None:
    data = start_info(b"\xff\xfe", b"clan", seven)
    assert parse_packet(data, seven).info == (b"\xff\xfe", b"clan")
    other = renamed(data, seven, ClientInfo(b"longer name", b""))
    assert parse_packet(other, seven).info == (b"longer name", b"")
    assert renamed(other, seven, ClientInfo(b"\xff\xfe", b"clan")) == data
    assert parse_packet(data, not seven).info is None


@given(st.binary(max_size=40), st.booleans())
def test_any_packet_is_read(data: bytes, seven: bool) -> None:
    packet = parse_packet(data, seven)
    if packet.info is None:
        assert renamed(data, seven, ClientInfo(b"x", b"y")) == data


# header


def test_a_header_is_read() -> None:
    found = parse_header(HEADER + b"rest")
    assert found is not None
    assert found.raw == HEADER
    assert (found.text("map_name"), found.number("map_size"), found.text("nothing")) == ("coverage", 2148, "")
    assert found.start == 1795187563 * 10**6


def test_version_1_has_numbers_and_another_date() -> None:
    found = parse_header(header(version=1, server_port=8303, start_time="2017-08-24 15:00:00 +0200"))
    assert found is not None
    assert (found.text("version"), found.number("server_port"), found.start) == ("1", 8303, 1503579600 * 10**6)


def test_a_cut_header_needs_more() -> None:
    for size in range(len(HEADER)):
        assert parse_header(HEADER[:size]) is None


def test_a_header_in_bad_utf8_is_read() -> None:
    found = parse_header(HEADER.replace(b"a test", b"\xff\x01\xfe"))
    assert found is not None
    assert found.text("server_name") == "\ufffd\x01\ufffd"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"NHGAME", Unsupported),
        (b"\0", Unsupported),
        (header(version="3"), Unsupported),
        (header(version=None), Unsupported),
        (MAGIC + b"{" + b"\0", Damaged),
        (MAGIC + b"[]" + b"\0", Damaged),
        (MAGIC + b"[" * 100_000 + b"\0", Damaged),
        (MAGIC + b" " * MOST_HEADER, Damaged),
    ],
)
def test_what_is_no_header_is_named(data: bytes, kind: type[Exception]) -> None:
    with pytest.raises(kind) as error:
        parse_header(data)
    assert len(str(error.value)) < 300


def test_odd_values_in_a_header_are_none() -> None:
    odd = {"version": "2", "map_size": "-5", "server_port": [1], "start_time": "yesterday", "map_name": None}
    found = parse_header(MAGIC + json.dumps(odd).encode() + b"\0")
    assert found is not None
    assert (found.number("map_size"), found.number("server_port"), found.start, found.text("map_name")) == (
        None,
        None,
        None,
        "",
    )
