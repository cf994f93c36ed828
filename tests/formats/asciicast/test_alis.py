"""ALiS 1: what asciinema's own programs write and read, byte for byte, and messages of whoever means harm."""

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Damaged, TooShort
from nhlog.formats.asciicast.wire.alis import (
    END,
    MAGIC,
    AlisEncoder,
    Begin,
    Event,
    decode_message,
    encode_message,
    theme_of,
)
from nhlog.screencast import TimedEvent
from nhlog.vt import Size

COLOURS = ("#000102", "#a0b0c0", ":".join(["#ff0000"] * 15 + ["#0000ff"]))
THEME = dict(zip(("fg", "bg", "palette"), COLOURS, strict=True))
RGB = bytes.fromhex("000102 a0b0c0" + "ff0000" * 15 + "0000ff")

MESSAGES = {
    "01 00 00 50 18 00 06 48 65 6C 6C 6F 21": Begin(0, 0, Size(80, 24), b"Hello!"),
    "6F 01 C8 D0 07 07 6C 73 20 2D 6C 61 0A": Event(1, 125_000, "o", b"ls -la\n"),
    "72 03 90 4E 64 1E": Event(3, 10_000, "r", b"100x30"),
    "6D 14 F4 03 0A 63 68 65 63 6B 70 6F 69 6E 74": Event(20, 500, "m", b"checkpoint"),
    "78 05 A0 C2 1E 00": Event(5, 500_000, "x", b"0"),
    "69 C0 84 3D E8 07 01 0D": Event(1_000_000, 1000, "i", b"\r"),
    "6F 80 80 01 D0 86 03 00": Event(16_384, 50_000, "o", b""),
    f"01 00 C0 84 3D 50 18 10 {RGB.hex()} 00": Begin(0, 1_000_000, Size(80, 24), b"", RGB),
}
"""The examples of the protocol, its numbers as asciinema's tests have them."""


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_are_those_of_asciinema_and_no_part_of_one_is_taken_for_a_whole_one(message: str) -> None:
    data = bytes.fromhex(message)
    assert encode_message(MESSAGES[message]) == data
    assert decode_message(data) == decode_message(data + b"what may be added later") == MESSAGES[message]
    for cut in range(len(data)):
        with pytest.raises(TooShort):
            decode_message(data[:cut])


def test_a_stream_begins_with_five_bytes_and_ends_with_one() -> None:
    assert (MAGIC + END).hex(" ") == "41 4c 69 53 01 04"
    assert decode_message(END) is None


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("02", "not a message of a live stream"),
        ("6F FF FF FF FF FF FF FF FF FF FF FF 01", "a number that is too large"),
        ("6F 80 80 80 80 80 80 80 10", "a number that is too large"),  # the first that no double is sure of
        ("6F 01 01 FF FF FF FF 0F", "a text that is too long"),
        ("72 01 01 00 18", "not a terminal size"),
        ("01 00 00 50 18 09", "not a theme"),
    ],
)
def test_a_message_that_nothing_can_make_whole_is_told(message: str, told: str) -> None:
    with pytest.raises(Damaged, match=told) as raised:
        decode_message(bytes.fromhex(message))
    assert not isinstance(raised.value, TooShort)


def test_a_length_is_believed_only_as_far_as_there_are_bytes() -> None:
    with pytest.raises(TooShort):
        decode_message(b"o\x01\x01\xff\xff\xff\x07" + b"x" * 199)


def test_a_number_may_have_more_bytes_than_it_needs() -> None:
    assert decode_message(bytes.fromhex("6F 81 80 00 80 00 00")) == Event(1, 0, "o", b"")


@given(st.binary(max_size=40))
def test_any_bytes_are_a_message_or_told(data: bytes) -> None:
    with suppress(Damaged):
        decode_message(data)


NUMBERS = st.integers(0, (1 << 53) - 1)
SIZES = st.builds(Size, st.integers(1, 1000), st.integers(1, 500))
EVENTS = st.one_of(
    st.tuples(st.sampled_from("oim"), st.binary(max_size=300)),
    st.tuples(st.just("r"), SIZES.map(lambda size: b"%dx%d" % size)),
    st.tuples(st.just("x"), st.integers(0, 255).map(lambda status: b"%d" % status)),
)


@given(
    st.builds(Begin, NUMBERS, NUMBERS, SIZES, st.binary(max_size=300), st.sampled_from((b"", RGB, RGB[: 3 * 10])))
    | st.tuples(NUMBERS, NUMBERS, EVENTS).map(lambda told: Event(told[0], told[1], *told[2]))
)
def test_every_value_comes_back(value: Begin | Event) -> None:
    assert decode_message(encode_message(value)) == value


@given(st.text(max_size=30), st.data())
def test_no_character_is_cut_between_two_messages(text: str, data: st.DataObject) -> None:
    whole = text.encode()
    places = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    begun = data.draw(st.integers(0, len(whole)))
    cuts = [begun, *(place for place in places if place > begun), len(whole)]
    encoder = AlisEncoder(0, 0, whole[:begun], {})
    shown = [decode_message(encoder.begin(Size(80, 24), whole[:begun]))]
    for first, last in pairwise(cuts):
        if message := encoder.event(TimedEvent(0, "o", whole[first:last])):
            shown.append(decode_message(message))
    pieces = [value.screen if isinstance(value, Begin) else value.data for value in shown if value]
    assert "".join(piece.decode() for piece in pieces) == text


def test_a_stream_counts_events_and_microseconds_from_the_ones_before() -> None:
    encoder = AlisEncoder(7, 5000, b"", THEME)
    events = [
        (6000, "o", b"a\xff"),
        (5500, "m", b"\xffx"),
        (9000, "clock", b"12"),
        (9000, "r", b"?"),
        (9001, "x", b"-9"),
    ]
    assert decode_message(encoder.begin(Size(2000, 1), b"")) == Begin(7, 5000, Size(1000, 1), b"", theme_of(THEME))
    assert [encoder.event(TimedEvent(*event)) for event in events] == [
        encode_message(Event(8, 1000, "o", "a\ufffd".encode())),
        encode_message(Event(9, 0, "m", "\ufffdx".encode())),  # whose time went back
        b"",
        b"",
        encode_message(Event(10, 3001, "x", b"0")),
    ]
    assert decode_message(encoder.begin(Size(80, 24), b"ab")) == Begin(10, 9001, Size(80, 24), b"ab", RGB)
