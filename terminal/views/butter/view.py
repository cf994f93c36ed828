"""The view of an Echo VR session: the arena from above or from the side, with the disc, its trail and the players.

A character cell is half as wide as it is high, so a metre takes twice as many columns as rows.  Blue players are
capital letters and orange ones small letters, so teams can be told apart without colour.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from nhlog.formats.butter.replay import EchoReplay
from nhlog.formats.butter.wire.values import Frame, Payload, Player, Vector
from nhlog.replay import Replay
from nhlog.screen import PLAIN, Screen, Style, clip, width_of
from nhlog.values import NamedTuple
from terminal.screen import theme
from terminal.views import Fact, View, Viewpoint
from terminal.views.butter.words import (
    PANELS,
    TEAM_NAMES,
    TEAM_STYLES,
    clock_words,
    disc_words,
    goal_words,
    letters,
    marks,
    player_words,
    points_words,
    throw_words,
)

__all__ = ["VIEW"]

LENGTH, WIDTH, HEIGHT = 80.0, 32.0, 20.0  # metres of the arena: along z, across (x), up (y)
GOAL: Final = 36.0  # metres from the middle to a goal, and how far it reaches to either side
GOAL_REACH: Final = 1.5
WIDER: Final = (1.0, 1.6, 2.5, 4.0)  # how much more a map shows that is larger than the arena
STEP: Final = 1.3  # what a step of zoom is
NEARER: Final = 2.5  # how much nearer than the whole arena one follows somebody
TRAIL: Final = 1_500_000  # µs of the disc's way
HEADER: Final = 2  # rows above the field
SIDES: Final = ("top", "side")
DISC: Final = Style(fg=231, bold=True)
FAINT: Final = Style(fg=245)


class Window(NamedTuple):
    """The visible part of the field: its middle in metres, columns per metre, and its size on the screen in cells."""

    along: float
    across: float
    scale: float
    width: int
    height: int
    upright: bool

    def cell(self, place: Vector) -> tuple[int, int] | None:
        """The column and row of a position in metres; None for a position that is not finite."""
        along, across = place[2] - self.along, (place[1] if self.upright else place[0]) - self.across
        if not (math.isfinite(along) and math.isfinite(across)):
            return None
        limit = 10**6
        x = self.width / 2 + min(max(along * self.scale, -limit), limit)
        y = self.height / 2 - min(max(across * self.scale / 2, -limit), limit)
        return math.floor(x), math.floor(y)


def body(replay: Replay[object], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The field as seen from the viewpoint, below the clock, the score and the latest goal."""
    opened = _opened(replay)
    state = opened.state
    screen = Screen(width, height)
    _draw_header(screen, opened)
    if state.fault:
        screen.put(1, HEADER, clip(state.fault, width - 2), theme.ALARM)
    room = height - HEADER - (state.frame.payload is not None and opened.header.combat)
    if room < 1:
        return screen
    window = _window(opened, width, room, viewpoint)
    screen.paste(0, HEADER, _field(opened, window, bool(viewpoint.zoom or viewpoint.camera)))
    if room < height - HEADER and state.frame.payload is not None:
        _draw_payload(screen, height - 1, state.frame.payload)
    return screen


def _opened(replay: object) -> EchoReplay:
    assert isinstance(replay, EchoReplay)
    return replay


def _draw_header(screen: Screen, opened: EchoReplay) -> None:
    """Draw two rows: one with score, clock, status and disc, one with the latest goal."""
    frame, width = opened.state.frame, screen.width
    x = screen.put(1, 0, f"blue {points_words(frame.points[0])}", TEAM_STYLES[0])
    x = screen.put(x, 0, " : ", theme.BAR)
    x = screen.put(x, 0, f"{points_words(frame.points[1])} orange", TEAM_STYLES[1])
    x = screen.put(x + 2, 0, clock_words(frame), theme.KEY)
    x = screen.put(x + 2, 0, (frame.status or "no status").replace("_", " "))
    if frame.pause.paused_state not in ("unpaused", "none"):
        x = screen.put(x + 2, 0, frame.pause.paused_state, theme.ALARM)
    if frame.disc is not None:
        told = disc_words(frame.disc)
        if x + 2 + width_of(told) < width:
            screen.put(width - width_of(told) - 1, 0, told, DISC)
    if frame.last_score is not None and frame.last_score.person_scored != "[INVALID]":
        screen.put(1, 1, clip(f"last goal: {goal_words(frame.last_score)}", width - 2), theme.NOTE)


