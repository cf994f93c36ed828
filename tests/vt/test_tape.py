"""A tape: where one seeks to, what is kept of it, and what is too slow."""

from collections.abc import Callable, Iterator

import pytest

from nhlog.vt import EmulatorFailed, Part, Size, Tape, Terminal, TooSlow
from tests.doses import dose, seeded

SIZE = Size(30, 4)


def parts_of(count: int) -> list[Part]:
    chance = seeded(count)
    found: list[Part] = []
    for number in range(count):
        if number % 50 == 49:
            found.append(Size(chance.randrange(8, 40), chance.randrange(2, 9)))
        else:
            color, size = chance.randrange(30, 38), chance.randrange(1 << 10)
            found.append(
                f"\x1b[{color}m{number}\r\n".encode() + chance.choice((b"word ", b"\x1b[", b"\xe6\xbc")) * size
            )
    return found


def spans(parts: list[Part]) -> Callable[[int, int], list[Part]]:
    return lambda first, last: parts[first:last]


def test_every_place_is_the_same_whichever_way_one_came_there() -> None:
    parts = parts_of(300)
    terminal, expected = Terminal(SIZE), []
    for part in parts:
        expected.append(terminal.grid())
        if isinstance(part, Size):
            terminal.resize(part)
        else:
            terminal.feed(part)
    chance = seeded(1)
    tape = Tape(SIZE, spans(parts))
    for at in (chance.randrange(300) for _ in range(dose("vt.places"))):
        assert tape.grid(at) == expected[at]


def test_going_back_feeds_but_little_again() -> None:
    parts, fed = parts_of(300), []

    def some(first: int, last: int) -> list[Part]:
        fed.extend(map(len, parts[first:last]))
        return parts[first:last]

    tape = Tape(SIZE, some)
    tape.grid(300)
    for at in range(300, 0, -1):
        fed.clear()
        tape.grid(at)
        assert sum(fed) < 80_000
    fed.clear()
    tape.grid(at)
    tape.grid(at + 1)
    assert len(fed) == 1


def ticks(*seconds: float) -> Iterator[float]:
    """A clock on which feeding takes so long, piece by piece."""
    now = 0.0
    for each in seconds:
        yield now
        now += each
        yield now


def test_what_is_too_slow_is_not_shown_and_what_stands_before_it_is() -> None:
    parts: list[Part] = [b"one ", Size(30, 4), b"two ", Size(30, 4), b"three ", Size(30, 4), b"four"]
    clock = ticks(0.1, 0.1, 0.1, 0.1, 60, 0.1)
    tape = Tape(SIZE, spans(parts), lambda terminal: next(clock))
    assert tape.grid(1).text()[0] == "one"
    assert tape.fault is None
    assert tape.grid(7).text()[0] == tape.grid(4).text()[0] == "one two"
    assert isinstance(tape.fault, TooSlow)
    assert tape.reach == 4
    assert tape.grid(1).text()[0] == "one"
    assert tape.grid(5).text()[0] == "one two"


def test_a_long_part_is_fed_in_slices_with_a_look_at_the_clock() -> None:
    clock = ticks(*[0.5] * 20)
    tape = Tape(SIZE, spans([b"x" * 2_000_000]), lambda terminal: next(clock))
    assert tape.grid(1).text()[0] == ""
    assert isinstance(tape.fault, TooSlow)


def test_what_changes_bit_by_bit_is_seen_as_what_is_looked_at_once() -> None:
    """Rows that did not change are not read again; sizes, scrolling and styles change them."""
    parts = parts_of(200)
    seen = Tape(SIZE, spans(parts))
    for at in range(200):
        other = Tape(SIZE, spans(parts[: at + 1]))
        assert seen.grid(at + 1) == other.grid(at + 1)


def test_two_that_know_the_same_stand_where_they_were_put() -> None:
    """Played in turns, sought in, walked through: each shows what one alone shows."""
    parts, chance = parts_of(300), seeded(2)
    one = Tape(SIZE, spans(parts))
    other, alone = one.another(), Tape(SIZE, spans(parts))
    alone.grid(300)
    walk = iter(())
    for _ in range(dose("vt.turns")):
        at = chance.randrange(301)
        for tape in (one, other) if chance.random() < 0.7 else (one,):
            assert tape.grid(at) == alone.grid(at)
        if (found := next(walk, None)) is not None:
            assert found[1].texts == alone.grid(found[0]).text()
        else:
            walk = other.walk(chance.randrange(200), 300, lambda played, part: played % 7 == 0)
    assert one.snapshots is other.snapshots
    known = one.snapshots.keys
    assert known == alone.snapshots.keys[: len(known)]


