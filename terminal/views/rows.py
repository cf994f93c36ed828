"""Draw a table of events, one row each, with the current one marked.

The current row is the event in progress or the latest one; it stays in the middle of the screen unless the table begins
or ends there.  Must not import a view.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from nhlog.replay import Event, Replay
from nhlog.screen import PLAIN, Screen, Style, clip, width_of
from nhlog.timeline import MICROSECONDS, Timeline
from nhlog.values import NamedTuple, dataclass
from terminal.screen import theme
from terminal.text.words import counted, utc_time

__all__ = ["Column", "current_event", "draw_rows"]


def _plain(event: Event) -> Style:
    return PLAIN


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `width` 0 takes the rest of the width, `least` is the least width of the table that shows it."""

    title: str
    width: int
    text: Callable[[Event, Timeline], str]
    least: int = 0
    right: bool = False
    style: Callable[[Event], Style] = _plain


MARK: Final = "▶ "
DRAWN: Final = 512  # rows that are kept, more than a screen has
LONG_GAP: Final = 60 * MICROSECONDS  # a gap that is worth a line of its own
FARTHEST: Final = 4096  # single steps that we look at to find enough events to fill a screen
_SPANS: Final = (("day", 86_400), ("hour", 3600), ("minute", 60))
_DAY: Final = 86_400 * MICROSECONDS


