"""A tape: where one seeks to, what is kept of it, and what is too slow."""

import random
from collections.abc import Callable, Iterator

from nhlog.vt import Size, Tape, Terminal, TooSlow
from nhlog.vt.tape import Part

SIZE = Size(30, 4)


def parts_of(count: int) -> list[Part]:
    chance = random.Random(count)
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
    chance = random.Random(1)
    tape = Tape(SIZE, spans(parts))
    for at in (chance.randrange(300) for _ in range(200)):
        assert tape.grid(at) == expected[at]


def test_going_back_feeds_but_little_again() -> None:
    parts, fed = parts_of(300), []

    def some(first: int, last: int) -> list[Part]:
        fed.extend(map(len, parts[first:last]))
        return parts[first:last]

    tape = Tape(SIZE, some)
    tape.grid(300)
    for at in range(300, 0, -37):
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
    tape = Tape(SIZE, spans(parts), lambda: next(clock))
    assert tape.grid(1).text()[0] == "one"
    assert tape.fault is None
    assert tape.grid(7).text()[0] == tape.grid(4).text()[0] == "one two"
    assert isinstance(tape.fault, TooSlow)
    assert tape.reach == 4
    assert tape.grid(1).text()[0] == "one"
    assert tape.grid(5).text()[0] == "one two"


def test_a_long_part_is_fed_in_slices_with_a_look_at_the_clock() -> None:
    clock = ticks(*[0.5] * 20)
    tape = Tape(SIZE, spans([b"x" * 1_000_000]), lambda: next(clock))
    assert tape.grid(1).text()[0] == ""
    assert isinstance(tape.fault, TooSlow)


def test_what_changes_bit_by_bit_is_seen_as_what_is_looked_at_once() -> None:
    """Rows that did not change are not read again; sizes, scrolling and styles change them."""
    parts = parts_of(200)
    seen = Tape(SIZE, spans(parts))
    for at in range(200):
        other = Tape(SIZE, spans(parts[: at + 1]))
        assert seen.grid(at + 1) == other.grid(at + 1)


def test_a_walk_shows_what_going_there_shows_wherever_one_was_and_goes_in_between() -> None:
    parts = [part.replace(b"\xe6\xbc", b"\xe6\xbc\xa2") if isinstance(part, bytes) else part for part in parts_of(300)]
    expected = Tape(SIZE, spans(parts))
    grids = [expected.grid(at) for at in range(301)]
    chance = random.Random(2)
    for _ in range(30):
        tape = Tape(SIZE, spans(parts))
        tape.grid(chance.randrange(301))
        first = chance.randrange(300)
        last = chance.randrange(first, 301)
        stops = {at for at in range(first + 1, last + 1) if chance.random() < 0.3}
        seen = []
        for at, terminal in tape.walk(first, last, lambda played, part, stops=stops: played in stops):
            seen.append(at)
            assert terminal.changed_texts() is not None
            assert terminal.texts == grids[at].text()
            if chance.random() < 0.3:
                there = chance.randrange(301)
                assert tape.grid(there) == grids[there]
        assert seen == [first, *sorted(stops)]
        assert tape.grid(300) == grids[300]
