"""The diagram of the lock handshake, drawn from its table: a box for each state, an arrow for each change of state.

It shows every row of the table.  What leaves the state as it is stands in the state's box.
"""

from collections import defaultdict
from html import escape

from nhlog.log.locks.handshake import TABLE, Event, State

__all__ = ["handshake"]

WIDTH, HEIGHT = 900, 602
BOX = 230, 92
PLACES = {
    State.NONE: (325, 20),
    State.MONITOR: (20, 190),
    State.SEEK: (630, 190),
    State.WRITE: (335, 335),
    State.YIELDED: (20, 490),
    State.SEEK_YIELDED: (630, 490),
}
"""The upper left corners of the boxes, so that no arrows cross."""
MEANINGS = {
    State.NONE: "no lock",
    State.MONITOR: "rests, with a read lock",
    State.SEEK: "wants the write lock",
    State.WRITE: "writes, with the write lock",
    State.YIELDED: "has let go, waits",
    State.SEEK_YIELDED: "wants to write, has let go, waits",
}
APART = 13  # half the distance of two arrows between the same boxes
ASKED = {Event.ASKED_BY_LOWER, Event.ASKED_BY_HIGHER}
STYLE = """
.paper { fill: #ffffff; stroke: #d0d7de; }
.box { fill: #eef4fb; stroke: #2f6eb5; }
.held { fill: #e7f5e9; stroke: #2b8a3e; }
.arrow { stroke: #57606a; fill: none; }
.head { fill: #57606a; }
text { font-family: system-ui, sans-serif; font-size: 13px; fill: #1f2328; }
.name { font-weight: bold; font-size: 15px; }
.own { font-size: 12px; fill: #57606a; }
.label { paint-order: stroke; stroke: #ffffff; stroke-width: 5px; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #14181d; stroke: #3d444d; }
  .box { fill: #15273d; stroke: #6cb0ff; }
  .held { fill: #12301c; stroke: #56d364; }
  .arrow { stroke: #9aa4af; }
  .head { fill: #9aa4af; }
  text { fill: #e6edf3; }
  .own { fill: #9aa4af; }
  .label { stroke: #14181d; }
}
"""
HOLDING = {State.MONITOR, State.WRITE}
"""States in which the process holds a lock that others see; while seeking it keeps that of its rest."""


def handshake() -> str:
    """The diagram as SVG."""
    staying, changes = _rows()
    parts = [_arrow(*ends, _told(whats)) for ends, whats in changes.items()]
    parts += [_box(state, _told(staying[state])) for state in State]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
            "<title>The states of a process on a log, and what changes them</title>",
            f"<style>{STYLE}</style>",
            '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
            'orient="auto"><path class="head" d="M0 0 10 5 0 10z"/></marker></defs>',
            f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


Change = tuple[Event, str]


def _rows() -> tuple[dict[State, list[Change]], dict[tuple[State, State], list[Change]]]:
    """The rows of the table that leave a state as it is, and those between two."""
    staying: dict[State, list[Change]] = defaultdict(list)
    changes: dict[tuple[State, State], list[Change]] = defaultdict(list)
    for (before, event), (action, after) in TABLE.items():
        (staying[before] if before is after else changes[before, after]).append((event, action.value))
    return staying, changes


def _told(rows: list[Change]) -> list[str]:
    """Rows in words; who asks is told only where it matters."""
    asked = {action for event, action in rows if event in ASKED}
    both = {event for event, _ in rows} >= ASKED and len(asked) == 1
    if both:
        rows = [row for row in rows if row[0] is not Event.ASKED_BY_HIGHER]
    return [f"{'asked' if both and event in ASKED else event.value}: {action}" for event, action in rows]


def _box(state: State, lines: list[str]) -> str:
    x, y = PLACES[state]
    width, height = BOX
    kind = "held" if state in HOLDING else "box"
    texts = [("name", state.value), ("", MEANINGS[state]), *(("own", line) for line in lines)]
    middle = f'x="{x + width / 2:g}" text-anchor="middle"'
    words = (
        f'<text class="{style}" {middle} y="{y + 23 + 19 * row}">{escape(text)}</text>'
        for row, (style, text) in enumerate(texts)
    )
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>' + "".join(words)


def _arrow(before: State, after: State, lines: list[str]) -> str:
    """An arrow between two boxes, beside the one that goes back, with its words."""
    (x1, y1), (x2, y2) = _middle(before), _middle(after)
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    along, across = (x2 - x1) / length, (y2 - y1) / length
    twice = any(row[0] is after and target is before for row, (_, target) in TABLE.items())
    aside = APART if twice else 0
    start, end = (x1 - across * aside, y1 + along * aside), (x2 - across * aside, y2 + along * aside)
    start, end = _leaving(start, (along, across), before), _leaving(end, (-along, -across), after)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if abs(across) > abs(along):  # upright: words beside it
        anchor, x = ("start", x + 8) if across * aside < 0 or not aside else ("end", x - 8)
        y += 4
    else:
        anchor = "middle"
        y += 18 if along * aside > 0 else -7
    words = "".join(
        f'<text class="label" x="{x:.0f}" y="{y + 16 * row:.0f}" text-anchor="{anchor}">{escape(line)}</text>'
        for row, line in enumerate(lines)
    )
    path = f"M{start[0]:.0f} {start[1]:.0f} {end[0]:.0f} {end[1]:.0f}"
    return f'<path class="arrow" marker-end="url(#head)" d="{path}"/>{words}'


def _middle(state: State) -> tuple[float, float]:
    return PLACES[state][0] + BOX[0] / 2, PLACES[state][1] + BOX[1] / 2


def _leaving(point: tuple[float, float], direction: tuple[float, float], state: State) -> tuple[float, float]:
    """Where a line from a point in a state's box leaves the box."""
    steps = []
    for at, step, low, size in zip(point, direction, PLACES[state], BOX, strict=True):
        if abs(step) > 1e-9:
            steps.append(((low + size if step > 0 else low) - at) / step)
    reach = min(steps)
    return point[0] + direction[0] * reach, point[1] + direction[1] * reach