@pytest.mark.parametrize("number", range(dose("vt.apart")))
def test_who_shares_nothing_has_snapshots_of_the_same_places_and_sees_the_same(number: int) -> None:
    """One played at once, the other went forth and back, and walked, as far as it knew and beyond."""
    chance, parts = seeded(number), [*parts_of(100), *parts_of(150), *parts_of(200)]
    alone, other = Tape(SIZE, spans(parts)), Tape(SIZE, spans(parts))
    alone.go(len(parts))
    reach = 0
    while reach < len(parts):
        reach = min(reach + chance.randrange(1, 60), len(parts))
        at = chance.randrange(reach)
        if chance.random() < 0.5:
            every = chance.randrange(1, 9)
            for played, reading in other.walk(at, reach, lambda played, part, every=every: played % every == 0):
                if chance.random() < 0.1:
                    assert reading.texts == alone.grid(played).text()
        else:
            other.go(reach)
            assert other.grid(at) == alone.grid(at)
    other.go(len(parts))
    assert len(alone.snapshots.keys) > 10
    assert other.snapshots.keys == alone.snapshots.keys


def test_a_walk_over_what_is_known_in_part_stops_where_it_should() -> None:
    parts: list[Part] = [b"%d\r\n" % number for number in range(2000)]
    tape, alone = Tape(SIZE, spans(parts)), Tape(SIZE, spans(parts))
    tape.grid(10)
    for played, reading in tape.walk(5, 1500, lambda played, part: played % 99 == 0):
        assert reading.texts == alone.grid(played).text()
    assert tape.reach == 1500
    assert tape.grid(1500) == alone.grid(1500)


def test_what_is_made_of_ill_formed_characters_does_not_depend_on_the_way() -> None:
    chance = seeded(4)
    bits = [
        b"\xe6",
        b"\xbc",
        b"\xa2",
        b"\xf0\x9f",
        b"\x98",
        b"\xff",
        b"a",
        b"\r\n",
        "漢".encode(),
        b"\x1b[3",
        b"1m",
        b"",
    ]
    parts: list[Part] = [b"".join(chance.choices(bits, k=chance.randrange(5))) for _ in range(dose("vt.illformed"))]
    played, sought = Tape(SIZE, spans(parts)), Tape(SIZE, spans(parts))
    grids = [played.grid(at) for at in range(len(parts) + 1)]
    sought.grid(len(parts))
    for _ in range(dose("vt.places")):
        at = chance.randrange(len(parts) + 1)
        assert sought.grid(at) == grids[at]
    for at, reading in sought.walk(0, len(parts), lambda played, part: played % 7 == 0):
        assert reading.texts == grids[at].text()


