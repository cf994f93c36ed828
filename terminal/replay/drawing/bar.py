"""Drawing of the transport line, and of the rows around it: the names of markers above, the axis below.

The mark of the current step is always on top.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from nhlog.screen import Screen, width_of
from nhlog.timeline import Marker
from terminal.replay.layout.line import BETWEEN, Track, Transport
from terminal.replay.player import Player
from terminal.screen import theme
from terminal.text.words import clock

__all__ = ["aim_track", "draw_axis", "draw_names", "draw_transport", "told_markers"]

LABEL: Final = 20  # columns for each place of the axis
CROWDED: Final = 3  # columns per keyframe below which they say nothing
KEYFRAME_KIND: Final = "backup"  # the markers that say of keyframes that they are such
ONE, MANY = "◆", "+"  # a marker, and ten or more in one column; fewer are counted


def draw_transport(transport: Transport, player: Player, width: int) -> Screen:
    """The transport line, in one row."""
    screen = Screen(width, 1)
    x = 1
    for text, style in transport.left:
        x = screen.put(x, 0, text, style) + 1
    _draw_bar(screen, transport.track, player)
    x = transport.track.left + transport.track.width
    for text, style in transport.right:
        x = screen.put(x + BETWEEN, 0, text, style)
    return screen


def _draw_bar(screen: Screen, track: Track, player: Player) -> None:
    """Draw track, keyframes, markers, and the current step."""
    keyframes, here = player.timeline.keyframes, track.column(player.step)
    screen.put(track.left, 0, "─" * track.width, theme.BAR)
    screen.put(track.left, 0, "━" * (here - track.left), theme.PLAYED)
    if len(keyframes) * CROWDED <= track.width:
        for step in keyframes:
            x = track.column(step)
            screen.put(x, 0, "┿" if x < here else "┼", theme.PLAYED if x < here else theme.BAR)
    for x, cluster in track.clusters(told_markers(player)).items():
        count = len(cluster)
        screen.put(x, 0, ONE if count == 1 else str(count) if count < 10 else MANY, theme.RARE)
    screen.put(here, 0, "●", theme.KEY)
    aim_track(screen, 0, track)
    for x, cluster in track.clusters(told_markers(player)).items():
        screen.aim(x, 0, 1, f"go {cluster[0].step}")


def aim_track(screen: Screen, y: int, track: Track) -> None:
    """Let a click below or on the bar go to the step there."""
    screen.aim_each(track.left, y, _steps_of(track))


@lru_cache(maxsize=4)
def _steps_of(track: Track) -> list[str]:
    """What a click on each of its columns means."""
    return [f"go {track.step(x)}" for x in range(track.left, track.left + track.width)]


def told_markers(player: Player) -> Sequence[Marker]:
    """The markers on the bar that are no keyframes."""
    return [marker for marker in player.markers if marker.kind != KEYFRAME_KIND]


def draw_names(track: Track, player: Player, width: int) -> Screen:
    """One row with the names of the markers, each above its mark: the last one's, and what it leaves room for."""
    screen = Screen(width, 1)
    clusters = [*track.clusters(told_markers(player)).items()]
    free, end = 1, width - 1
    for x, cluster in (*clusters[-1:], *clusters[:-1]):
        name = cluster[0].name if len(cluster) == 1 else f"{cluster[0].name} +{len(cluster) - 1}"
        is_last = cluster is clusters[-1][1]  # how it ended is what one looks for most
        begin = max(min(x if is_last else x - width_of(name) // 2, end - width_of(name)), free)
        if begin > x or begin + width_of(name) > end:
            continue  # it would not be above its mark
        screen.put(begin, 0, name, theme.RARE if cluster[0].step <= player.step else theme.FUTURE)
        screen.aim(begin, 0, width_of(name), f"go {cluster[0].step}")
        if is_last:
            end = begin - BETWEEN
        else:
            free = begin + width_of(name) + BETWEEN
    return screen


def draw_axis(track: Track, player: Player, width: int) -> Screen:
    """One row with the time below the bar, and with turns where these are its unit; not to be changed."""
    timeline = player.timeline
    parts = max(track.width // LABEL, 1)
    columns = [track.left + part * (track.width - 1) // parts for part in range(parts + 1)]
    labels = []
    for column in columns:
        step = track.step(column)
        turn = f"turn {timeline.at('turn', step)}, " if timeline.unit == "turn" else ""
        labels.append((column, f"{turn}{clock(timeline.time(step))}"))
    return _axis_drawn(tuple(labels), width)


@lru_cache(maxsize=4)
def _axis_drawn(labels: Sequence[tuple[int, str]], width: int) -> Screen:
    """Each label below its column, if it differs from the one before."""
    screen = Screen(width, 1)
    for (_, before), (column, label) in pairwise([(0, ""), *labels]):
        if label != before:
            x = min(max(column - len(label) // 2, 1), width - len(label) - 1)
            screen.put(x, 0, label, theme.NOTE)
    return screen
