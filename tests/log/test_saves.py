"""Saves along a chain of diffs: the same whatever was asked for before, and at the price of the way there."""

import tracemalloc
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Damaged
from nhlog.log import keyframes
from nhlog.log.columns import Columns
from nhlog.log.file import LogBytes
from nhlog.log.keyframes import Store
from nhlog.log.log import Log
from nhlog.log.saves import SaveChain
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.reader import RawLine
from nhlog.mdiff.reference import encode
from tests.builders import START, Game, played
from tests.doses import dose, seeded
from tests.logs import SAMPLE_LOGS


class Chain(SaveChain):
    """The saves of a game, with a record of the payloads that were asked for."""

    def __init__(self, game: Game, store: Store | None = None) -> None:
        columns = Columns(game.length, START)
        for offset, line in zip(game.offsets, game.lines, strict=True):
            columns.add(RawLine(offset, line + b"\n"))
        self.asked: list[int] = []
        lines = [line for line in game.lines if line[:1] in (b"*", b"~")]

        def payload(number: int) -> bytes:
            self.asked.append(number)
            return parse_line(lines[number]).blob.decode()

        super().__init__(columns, payload, lambda: store)

    def cost(self, number: int) -> int:
        self.asked.clear()
        self.save(number)
        return len(self.asked)


GAME = played(100, backup_every=40)


@given(st.lists(st.integers(0, 100), max_size=30))
def test_a_save_is_the_same_whatever_was_asked_for_before(numbers: list[int]) -> None:
    chain = Chain(GAME)
    for number in numbers:
        assert chain.save(number) == GAME.saves[number]


@pytest.mark.parametrize("path", SAMPLE_LOGS, ids=lambda path: path.stem)
def test_real_saves_backwards_are_those_forwards_and_those_of_a_chain_that_is_read_as_one(path, monkeypatch) -> None:
    log = Log(LogBytes(path.name, path.read_bytes()))
    count = len(log.columns.save_lines)
    forwards = [log.save(number) for number in range(count)]
    for least in (keyframes._LARGE, 0):
        monkeypatch.setattr(keyframes, "_LARGE", least)
        fresh = Log(LogBytes(path.name, path.read_bytes()))
        assert [fresh.save(number) for number in reversed(range(count))] == forwards[::-1]


def test_walking_on_costs_one_diff() -> None:
    chain = Chain(GAME)
    chain.save(0)
    assert [chain.cost(number) for number in range(1, 101)] == [1] * 100
    assert chain.cost(100) == 0


def test_a_first_seek_costs_the_diffs_since_the_backup_and_not_the_whole_log() -> None:
    second = backups(GAME)[1]
    assert Chain(GAME).cost(second + 7) == 8
    assert Chain(GAME).cost(second) == 1


def test_walking_back_costs_some_diffs_and_not_all_since_the_backup() -> None:
    game = played(400)
    chain = Chain(game)
    chain.save(400)
    costs = [chain.cost(number) for number in reversed(range(400))]
    assert max(costs) <= 17
    assert sum(costs) / len(costs) < 12


def test_what_is_remembered_is_bounded() -> None:
    game = played(600, size=40_000)
    chain = Chain(game)
    tracemalloc.start()
    for number in range(601):
        chain.save(number)
    used, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < 8 << 20
    assert peak < 12 << 20


def test_a_save_larger_than_all_that_may_be_remembered_is_rebuilt_all_the_same(monkeypatch) -> None:
    monkeypatch.setattr(keyframes, "_MOST_BYTES", 50)
    chain = Chain(GAME)
    assert [chain.save(number) for number in (100, 20, 70)] == [GAME.saves[number] for number in (100, 20, 70)]


def broken_at(turn: int, payload: bytes) -> Game:
    """A game in which the diff of one turn is something else."""
    game = played(60, backup_every=30)
    line = b"~" + Blob.of(payload).text
    at = game.offsets.index(game.save_offsets[turn])
    game.lines[at] = line
    return game


def backups(game: Game) -> list[int]:
    """Which of the saves are backups."""
    return [game.save_offsets.index(offset) for offset in game.backups]