def draw_rows(replay: Replay[Any], columns: Sequence[Column], width: int, height: int) -> Screen:
    """The table around the replay's step."""
    screen = Screen(width, height)
    table = _table(tuple(columns), width)
    top = 1 if height > 3 else 0
    if top:
        screen.paste(0, 0, table.head)
    events, here = _around(replay, height)
    if not events:
        screen.put(len(MARK), top, "nothing has happened yet", theme.NOTE)
        return screen
    current = events[here]
    lines = [*_lines(replay.timeline, table.rows(_in_reach(events, here, height - top), replay.timeline))]
    middle = next(y for y, line in enumerate(lines) if isinstance(line, _Row) and line.event is current)
    first = max(min(middle - (height - top) // 2, len(lines) - (height - top)), 0)
    for y, line in enumerate(lines[first : first + height - top], top):
        if isinstance(line, str):
            screen.put(len(MARK), y, line, theme.NOTE)
            continue
        step = line.event.step
        base = theme.HERE if line.event is current else theme.FUTURE if step > current.step else None
        screen.paste(0, y, table.drawn(line, base))
        screen.aim(0, y, width, f"go {step}")
    return screen


def _in_reach(events: Sequence[Event], here: int, rows: int) -> Sequence[Event]:
    """The events of which that many rows around number `here` may tell, and one before them."""
    half = rows // 2
    above = max(half, rows - (len(events) - here))
    below = max(rows - half, rows - here)
    return events[max(here - above - 1, 0) : here + below + 1]


def current_event(replay: Replay[Any]) -> Event | None:
    """The event of the current row; None before the first event."""
    events, here = _around(replay, 1)
    return events[here] if events else None


@dataclass(frozen=True, slots=True)
class _Placed:
    """A column as it is placed: `room` columns wide, from column `x` of the screen."""

    column: Column
    x: int
    room: int


class _Row(NamedTuple):
    """An event, when it was, and its texts and their styles by columns."""

    event: Event
    time: int
    texts: tuple[str, ...]
    styles: tuple[Style, ...]


class _Table:
    """Columns as they are placed on a width, and the rows that were drawn in them lately.

    A replay that gives the same events again, as that of a log does, is asked once for what each of them says.
    """

    def __init__(self, columns: Sequence[Column], width: int) -> None:
        self._width = width
        self._places = _placed(columns, width)
        self.head = Screen(width, 1)
        self.head.put(0, 0, " " * width, theme.HEAD)
        for place in self._places:
            _put(self.head, place, place.column.title, theme.HEAD)
        self._drawn = lru_cache(maxsize=DRAWN)(self._draw)
        self._timeline: Timeline | None = None
        self._rows: dict[int, _Row] = {}  # of this timeline, by the ids of their events, which they keep

    def rows(self, events: Sequence[Event], timeline: Timeline) -> Iterator[_Row]:
        """The rows of events of a timeline."""
        if timeline is not self._timeline or len(self._rows) > DRAWN:
            self._timeline = timeline
            self._rows.clear()
        for event in events:
            row = self._rows.get(id(event))
            yield self._row(event, timeline) if row is None else row

    def _row(self, event: Event, timeline: Timeline) -> _Row:
        columns = [place.column for place in self._places]
        texts = tuple(column.text(event, timeline) for column in columns)
        styles = tuple(column.style(event) for column in columns)
        row = self._rows[id(event)] = _Row(event, timeline.time(event.step), texts, styles)
        return row

    def drawn(self, row: _Row, base: Style | None) -> Screen:
        """The row on a screen, all of it in the style `base` if there is one: HERE that of the current event."""
        return self._drawn(row.texts, (base,) * len(row.styles) if base else row.styles, base)

    def _draw(self, texts: Sequence[str], styles: Sequence[Style], base: Style | None) -> Screen:
        screen = Screen(self._width, 1)
        if base is not None:
            screen.put(0, 0, f"{MARK if base is theme.HERE else '':{self._width}}", base)
        for place, text, style in zip(self._places, texts, styles, strict=True):
            _put(screen, place, text, style)
        return screen


@lru_cache(maxsize=4)
def _table(columns: tuple[Column, ...], width: int) -> _Table:
    return _Table(columns, width)


def _placed(columns: Sequence[Column], width: int) -> list[_Placed]:
    shown = [column for column in columns if column.least <= width]
    space = 1 if width < 100 else 2
    fixed = len(MARK) + sum(column.width for column in shown) + space * (len(shown) - 1)
    placed = []
    x = len(MARK)
    for column in shown:
        room = column.width or max(width - fixed, 1)
        placed.append(_Placed(column, x, room))
        x += room + space
    return placed


def _put(screen: Screen, place: _Placed, text: str, style: Style) -> None:
    text = clip(text, place.room)
    indent = place.room - width_of(text) if place.column.right else 0
    screen.put(place.x + indent, 0, text, style)


def _around(replay: Replay[Any], count: int) -> tuple[list[Event], int]:
    """At least `count` events on either side of the current one, as far as they exist, and the current one's index."""
    stops = replay.timeline.stops
    here = replay.step
    at = bisect_left(stops, here)
    reach = count
    while True:
        before, after = at - reach - 1, at + reach
        first = stops[before] + 1 if before >= 0 else 0
        last = stops[after] if after < len(stops) else replay.timeline.last
        events = list(replay.events(first, last))
        index = bisect_left(events, here, key=lambda event: event.step)
        stands = at < len(stops) and stops[at] == here
        if stands and index and (index == len(events) or events[index].step > here):
            index -= 1  # nothing happens here: what did so last
        enough = (index >= count or before < 0) and (len(events) - index > count or after >= len(stops))
        if enough or reach >= FARTHEST:
            return events, min(index, len(events) - 1)
        reach *= 4


def _lines(timeline: Timeline, rows: Iterator[_Row]) -> Iterator[_Row | str]:
    """The rows, and the notes between them about a long wait or a new day."""
    before: int | None = None
    for row in rows:
        time = row.time
        said = [] if before is None or time - before < LONG_GAP else [f"{_span(time - before)} later"]
        if timeline.start is not None and row.event.step > 0:
            day = (timeline.start + time) // _DAY
            if before is not None and day != (timeline.start + before) // _DAY:
                said.append(utc_time(timeline.start + time)[:10])
        if said:
            yield f"─── {', '.join(said)} ───"
        yield row
        before = time


def _span(microseconds: int) -> str:
    """A duration in its two largest units: "3 hours 12 minutes"."""
    seconds = microseconds // MICROSECONDS
    words: list[str] = []
    for unit, length in _SPANS:
        number, seconds = divmod(seconds, length)
        if number or words:
            words.append(counted(number, unit))
        if len(words) == 2:
            break
    return " ".join(word for word in words if not word.startswith("0 "))
