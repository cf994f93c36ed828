"""The transport line: how the player moves, the timeline bar, and where one is, in one row of any width.

`transport_of` decides what fits; what is left of the width is the bar, whose geometry is a :class:`Track`.  Texts keep
their width while a recording plays, so that the bar stays where it is.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from nhlog.replay import Remarked, Status
from nhlog.screen import PLAIN, Style, width_of
from nhlog.timeline import Marker
from nhlog.values import NamedTuple
from terminal.replay.motion import OFF, Motion, Pace
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.text.words import clock, utc_time

__all__ = ["BETWEEN", "Part", "Track", "Transport", "transport_of"]

SHORTEST: Final = 10  # columns of the bar, and the part of the width that is its own
SHARE: Final = 4
BETWEEN: Final = 2  # columns between two texts on the right
_HINTS: Final = 9  # the place of the first hint: behind all else
_STANDING: Final = max(len(motion.value) for motion in Motion)


class Track(NamedTuple):
    """The bar on the screen: `left` is its first column, `width` how many it has, `last` the timeline's newest step."""

    left: int
    width: int
    last: int

    def column(self, step: int) -> int:
        """The column that shows `step`."""
        return self.left + _nearest(step * (self.width - 1), self.last)

    def step(self, column: int) -> int:
        """The step that a column of the screen stands for, the nearest one if it is beside the bar."""
        within = min(max(column - self.left, 0), self.width - 1)
        return _nearest(within * self.last, self.width - 1)

    def clusters(self, markers: Sequence[Marker]) -> dict[int, list[Marker]]:
        """The markers by their columns: those nearer to one another than a column are one cluster."""
        found: dict[int, list[Marker]] = {}
        for marker in markers:
            found.setdefault(self.column(marker.step), []).append(marker)
        return found


def _nearest(number: int, parts: int) -> int:
    """A number divided, to the nearest whole number; 0 where there is nothing to divide by."""
    return (2 * number + parts) // (2 * parts) if parts > 0 else 0


class Part(NamedTuple):
    """A text of the transport line."""

    text: str
    style: Style = PLAIN


class Transport(NamedTuple):
    """The transport line from left to right."""

    left: list[Part]
    track: Track
    right: list[Part]


def transport_of(player: Player, width: int, hints: Sequence[Part] = ()) -> Transport:
    """The transport line in so many columns; `hints` stand at its end."""
    room = width - max(SHORTEST, width // SHARE) - BETWEEN
    left: dict[int, Part] = {}
    right: dict[int, Part] = {}
    wanted = [(False, _HINTS + number, hint) for number, hint in enumerate(hints)]
    for is_left, order, part in (*wanted, *_wanted(player)):
        needs = width_of(part.text) + (1 if is_left else BETWEEN)
        if needs <= room:
            (left if is_left else right)[order] = part
            room -= needs
    shown = [part for _, part in sorted(left.items())], [part for _, part in sorted(right.items())]
    begin = 1 + sum(width_of(part.text) + 1 for part in shown[0])
    end = width - 1 - sum(width_of(part.text) + BETWEEN for part in shown[1])
    return Transport(shown[0], Track(begin, max(end - begin, 1), player.timeline.last), shown[1])


def _wanted(player: Player) -> Iterator[tuple[bool, int, Part]]:
    """The texts, the most important first: whether it stands left of the bar, its place there, and the text."""
    timeline, unit = player.timeline, player.timeline.unit
    style = theme.NOTE if player.motion is Motion.PAUSED else theme.GOOD
    here, last = timeline.at(unit, player.step), str(timeline.at(unit, timeline.last))
    length = clock(timeline.time(timeline.last))
    yield True, 0, Part(_glyph(player), style)
    yield False, 1, Part(f"{unit} {here:>{len(last)}}/{last}")
    if standing := _standing(player):
        yield False, 0, standing
    yield True, 2, Part(f"{player.tempo.speed:g}{' turns/s' if player.tempo.pace is Pace.TURNS else 'x'}", theme.NOTE)
    yield False, 2, Part(f"{clock(player.time):>{len(length)}}/{length}")
    yield True, 1, Part(f"{player.motion.value:{_STANDING}}", style)
    yield False, 4, Part(f"{player.step * 100 // max(timeline.last, 1):>3}%")
    if player.tempo.idle is not OFF:
        yield True, 3, Part(f"idle {player.tempo.idle.name}", theme.NOTE)
    if timeline.start is not None:
        yield False, 3, Part(utc_time(timeline.start + player.time), theme.NOTE)


def _glyph(player: Player) -> str:
    if player.motion is Motion.PLAYING:
        return "▶" if player.tempo.direction > 0 else "◀"
    return {Motion.PAUSED: "⏸", Motion.FOLLOWING: "●"}[player.motion]


def _standing(player: Player) -> Part | None:
    """How far behind its end the player stands in a recording that grows; else that it is over, or that its newest
    picture is old.

    None if none of these is the case.
    """
    if player.followed and player.info.status is Status.FINISHED:
        return Part("over", theme.RARE)
    if player.info.status is not Status.LIVE:
        return None
    if player.motion is Motion.FOLLOWING:
        state = player.replay.state
        return Part("older picture", theme.RARE) if isinstance(state, Remarked) and state.is_older else None
    return Part(f"{player.behind:>3} behind", theme.RARE) if player.behind else Part("live", theme.GOOD)