def _window(opened: EchoReplay, width: int, height: int, viewpoint: Viewpoint) -> Window:
    frame, upright = opened.state.frame, bool(viewpoint.side % len(SIDES))
    across = HEIGHT if upright else WIDTH
    whole = min(width / (LENGTH + 2), 2 * height / (across + 2))
    if not opened.header.arena:
        whole /= _wider(frame)
    scale = whole * STEP**viewpoint.zoom
    place = _followed(opened, frame, viewpoint.camera)
    if place is None or not all(map(math.isfinite, place)):
        middle = (0.0, 0.0)
    else:
        scale *= NEARER
        middle = (place[2], place[1] if upright else place[0])
    right, down = viewpoint.pan
    return Window(middle[0] + right / scale, middle[1] - 2 * down / scale, scale, width, height, upright)


def _wider(frame: Frame) -> float:
    """The factor by which more than the arena must be shown for every player to be visible."""
    farthest = max(
        (max(abs(z) / LENGTH, abs(x) / WIDTH) for player in frame.players for x, _, z in [player.head.position]),
        default=0.0,
    )
    return next((factor for factor in WIDER if 2 * farthest <= factor), WIDER[-1])


def cameras(replay: Replay[object]) -> Sequence[str]:
    """What a camera can follow: nothing, the disc, each player; those who are not there have no name."""
    opened = _opened(replay)
    there = {player.who.row for player in opened.state.frame.players}
    return ("the arena", "the disc", *(one.name if one.row in there else "" for one in opened.header.people))


def _followed(opened: EchoReplay, frame: Frame, camera: int) -> Vector | None:
    number = camera % (2 + len(opened.header.people))
    if number == 0:
        return None
    if number == 1:
        return frame.disc.position if frame.disc else None
    heads = {player.who.row: player.head.position for player in frame.players}
    rows = [person.row for person in opened.header.people]
    return next((heads[row] for row in (*rows[number - 2 :], *rows[: number - 2]) if row in heads), None)


def _field(opened: EchoReplay, window: Window, near: bool) -> Screen:
    screen = Screen(window.width, window.height)
    frame = opened.state.frame
    if opened.header.arena:
        _draw_arena(screen, window)
    names = letters(opened.header.people)
    for place in opened.trail(TRAIL)[:-1]:
        _put(screen, window.cell(place), "·", FAINT)
    if frame.disc is not None:
        _put(screen, window.cell(frame.disc.position), "●", DISC)
    placed = [(number, player, window.cell(player.head.position)) for number, player in _fielded(frame)]
    if near:
        _draw_names(screen, [(player, cell) for _, player, cell in placed if cell is not None])
    for number, player, cell in reversed(placed):
        if cell is not None:
            name = names.get(player.who.row, "?")
            style = TEAM_STYLES[number]
            screen.put(cell[0] + 1, cell[1], marks(player), style)
            _put(screen, cell, name.lower() if number else name, Style(style.fg, bold=True, reverse=player.stunned))
    return screen


