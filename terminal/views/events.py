"""Any recording as a list of its events: what is shown of a format that has no view of its own."""

from typing import Any, Final

from nhlog.replay import Replay
from nhlog.screen import Screen
from terminal.text.words import clock
from terminal.views import Fact, View, Viewpoint
from terminal.views.rows import Column, current_event, draw_rows

__all__ = ["VIEW"]

COLUMNS: Final = (
    Column("at", 9, lambda event, timeline: str(timeline.at(timeline.unit, event.step)), right=True),
    Column("time", 9, lambda event, timeline: clock(timeline.time(event.step)), least=40, right=True),
    Column("what happened", 0, lambda event, timeline: event.text),
)


def body(replay: Replay[Any], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The events around where the replay stands."""
    return draw_rows(replay, COLUMNS, width, height)


def facts(replay: Replay[Any]) -> list[Fact]:
    """What happened, and where the replay stands on each axis."""
    timeline, event = replay.timeline, current_event(replay)
    axes = [(axis, str(timeline.at(axis, replay.step))) for axis in timeline.axes if axis != "time"]
    return [("event", event.text if event else "none"), *axes]


VIEW: Final = View(body, facts)
