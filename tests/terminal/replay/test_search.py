"""Search in a recording whose events are anywhere: all are found, both ways, and where there are none it is quick."""

import re
from collections.abc import Iterator

import pytest

from nhlog.replay import Event
from terminal.replay.search import search
from tests.doses import dose, seeded

LAST = 1 << 31


class Sparse:
    """A recording of two thousand million steps, with events at some of them; `asked` is how often it was read."""

    def __init__(self, steps: list[int]) -> None:
        self.steps = steps
        self.asked = 0

    def events(self, first: int, last: int) -> Iterator[Event]:
        self.asked += 1
        return (Event(step, f"event {step % 3}", "") for step in self.steps if first <= step <= last)


@pytest.mark.parametrize("backwards", [False, True])
def test_every_match_is_found_in_order_with_few_readings(backwards: bool) -> None:
    chance = seeded(1)
    crowd = range(70_000, 74_000)
    steps = sorted({0, 999, 1000, LAST, *crowd, *(chance.randrange(LAST) for _ in range(dose("terminal.events")))})
    replay = Sparse(steps)
    pattern = re.compile("event 1")
    found = [one.step for one in search(replay, pattern, 0, LAST, backwards=backwards) if isinstance(one, Event)]  # type: ignore[arg-type]
    expected = [step for step in steps if step % 3 == 1]
    assert found == (expected[::-1] if backwards else expected)
    assert replay.asked < LAST / 50_000


def test_the_ends_belong_to_a_part() -> None:
    replay = Sparse([4, 5, 6, 7])
    found = search(replay, re.compile("event"), 5, 6)  # type: ignore[arg-type]
    assert [one.step for one in found if isinstance(one, Event)] == [5, 6]
    assert list(search(replay, re.compile("event"), 3, 2)) == []  # type: ignore[arg-type]