@pytest.mark.parametrize("route", ["forwards", "backwards", "shuffled"])
@pytest.mark.parametrize("payload", [b"", b"\x01", b"\x01C\xff\xff\xff", b"no diff"])
def test_a_broken_diff_breaks_the_saves_up_to_the_next_backup_on_every_route(route: str, payload: bytes) -> None:
    game = broken_at(10, payload)
    chain = Chain(game)
    numbers = list(range(61))
    if route == "backwards":
        numbers.reverse()
    elif route == "shuffled":
        seeded(3).shuffle(numbers)
    for number in numbers:
        if 10 <= number < backups(game)[1]:
            with pytest.raises(Damaged):
                chain.save(number)
        else:
            assert chain.save(number) == game.saves[number]


@pytest.mark.parametrize("payload", [b"", b"\x01", b"\x01C\xff\xff\xff", b"no diff"])
def test_a_broken_diff_in_a_chain_that_is_read_as_one_breaks_the_same_saves(payload: bytes, monkeypatch) -> None:
    monkeypatch.setattr(keyframes, "_LARGE", 0)
    game = broken_at(20, payload)
    data = bytes(game.data[: game.offsets[0]]) + b"".join(line + b"\n" for line in game.lines)
    for number in range(61):
        log = Log(LogBytes("game", data))
        if 20 <= number < backups(game)[1]:
            with pytest.raises(Damaged) as error:
                log.save(number)
            assert error.value.offset == game.save_offsets[20]
        else:
            assert log.save(number) == game.saves[number]


def test_the_error_names_the_diff_at_fault_and_not_the_one_asked_for() -> None:
    game = broken_at(10, b"no diff")
    at_fault = game.save_offsets[10]
    for number in (10, 11, 25):
        with pytest.raises(Damaged, match="the save diff cannot be applied") as error:
            Chain(game).save(number)
        assert error.value.offset == at_fault


def test_a_wrong_checksum_breaks_the_save_it_belongs_to_on_every_route() -> None:
    """A diff of two other saves, which differ from these where it only copies: its checksum alone can tell."""
    game = played(20)
    base, new = bytearray(game.saves[9]), bytearray(game.saves[10])
    base[-1] ^= 0x80
    new[-1] ^= 0x80
    game = broken_at(10, encode(bytes(base), bytes(new)))
    for route in ([10], [9, 10], [12, 10], [16, 10]):
        chain = Chain(game)
        for number in route[:-1]:
            try:
                chain.save(number)
            except Damaged:
                assert number > 10
        with pytest.raises(Damaged, match="CRC"):
            chain.save(10)


def test_before_the_first_backup_there_is_no_save() -> None:
    game = Game(begin=False)
    game.input(b"search")
    game.line(b"~AUM=")
    for number in (-1, 0):
        with pytest.raises(Damaged, match="no save"):
            Chain(game).save(number)


def test_where_there_is_no_save_line_at_all_there_is_no_save() -> None:
    game = Game(begin=False)
    game.input(b"search")
    with pytest.raises(Damaged, match="no save"):
        Chain(game).save(-1)


# keyframes that outlast the chain


class Kept:
    """A store in memory."""

    def __init__(self) -> None:
        self.chains: dict[int, dict[int, bytes]] = {}

    def load(self, first: int) -> dict[int, bytes]:
        return self.chains.get(first, {})

    def store(self, first: int, frames: Mapping[int, bytes]) -> None:
        self.chains[first] = self.load(first) | frames


LONG = played(700, backup_every=400)


def test_what_one_walked_through_costs_the_next_one_few_diffs() -> None:
    kept = Kept()
    Chain(LONG, kept).save(390)
    assert len(kept.chains[0]) == 390 // keyframes.STORED
    for number in (70, 200, 390):
        chain = Chain(LONG, kept)
        assert chain.save(number) == LONG.saves[number]
        assert len(chain.asked) <= keyframes.STORED + 1  # and the backup


@pytest.mark.parametrize(("size", "apart"), [(50_000, 16), (850_000, keyframes._FAR)])
def test_of_saves_that_take_long_to_keep_fewer_are_kept(size: int, apart: int) -> None:
    kept = keyframes.Keyframes(lambda number: b"")
    assert [number for number in range(1100) if kept.wants(number, size)] == [*range(0, 1100, apart)]
    assert {kept.next_wanted(number, size) for number in range(1024, 1024 + apart)} == {1024 + apart}
    kept.keep(0, 512, b"of 512")
    assert not kept.wants(512, size)


