"""The pass over a teehistorian, held against a reader that decodes message by message."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.formats.teehistorian.reading import stream as reading
from nhlog.formats.teehistorian.reading.stream import ALL, POSITIONS, Stream
from nhlog.formats.teehistorian.reading.world import FOREVER, KIND_NAMES, World
from nhlog.formats.teehistorian.wire.codec import BadMessage, decode
from nhlog.formats.teehistorian.wire.messages import (
    Finish,
    Input,
    InputDiff,
    InputNew,
    PlayerChange,
    PlayerDiff,
    PlayerGone,
    PlayerNew,
    PlayerOld,
    TickSkip,
    TimedMessage,
)
from nhlog.formats.teehistorian.wire.split import LONGEST, MOST_ARGS, length_of
from nhlog.formats.teehistorian.wire.varint import pack, wrapped
from tests.changed import replaced
from tests.formats.teehistorian.builders import HEADER, every_kind
from tests.formats.teehistorian.hostile import HOSTILE
from tests.formats.teehistorian.streams import recorded
from tests.kernels.builds import BUILDS, build

PRESENT = b"\x42\x00\x00\x00\x45\x00" + bytes(10)  # a tee, and an input of its player
MOVES = (PlayerNew, PlayerChange, PlayerGone)


@pytest.fixture(params=BUILDS)
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "walk", build("teehistorian", request.param).walk)


@dataclass
class Plain:
    """What there is to be known of a stream, by the simplest means."""

    records: list[TimedMessage] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    inputs: dict[int, tuple[int, ...]] = field(default_factory=dict)
    tick: int = 0
    offset: int = 0
    error: str = ""

    def read(self, data: bytes, until: int = FOREVER) -> "Plain":
        last = FOREVER
        while True:
            try:
                length = length_of(data[self.offset :])
            except BadMessage as error:
                self.error = error.what
            else:
                message = decode(data[self.offset :][:length]) if length else None
            if self.error or message is None:
                return self
            if isinstance(message, PlayerNew | PlayerOld | PlayerDiff):
                begins = message.cid <= last
                if begins and self.tick >= until:
                    return self
                self.tick += begins
                last = message.cid
            elif isinstance(message, TickSkip):
                if self.tick + message.dt >= until:
                    return self
                self.tick, last = self.tick + message.dt + 1, -1
            try:
                meaning = self.meaning(message)
            except KeyError:
                self.error = "contradiction"
                return self
            self.counts[KIND_NAMES[data[self.offset] - 0x40 if data[self.offset] & 0x40 else -1]] += 1
            if not isinstance(message, Finish | TickSkip):
                self.records.append(TimedMessage(self.tick, self.offset, meaning))
            self.offset += length
            if isinstance(message, Finish):
                return self

    def meaning(self, message: tuple[object, ...]) -> tuple[object, ...]:
        match message:
            case PlayerNew(cid, x, y):
                if cid in self.places:
                    raise KeyError(cid)
                self.places[cid] = x, y
            case PlayerDiff(cid, dx, dy):
                x, y = self.places[cid]
                self.places[cid] = wrapped(x + dx), wrapped(y + dy)
                return PlayerChange(cid, *self.places[cid], x, y)
            case PlayerOld(cid):
                return PlayerGone(cid, *self.places.pop(cid))
            case InputNew(cid, numbers):
                self.inputs[cid] = numbers
                return Input(cid, numbers, True)
            case InputDiff(cid, difference):
                new = zip(self.inputs[cid], difference, strict=True)
                self.inputs[cid] = tuple(wrapped(old + more) for old, more in new)
                return Input(cid, self.inputs[cid], False)
        return message


def assert_read_plainly(data: bytes, sizes: list[int]) -> None:
    """At every depth the stream gives what the plain reader gives, in pieces of these sizes."""
    plain = Plain().read(data)
    whole = fed(data, sizes)
    records = [record for stream in whole for record in stream.records(ALL)]
    stream = whole.stream
    world = stream.world
    assert records == plain.records
    assert (world.tick, world.counts, world.places, world.inputs, stream.offset) == (
        plain.tick,
        +plain.counts,
        plain.places,
        plain.inputs,
        plain.offset,
    )
    assert bool(stream.error) == bool(plain.error)
    applied = fed(data, sizes)
    for stream in applied:
        stream.apply()
    assert applied.stream.world.state == world.state
    assert str(applied.stream.error) == str(whole.stream.error)
    counted = fed(data, sizes)
    for stream in counted:
        stream.count()
    if plain.error in ("", "contradiction") and "difference" not in str(whole.stream.error):
        moved = fed(data, sizes)
        found = [record for stream in moved for record in stream.records(POSITIONS)]
        assert found == [record for record in records if isinstance(record.message, MOVES)]
    if plain.error != "contradiction":
        assert (str(counted.stream.error), counted.stream.offset) == (str(whole.stream.error), stream.offset)
        assert (counted.stream.world.tick, counted.stream.world.counts) == (world.tick, world.counts)


def assert_read_up_to(data: bytes, until: int) -> None:
    plain = Plain().read(data, until)
    stream = Stream(World())
    stream.feed(data)
    assert stream.apply(until) == (not stream.finished)
    assert (stream.offset, stream.world.tick, stream.world.places) == (plain.offset, plain.tick, plain.places)


class fed:  # noqa: N801  # a generator that keeps its stream
    """A stream that is fed in pieces: yields it after each."""

    def __init__(self, data: bytes, sizes: list[int]) -> None:
        self.data, self.sizes, self.stream = data, sizes, Stream(World())

    def __iter__(self):
        at = number = 0
        while at < len(self.data):
            size = self.sizes[number % len(self.sizes)]
            self.stream.feed(self.data[at : at + size])
            yield self.stream
            at, number = at + size, number + 1


@pytest.mark.usefixtures("kernel")
class TestBoth:
    @given(recorded(), st.lists(st.integers(1, 200), min_size=1, max_size=4))
    def test_what_is_recorded(self, recording: tuple[bytes, list[object]], sizes: list[int]) -> None:
        assert_read_plainly(recording[0], sizes)

    def test_every_kind_cut_anywhere(self) -> None:
        body = every_kind()[len(HEADER) :]
        for size in range(len(body)):
            assert_read_plainly(body[:size], [1 << 20])
        assert_read_plainly(body, [1])

    def test_every_kind_with_any_byte_changed(self) -> None:
        body, chance = every_kind()[len(HEADER) :], Random(1)
        for at in range(len(body)):
            for byte in {chance.choice((0x40, 0x44, 0x80, 0xFF, chance.randrange(256)))} - {body[at]}:
                assert_read_plainly(replaced(body, at, byte), [1 << 20])

    @given(st.lists(st.sampled_from([b"\x00", b"\x01", b"\x40", b"\x41", b"\x42", b"\x44", b"\x45", b"\x80", b"\xff"])))
    def test_anything(self, parts: list[bytes]) -> None:
        assert_read_plainly(b"".join(parts), [7])

    @pytest.mark.parametrize("what", HOSTILE)
    @pytest.mark.parametrize("size", [1, 1 << 16, 1 << 20, 1 << 22])
    def test_what_cannot_be(self, what: str, size: int) -> None:
        sound = b"\x42\x03\x01\x02"
        if size > 1 or len(HOSTILE[what]) < 100:
            assert_read_plainly(sound + HOSTILE[what] + sound, [size])

    @given(recorded(), st.data())
    def test_up_to_any_tick(self, recording: tuple[bytes, list[tuple[int, object]]], data: st.DataObject) -> None:
        until = data.draw(st.sampled_from([tick + more for tick, _ in recording[1] for more in (-1, 0, 1)] or [0]))
        assert_read_up_to(recording[0], until)

    def test_up_to_each_tick_of_tees_that_move(self) -> None:
        body = every_kind()[len(HEADER) :]
        for until in range(30):
            assert_read_up_to(body, until)

    @pytest.mark.parametrize("moves", [[(1 << 31) - 1, 1], [-(1 << 31), -1], [1 << 30] * 5], ids=str)
    @pytest.mark.parametrize("across", [False, True])
    def test_sums_run_over(self, moves: list[int], across: bool) -> None:
        steps = b""
        for move in moves:
            x, y = (move, 0) if across else (0, move)
            steps += b"\x00" + pack(x) + pack(y) + b"\x44\x00" + pack(move) * 10
        assert_read_plainly(PRESENT + steps + b"\x40", [1 << 20])

    @pytest.mark.parametrize("number", ["ffffffff0f", "ffffffffff", "8080808010", "8080808000", "c001"])
    def test_numbers_of_any_length_cut_anywhere(self, number: str) -> None:
        one = bytes.fromhex(number)
        skip = b"\x41" + one if one[0] < 0xC0 else b""
        told = PRESENT + b"\x44\x00" + one * 10 + b"\x00" + one * 2 + skip
        for size in range(len(PRESENT), len(told) + 1):
            assert_read_plainly(told[:size], [1 << 20])

    def test_the_most_there_may_be(self) -> None:
        for more in (0, 1):
            long = b"\x48\x00" + b"x" * (LONGEST - 3 + more) + b"\0"
            command = b"\x49\x00\x04x\0" + pack(MOST_ARGS + more) + b"y\0" * (MOST_ARGS + more)
            for message in (long, command):
                assert_read_plainly(message + b"\x40", [1 << 22])
