"""The view of a NetHack 4 log as a table: turn, time, place, what was done, and the save line it ended in."""

from typing import Final

from nhlog.formats.nhgame.state import Entry, LogState
from nhlog.replay import Event, Replay
from nhlog.screen import Screen, Style
from nhlog.timeline import MICROSECONDS, Timeline
from terminal.screen import theme
from terminal.text.words import size, utc_time
from terminal.views import LEGEND, Fact, View, Viewpoint
from terminal.views.rows import Column, current_event, draw_rows

__all__ = ["VIEW"]


def _turn(event: Event, timeline: Timeline) -> str:
    assert isinstance(event, Entry)
    return str(event.turn)


def _time_of_day(event: Event, timeline: Timeline) -> str:
    assert isinstance(event, Entry)
    seconds = event.utc // MICROSECONDS % 86_400
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _place(event: Event, timeline: Timeline) -> str:
    assert isinstance(event, Entry)
    return event.place


def _saved(event: Event, timeline: Timeline) -> str:
    assert isinstance(event, Entry)
    return f"{event.save} {size(event.save_bytes)}" if event.save else ""


def _save_style(event: Event) -> Style:
    assert isinstance(event, Entry)
    return theme.RARE if event.save == "backup" else theme.QUIET


COLUMNS: Final = (
    Column("turn", 6, _turn, right=True),
    Column("UTC", 8, _time_of_day, least=50),
    Column("place", 11, _place, least=64),
    Column("what happened", 0, lambda event, timeline: event.text),
    Column("in the log", 26, lambda event, timeline: event.source, least=130, style=lambda event: theme.QUIET),
    Column("saved", 15, _saved, least=76, right=True, style=_save_style),
)


def body(replay: Replay[LogState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The rows around the replay's step."""
    return draw_rows(replay, COLUMNS, width, height)


def facts(replay: Replay[LogState]) -> list[Fact]:
    """The state in words, most important first."""
    state, event = replay.state, current_event(replay)
    told = [
        ("did", event.text if event else ""),
        ("in the log", event.source if event else ""),
        ("fault", state.fault),
        ("place", state.place),
        ("line", f"{state.kind} at offset {state.offset}"),
        ("save", f"{size(len(state.save))} from offset {state.save_offset}" if state.save else "none"),
        ("game clock", _game_clock(state)),
    ]
    return [(name, value) for name, value in told if value]


def _game_clock(state: LogState) -> str:
    """The local time at the place where the game was played."""
    minutes = abs(state.zone) // 60
    there = utc_time(state.utc + state.zone * MICROSECONDS).removesuffix(" UTC")
    return f"{there} (UTC{'-' if state.zone < 0 else '+'}{minutes // 60:02}:{minutes % 60:02})"


def legend(replay: Replay[LogState]) -> Screen:
    """The signs of the table."""
    from terminal.views.legend import ROWS, draw_signs

    backup = ("backup", theme.RARE, "the turn ended with the whole save")
    diff = ("diff", theme.QUIET, "it ended with what changed in the save")
    return draw_signs((*ROWS, backup, diff))


VIEW: Final = View(body, facts, panels={LEGEND: legend}, zooms=(0, 0))
