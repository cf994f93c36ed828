"""Ticks, places and inputs: the rules of the specification, and that the writer undoes them."""

import pytest
from hypothesis import given

from nhlog.formats.teehistorian.reading.counter import MessageCounter
from nhlog.formats.teehistorian.reading.world import Applied, World
from nhlog.formats.teehistorian.wire.codec import BadMessage, encode
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
from nhlog.formats.teehistorian.wire.split import Splitter
from nhlog.formats.teehistorian.writing.writer import Writer
from tests.formats.teehistorian.streams import recorded

HIGH = (1 << 31) - 1


def meant(*messages: tuple[object, ...]) -> list[tuple[int, tuple[object, ...]]]:
    """Tick and meaning of each."""
    every: list[Applied] = []
    World().apply([encode(message) for message in messages], applied=every)
    return [(tick, message) for tick, _, message in every]


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
    world = World()
    with pytest.raises(BadMessage) as error:
        world.apply([encode(PlayerNew(1, 2, 3)), encode(message), encode(Finish())])
    assert error.value.offset == 1
    assert world.places == {1: (2, 3)}


@given(recorded())
def test_what_is_written_is_read(recording: tuple[bytes, list[tuple[int, tuple[object, ...]]]]) -> None:
    data, told = recording
    messages = Splitter().feed(data)
    every: list[Applied] = []
    world = World()
    world.apply(messages, applied=every)
    assert [(tick, message) for tick, _, message in every] == told
    assert [messages[index] for _, index, _ in every] == [
        message for message in messages if message[0] not in (0x40, 0x41)
    ]
    writer = Writer()
    assert b"".join(writer.write(tick, message) for tick, message in told) + writer.finish() == data
    skimmer = MessageCounter()
    for size in range(0, len(messages), 3):
        skimmer.take(messages[size : size + 3])
    assert skimmer.tick == world.tick
    assert sum(skimmer.counts.values()) == len(messages)


@given(recorded())
def test_playing_to_a_tick_and_on_is_playing(recording: tuple[bytes, list[tuple[int, tuple[object, ...]]]]) -> None:
    data, told = recording
    messages = Splitter().feed(data)
    whole, parts = World(), World()
    whole.apply(messages)
    index = 0
    for tick in sorted({tick for tick, _ in told}):
        index = parts.apply(messages, index, tick)
        assert parts.tick <= tick
        other = World()
        other.unpack(parts.pack(), parts.players)
        assert (other.places, other.inputs, other.tick) == (parts.places, parts.inputs, parts.tick)
    parts.apply(messages, index)
    assert (parts.tick, parts.places, parts.inputs, parts.players) == (
        whole.tick,
        whole.places,
        whole.inputs,
        whole.players,
    )


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