def _draw_names(screen: Screen, placed: Sequence[tuple[Player, tuple[int, int]]]) -> None:
    from terminal.views.labels import BESIDE, Label, draw_labels  # no first screen has names

    labels = [Label(*cell, player.who.name, FAINT, len(marks(player))) for player, cell in placed]
    draw_labels(screen, labels, BESIDE, (screen.width // 2, screen.height // 2))


def _fielded(frame: Frame) -> Iterator[tuple[int, Player]]:
    """The players of the two teams, each with the number of the team."""
    for number, team in enumerate(frame.teams[:2]):
        for player in team.players:
            yield number, player


def _put(screen: Screen, cell: tuple[int, int] | None, glyph: str, style: Style) -> None:
    if cell is not None:
        screen.put(*cell, glyph, style)


def _draw_arena(screen: Screen, window: Window) -> None:
    """Draw the walls, the middle line and the goals."""
    high = HEIGHT if window.upright else WIDTH
    corners = [window.cell(_spot(z, side, window)) for z, side in ((-LENGTH / 2, high / 2), (LENGTH / 2, -high / 2))]
    if corners[0] is None or corners[1] is None:
        return
    (left, top), (right, bottom) = corners[0], corners[1]
    for x in range(max(left, 0), min(right, window.width - 1) + 1):
        screen.put(x, top, "─", theme.BAR)
        screen.put(x, bottom, "─", theme.BAR)
    for y in range(max(top, 0), min(bottom, window.height - 1) + 1):
        screen.put(left, y, "│", theme.BAR)
        screen.put(right, y, "│", theme.BAR)
        middle = window.cell(_spot(0.0, 0.0, window))
        if middle is not None and top < y < bottom and y % 2:
            screen.put(middle[0], y, "┊", theme.BAR)
    for x, y, glyph in ((left, top, "┌"), (right, top, "┐"), (left, bottom, "└"), (right, bottom, "┘")):
        screen.put(x, y, glyph, theme.BAR)
    for end, glyph, style in ((-GOAL, "(", TEAM_STYLES[0]), (GOAL, ")", TEAM_STYLES[1])):
        reach = [window.cell(_spot(end, side, window)) for side in (GOAL_REACH, -GOAL_REACH)]
        if reach[0] is not None and reach[1] is not None:
            for y in range(reach[0][1], reach[1][1] + 1):
                screen.put(reach[0][0], y, glyph, style)


def _spot(along: float, across: float, window: Window) -> Vector:
    return (0.0, across, along) if window.upright else (across, 0.0, along)


def _draw_payload(screen: Screen, y: int, payload: Payload) -> None:
    """Draw the payload's progress: a bar of a hundred metres, and the rest in words."""
    told = f" {payload.distance:.1f} m at {payload.speed:.2f} m/s, checkpoint {payload.checkpoint}"
    told += f", {payload.defenders} defend" + (", contested" if payload.contested else "")
    room = max(screen.width - width_of(told) - 12, 0)
    done = min(max(round(room * payload.distance / 100), 0), room) if math.isfinite(payload.distance) else 0
    x = screen.put(1, y, "payload ", theme.NOTE)
    x = screen.put(x, y, "━" * done, theme.PLAYED)
    x = screen.put(x, y, "─" * (room - done), theme.BAR)
    screen.put(x, y, told, theme.ALARM if payload.contested else PLAIN)


def facts(replay: Replay[object]) -> Sequence[Fact]:
    """The score and the clock, and then every player."""
    opened = _opened(replay)
    state = opened.state
    frame = state.frame
    told: list[Fact] = [("fault", state.fault)] if state.fault else []
    told.append(("frame", f"{state.step} of {opened.timeline.last}"))
    if frame.last_throw.total_speed:
        told.append(("throw", throw_words(frame.last_throw)))
    names = letters(opened.header.people)
    told_by_number = opened.header.version > 2  # before, the number of who is held was lost (spec 5)
    others = {str(player.playerid): player.who.name for player in frame.players} if told_by_number else {}
    for number, team in enumerate(frame.teams):
        for player in team.players:
            letter = names.get(player.who.row, "?")
            letter = letter.lower() if number == 1 else letter
            told.append((f"{letter} {player.who.name}", player_words(player, TEAM_NAMES[number], others)))
    return told


def sides(replay: Replay[object]) -> Sequence[str]:
    """The sides from which the field can be seen."""
    return SIDES


VIEW: Final = View(
    body,
    facts,
    cameras=cameras,
    sides=sides,
    panels=PANELS,
    words={
        "attributes": "players and their figures",
        "discoveries": "the latest throw",
        "overview": "score and goals",
        "ledger": "goals and other events",
        "next-camera": "the disc, the next player",
        "previous-camera": "the previous player",
        "next-side": "from above or from the side",
    },
)