def test_each_chain_has_its_own_keyframes() -> None:
    kept = Kept()
    chain = Chain(LONG, kept)
    rng = seeded(2)
    for number in rng.sample(range(701), dose("log.saves")):
        assert chain.save(number) == LONG.saves[number]
    assert {at > backups(LONG)[1] for at in kept.chains[0]} == {False}
    assert {at > backups(LONG)[1] for at in kept.chains[backups(LONG)[1]]} == {True}


def test_a_damaged_keyframe_is_as_good_as_none() -> None:
    kept = Kept()
    Chain(LONG, kept).save(390)
    kept.chains[0] = {at: frame[:-3] for at, frame in kept.chains[0].items()}
    for number in (70, 200, 390):
        assert Chain(LONG, kept).save(number) == LONG.saves[number]


# large saves, kept in advance


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """All saves are large, and those in advance near one another."""
    monkeypatch.setattr(keyframes, "_LARGE", 0)
    monkeypatch.setattr(keyframes, "AHEAD", keyframes.STORED)


def prepared(chain: Chain) -> Chain:
    while chain.prepare():
        pass
    chain.asked.clear()
    return chain


@pytest.mark.usefixtures("large")
def test_where_nobody_was_a_prepared_save_costs_few_diffs() -> None:
    kept = Kept()
    prepared(Chain(LONG, kept))
    assert {first: [*frames] for first, frames in kept.chains.items()} == {
        0: [*range(64, 401, 64)],
        backups(LONG)[1]: [*range(448, 701, 64)],
    }
    for number in seeded(5).sample(range(701), dose("log.saves")):
        chain = Chain(LONG, kept)
        assert chain.save(number) == LONG.saves[number]
        assert len(chain.asked) <= keyframes.STORED + 1  # and the backup


@pytest.mark.usefixtures("large")
def test_what_is_prepared_is_not_prepared_again() -> None:
    kept = Kept()
    prepared(Chain(LONG, kept))
    again = Chain(LONG, kept)
    while again.prepare():
        assert again.asked == []


@pytest.mark.usefixtures("large")
@given(st.lists(st.integers(0, 700), min_size=1, max_size=12))
def test_whoever_looks_meanwhile_sees_the_same(numbers: list[int]) -> None:
    kept = Kept()
    chain = Chain(LONG, kept)
    for number in numbers:
        chain.prepare()
        assert chain.save(number) == LONG.saves[number]
    prepared(chain)
    assert all(first <= at < first + 401 for first, frames in kept.chains.items() for at in frames)
    assert chain.save(numbers[0]) == LONG.saves[numbers[0]]


@pytest.mark.usefixtures("large")
def test_a_broken_chain_is_prepared_as_far_as_it_goes_and_the_others_whole() -> None:
    game = played(700, backup_every=400)
    game.lines[game.offsets.index(game.save_offsets[200])] = b"~" + Blob.of(b"no diff").text
    kept = Kept()
    chain = prepared(Chain(game, kept))
    assert {first: [*frames] for first, frames in kept.chains.items()} == {
        0: [64, 128, 192],
        backups(game)[1]: [*range(448, 701, 64)],
    }
    with pytest.raises(Damaged):
        chain.save(300)


@pytest.mark.usefixtures("large")
def test_a_chain_that_begins_with_a_broken_backup_is_left_out() -> None:
    game = played(700, backup_every=400)
    game.lines[game.offsets.index(game.backups[0])] = b"*00000000 " + Blob.of(b"no save").text[:-4]
    kept = Kept()
    prepared(Chain(game, kept))
    assert [*kept.chains] == [backups(game)[1]]


@pytest.mark.parametrize("store", [Kept(), None])
def test_of_small_saves_none_are_kept_in_advance_and_without_a_place_none_of_any(
    store: Kept | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyframes, "AHEAD", keyframes.STORED)
    if store is None:
        monkeypatch.setattr(keyframes, "_LARGE", 0)
    chain = Chain(LONG, store)
    prepared(chain)
    assert not store or store.chains == {}
    assert chain.cost(390) >= 390
