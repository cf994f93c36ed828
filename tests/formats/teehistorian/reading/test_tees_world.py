"""Ticks, places and inputs: the rules of the specification, and that the writer undoes them."""

import pytest
from hypothesis import given

from nhlog.formats.teehistorian.reading.stream import POSITIONS, Stream
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.wire.codec import encode
from nhlog.formats.teehistorian.wire.messages import (
    Finish,
    Input,
    InputDiff,
    InputNew,
    Join,
    PlayerChange,
    PlayerDiff,
    PlayerGone,
    PlayerNew,
    PlayerOld,
    TickSkip,
)
from nhlog.formats.teehistorian.writing.writer import Writer
from tests.formats.teehistorian.streams import recorded

HIGH = (1 << 31) - 1


def stream_of(data: bytes) -> Stream:
    stream = Stream(World())
    stream.feed(data)
    return stream


def meant(*messages: tuple[object, ...]) -> list[tuple[int, tuple[object, ...]]]:
    """Tick and meaning of each."""
    stream = stream_of(b"".join(map(encode, messages)))
    return [(tick, message) for tick, _, message in stream.records()]


def ticks(*messages: tuple[object, ...]) -> list[int]:
    return [tick for tick, _ in meant(*messages)]


def test_the_first_player_record_begins_a_tick() -> None:
    assert ticks(Join(0), PlayerNew(5, 0, 0), PlayerNew(6, 0, 0)) == [0, 1, 1]


def test_a_lower_or_equal_client_id_begins_a_tick() -> None:
    new = [PlayerNew(cid, 0, 0) for cid in (1, 2, 3)]
    assert ticks(*new, PlayerDiff(3, 1, 1), PlayerDiff(1, 1, 1), PlayerOld(3), PlayerOld(2)) == [1, 1, 1, 2, 3, 3, 4]


def test_a_skip_forgets_the_last_client_id() -> None:
    assert ticks(PlayerNew(5, 0, 0), TickSkip(0), PlayerDiff(5, 1, 1), TickSkip(7), PlayerNew(0, 0, 0)) == [1, 2, 10]


def test_what_is_no_player_record_belongs_to_the_tick() -> None:
    new = (PlayerNew(5, 0, 0), InputNew(5, (0,) * 10), Join(1), PlayerNew(6, 0, 0))
    assert ticks(*new) == [1, 1, 1, 1]


def test_differences_are_summed_and_run_over() -> None:
    told = meant(
        PlayerNew(70, HIGH, -5),
        PlayerDiff(70, 1, 3),
        InputNew(70, (1,) * 9 + (HIGH,)),
        InputDiff(70, (-1,) * 9 + (2,)),
        PlayerOld(70),
    )
    assert [message for _, message in told] == [
        PlayerNew(70, HIGH, -5),
        PlayerChange(70, -HIGH - 1, -2, HIGH, -5),
        Input(70, (1,) * 9 + (HIGH,), True),
        Input(70, (0,) * 9 + (-HIGH,), False),
        PlayerGone(70, -HIGH - 1, -2),
    ]


@pytest.mark.parametrize(
    "message", [PlayerDiff(0, 1, 1), PlayerOld(0), InputDiff(0, (0,) * 10), PlayerNew(1, 0, 0)], ids=str
)
def test_what_cannot_follow_is_named(message: tuple[object, ...]) -> None:
    sound = encode(PlayerNew(1, 2, 3))
    stream = stream_of(sound + encode(message) + encode(Finish()))
    assert not stream.apply()
    assert stream.error is not None
    assert stream.offset == stream.error.offset == len(sound)
    assert stream.world.places == {1: (2, 3)}


@given(recorded())
def test_what_is_written_is_read(recording: tuple[bytes, list[tuple[int, tuple[object, ...]]]]) -> None:
    data, told = recording
    stream = stream_of(data)
    found = list(stream.records())
    assert [(tick, message) for tick, _, message in found] == told
    assert all(data[one.offset] not in (0x40, 0x41) for one in found)
    writer = Writer()
    assert b"".join(writer.write(tick, message) for tick, message in told) + writer.finish() == data
    moved, counted = stream_of(data), stream_of(data)
    players = (PlayerNew, PlayerChange, PlayerGone)
    assert list(moved.records(POSITIONS)) == [one for one in found if isinstance(one.message, players)]
    counted.count()
    assert (counted.world.tick, counted.world.counts) == (stream.world.tick, stream.world.counts)
    assert stream.world.messages == len(told) + stream.world.counts["tick_skip"] + 1


@given(recorded())
def test_playing_to_a_tick_and_on_is_playing(recording: tuple[bytes, list[tuple[int, tuple[object, ...]]]]) -> None:
    data, told = recording
    whole, parts = stream_of(data), stream_of(data)
    whole.apply()
    for tick in sorted({tick for tick, _ in told}):
        parts.apply(tick)
        world = parts.world
        assert world.tick <= tick
        other = World()
        other.unpack(world.pack(), world.players)
        assert (other.places, other.inputs, other.tick) == (world.places, world.inputs, world.tick)
    parts.apply()
    for name in ("tick", "places", "inputs", "players", "counts"):
        assert getattr(parts.world, name) == getattr(whole.world, name)


@pytest.mark.parametrize(
    "first",
    [(3, PlayerNew(1, 0, 0)), (5, PlayerGone(0, 0, 0)), (5, PlayerChange(7, 1, 1, 0, 0)), (5, PlayerNew(0, 1, 1))],
    ids=str,
)
def test_the_writer_refuses_what_could_not_be_read(first: tuple[int, tuple[object, ...]]) -> None:
    writer = Writer()
    writer.write(5, PlayerNew(4, 0, 0))
    with pytest.raises(ValueError, match=r"client|tick"):
        writer.write(*first)
