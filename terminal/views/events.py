"""The view of any recording as a list of its events, for formats without a view of their own."""

from typing import Any, Final

from nhlog.replay import Replay
from nhlog.screen import Screen
from terminal.text.words import clock
from terminal.views import LEGEND, Fact, View, Viewpoint
from terminal.views.rows import Column, current_event, draw_rows

__all__ = ["VIEW"]

COLUMNS: Final = (
    Column("at", 9, lambda event, timeline: str(timeline.at(timeline.unit, event.step)), right=True),
    Column("time", 9, lambda event, timeline: clock(timeline.time(event.step)), least=40, right=True),
    Column("what happened", 0, lambda event, timeline: event.text),
)


def body(replay: Replay[Any], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The events around the replay's step."""
    return draw_rows(replay, COLUMNS, width, height)


def facts(replay: Replay[Any]) -> list[Fact]:
    """The current event, and the replay's position on each axis."""
    timeline, event = replay.timeline, current_event(replay)
    axes = [(axis, str(timeline.at(axis, replay.step))) for axis in timeline.axes if axis != "time"]
    return [("event", event.text if event else "none"), *axes]


def legend(replay: Replay[Any]) -> Screen:
    """The signs of the table."""
    from terminal.views.legend import ROWS, draw_signs

    return draw_signs(ROWS)


VIEW: Final = View(body, facts, panels={LEGEND: legend}, zooms=(0, 0))
