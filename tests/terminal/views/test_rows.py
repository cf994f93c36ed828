"""Tables of events: rows that were drawn are used again, and never where they would say something else."""

from collections.abc import Iterator

import pytest

from nhlog.replay import Event
from nhlog.timeline import Axis, Timeline
from terminal.screen import theme
from terminal.views.events import COLUMNS
from terminal.views.rows import Column, draw_rows

SIZE = (60, 8)


class Kept:
    """As much of a replay as a table needs, which gives the same events whenever it is asked."""

    def __init__(self, texts: list[str]) -> None:
        self.all = [Event(step, text, text) for step, text in enumerate(texts)]
        self.step = 0
        self.pause = 1_000_000

    @property
    def timeline(self) -> Timeline:
        times = Axis(range(0, self.pause * len(self.all), self.pause))
        return Timeline("line", {"line": Axis(range(len(self.all))), "time": times}, None, range(len(self.all)), ())

    def events(self, first: int, last: int) -> Iterator[Event]:
        return iter(self.all[first : last + 1])


def rows_of(replay: Kept, columns: tuple[Column, ...] = COLUMNS) -> list[str]:
    return draw_rows(replay, columns, *SIZE).text()  # type: ignore[arg-type]  # it has what a table asks for


@pytest.fixture
def replay() -> Kept:
    return Kept(["one", "two", "three"])


def test_a_row_says_when_its_event_was_on_the_timeline_of_now(replay: Kept) -> None:
    assert rows_of(replay)[2].split() == ["1", "0:01", "two"]
    replay.pause *= 3
    assert rows_of(replay)[2].split() == ["1", "0:03", "two"]


def test_the_current_row_moves_with_the_step_and_a_click_leads_to_each(replay: Kept) -> None:
    for step in (0, 2, 1, 2, 0):
        replay.step = step
        screen = draw_rows(replay, COLUMNS, *SIZE)  # type: ignore[arg-type]
        assert [y for y, row in enumerate(screen.text()) if row.startswith("▶")] == [step + 1]
        assert [screen.style_at(30, y) == theme.FUTURE for y in (1, 2, 3)] == [number > step for number in range(3)]
        assert [screen.target_at(30, y) for y in (1, 2, 3)] == ["go 0", "go 1", "go 2"]


def test_what_an_event_says_is_asked_for_once(replay: Kept) -> None:
    asked: list[str] = []

    def text(event: Event, timeline: Timeline) -> str:
        asked.append(event.text)
        return event.text

    timeline = replay.timeline
    columns = (Column("what happened", 0, text),)
    fixed = type("Fixed", (Kept,), {"timeline": timeline})(["one", "two", "three"])
    for step in (0, 1, 2):
        fixed.step = step
        rows_of(fixed, columns)
    assert asked == ["one", "two", "three"]