def test_sizes_are_taken_alike_whichever_way_one_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are wrapped anew by what was written where, which snapshots keep in part only."""
    monkeypatch.setattr("nhlog.vt.tape._SPACING", 200)
    bits = [
        b"word ",
        b"\r\n",
        b"longlonglong",
        b"\x1b[H",
        b"\x1b[J",
        b"\x1b[?1049h",
        b"\x1b[?1049l",
        b"\x1b[5;3H",
        b"\x1b[2;4r",
    ]
    for seed in range(dose("vt.sizes")):
        chance = seeded(seed)
        parts: list[Part] = [
            Size(chance.randrange(1, 60), chance.randrange(1, 14)) if chance.random() < 0.05 else chance.choice(bits)
            for _ in range(dose("vt.parts"))
        ]
        played, sought = Tape(SIZE, spans(parts)), Tape(SIZE, spans(parts))
        grids = [played.grid(at) for at in range(dose("vt.parts") + 1)]
        sought.grid(dose("vt.parts"))
        for at in (chance.randrange(dose("vt.parts") + 1) for _ in range(dose("vt.sought"))):
            assert sought.grid(at) == grids[at]


SCROLLING = [
    b"word ",
    b"\r\n",
    b"long" * 30,
    b"line\r\n" * 40,
    b"x" * 300,
    "宽".encode() * 50,
    b"\n" * 300,
    b"\x1b[H",
    b"\x1b[J",
]


def test_what_scrolled_off_comes_back_alike_for_who_played_and_who_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    """A larger terminal pulls lines back; which are still there, the emulator forgets in another way once restored."""
    monkeypatch.setattr("nhlog.vt.tape._SPACING", 1 << 10)
    for seed in (163, *range(dose("vt.scrolled"))):  # of the first 400 this one alone showed it
        chance = seeded(seed)
        parts: list[Part] = [
            Size(chance.choice((1, 2, 5, 20, 80, 132)), chance.choice((1, 2, 3, 10, 25, 90, 200)))
            if chance.random() < 0.15
            else chance.choice(SCROLLING) * chance.choice((1, 1, 3, 10))
            for _ in range(dose("vt.scrolling"))
        ]
        tape = Tape(SIZE, spans(parts))
        places = chance.sample(range(len(parts)), 10)
        grids = {at: tape.grid(at) for at in sorted(places)}
        for at in places:
            assert tape.grid(at) == grids[at], (seed, at)
        tape.close()


def test_a_snapshot_that_the_emulator_does_not_take_back_costs_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nhlog.vt.tape._SPACING", 1 << 8)  # one after nearly each part
    # found by scripts/fuzz emulator, case 70812 of seed 3001
    link = b"\xcc\x81\x1b]8;;/\x07;\x1b]8;;/\x07l\x1b]8;;/\x073"
    parts: list[Part] = [Size(5, 10), b"long" * 302 + b"\x81e" * 5 + b"\x1b[?7l", Size(200, 200), link, Size(250, 200)]
    fed = Terminal(SIZE)
    for part in parts:
        if isinstance(part, Size):
            fed.resize(part)
        else:
            fed.feed(part)
    snapshot = fed.snapshot()
    assert snapshot is not None
    with pytest.raises(EmulatorFailed):
        Terminal.restored(snapshot).start()
    parts += [b"after\r\n" * 50, Size(40, 12), b"the end"]
    played = Tape(SIZE, spans(parts))
    grids = [played.grid(at) for at in range(len(parts) + 1)]
    assert not played.gaps
    assert "the end" in "".join(grids[-1].text())
    for at in reversed(range(len(parts) + 1)):
        assert played.grid(at) == grids[at]


def test_patience_grows_with_the_recording() -> None:
    parts: list[Part] = [bytes(1 << 16)] * 32
    clock = ticks(*[6 / len(parts)] * len(parts))
    tape = Tape(SIZE, spans(parts), lambda terminal: next(clock))
    tape.go(len(parts))
    assert (tape.fault, tape.reach) == (None, len(parts))


def test_one_goes_back_to_where_a_long_part_begins_and_not_into_it() -> None:
    tape = Tape(SIZE, spans([b"before ", b"within" + bytes(1 << 17) + b" behind"]))
    assert tape.grid(2).text()[0] == "before within behind"
    assert tape.grid(1).text()[0] == "before"


def test_who_walks_has_no_more_patience_with_a_long_part() -> None:
    clock = ticks(*[0.5] * 20)
    tape = Tape(SIZE, spans([b"x" * 2_000_000]), lambda terminal: next(clock))
    assert [played for played, _ in tape.walk(0, 1, lambda played, part: True)] == [0]
    assert isinstance(tape.fault, TooSlow)


def test_who_walks_leaves_the_same_snapshots_as_who_goes_there() -> None:
    parts: list[Part] = [b"%d " % number + bytes(1 << 16) for number in range(4)]
    walked, gone = Tape(SIZE, spans(parts)), Tape(SIZE, spans(parts))
    assert [played for played, _ in walked.walk(0, 4, lambda played, part: played == 4)] == [0, 4]
    gone.go(4)
    assert (walked.snapshots.keys, walked.snapshots.size) == (gone.snapshots.keys, gone.snapshots.size)


def test_what_another_one_played_while_one_walked_counts_once() -> None:
    parts: list[Part] = [b"%06d\r\n" % number for number in range(40_000)]
    walked, gone = Tape(SIZE, spans(parts)), Tape(SIZE, spans(parts))
    gone.go(len(parts))
    other = walked.another()
    for played, reading in walked.walk(0, len(parts), lambda played, part: played % 3000 == 0):
        assert reading.texts == gone.grid(played).text()
        other.go(min(played + 1000, len(parts)))
    found, expected = walked.snapshots, gone.snapshots
    assert (found.keys, found.size, found.known) == (expected.keys, expected.size, expected.known)
