"""What is seen of a recording and from where, the verbs that change it, and which keys mean something for it.

The help leaves out the other keys; who presses one is told why it does nothing.
"""

from dataclasses import replace
from typing import Final

from nhlog.replay import Plottable, Status
from terminal.replay.layout.rows import details_fit, details_need, layout_of
from terminal.replay.player import Player
from terminal.views import View, Viewpoint

__all__ = [
    "Viewing",
    "has_cameras",
    "has_look",
    "has_mail",
    "has_plots",
    "has_sides",
    "has_space",
    "has_turns",
    "is_log",
    "is_open",
    "is_played",
    "moves",
    "too_large",
    "zooms",
]

_NO_SPACE: Final = "all of it is in view"


class Viewing:
    """A player and the view of its recording, from its `viewpoint`, on a screen of `size` columns and rows.

    `typed` is the number that was typed before a key; `panel` is whether details are shown beside the view.
    """

    def __init__(self, player: Player, view: View) -> None:
        self.player = player
        self.view = view
        self.size = (80, 24)
        self.viewpoint = Viewpoint()
        self.panel = True
        self.typed = ""

    def toggle_panel(self) -> None:
        """Show or hide the details, if there is room for them."""
        least = self.view.least(self.player.replay)
        if details_fit(least, self.size[0], layout_of(least, *self.size).drawn):
            self.panel = not self.panel
        else:
            columns, rows = details_need(least)
            self.player.message = f"no room for details: they need {columns} columns or {rows} rows"

    def next_camera(self, count: int) -> None:
        """Switch to the camera that is `count` further in the list."""
        cameras = self.view.cameras(self.player.replay)
        if sum(map(bool, cameras)) < 2:
            self.player.message = "there is nobody else to follow" if cameras else "this recording has only one view"
            return
        camera = self.viewpoint.camera + count
        while not cameras[camera % len(cameras)]:
            camera += 1 if count > 0 else -1
        self.viewpoint = replace(self.viewpoint, camera=camera % len(cameras), pan=(0, 0))
        self.player.message = f"following {cameras[self.viewpoint.camera]}"

    def next_side(self) -> None:
        """Show the next side or layer, or the one with the typed number."""
        sides = self.view.sides(self.player.replay)
        if len(sides) < 2:
            self.player.message = "this recording has one side only"
            return
        side = int(self.typed[-3:]) if self.typed.isdecimal() else self.viewpoint.side + 1
        self.viewpoint = replace(self.viewpoint, side=side % len(sides), pan=(0, 0))
        self.player.message = f"showing {sides[self.viewpoint.side]}"

    def zoom(self, steps: int) -> None:
        """Zoom in by this many steps, or out if negative, as far as the view goes."""
        farthest, nearest = self.view.zooms
        if not zooms(self):
            self.player.message = "this view has one size" if farthest == nearest else _NO_SPACE
            return
        zoom = min(max(self.viewpoint.zoom + steps, farthest), nearest)
        if zoom == self.viewpoint.zoom:
            self.player.message = "this is the nearest" if steps > 0 else "this is the farthest"
        self.viewpoint = replace(self.viewpoint, zoom=zoom)

    def pan(self, across: int, down: int) -> None:
        """Move the viewpoint by this many cells, no further than to the edge of a picture that has edges."""
        if not has_space(self):
            self.player.message = _NO_SPACE
            return
        replay, columns, rows = self.player.replay, self.size[0], layout_of((0, 0), *self.size).rows
        if (corner := self.view.corner) is not None:
            left, top = corner(replay, columns, rows, self.viewpoint)
            wanted = replace(self.viewpoint, corner=(left + across, top + down))
            self.viewpoint = replace(wanted, corner=corner(replay, columns, rows, wanted))
        else:
            (x, y), least = self.viewpoint.pan, self.view.least(replay)
            pan = _within(x + across, least[0], columns), _within(y + down, least[1], rows)
            self.viewpoint = replace(self.viewpoint, pan=pan)

    def centre(self) -> None:
        """Reset zoom and pan."""
        if not has_space(self):
            self.player.message = _NO_SPACE
        self.viewpoint = replace(self.viewpoint, zoom=0, pan=(0, 0), corner=None)


def _within(pan: int, size: int, room: int) -> int:
    """How far one looks from the middle of a picture of this size in so much room; of one without a size, any far."""
    most = max(size - room, 0)
    return min(max(pan, -most), most) if size else pan


def moves(shown: Viewing) -> bool:
    """Whether it has, or may come to have, more than one step."""
    return shown.player.timeline.last > 0 or is_open(shown)


def is_open(shown: Viewing) -> bool:
    """Whether more of it may come."""
    return shown.player.info.status is not Status.FINISHED


def has_turns(shown: Viewing) -> bool:
    """Whether it is played by turns."""
    return shown.player.timeline.unit == "turn"


def is_log(shown: Viewing) -> bool:
    """Whether it is the log of a game."""
    return "engine" in shown.player.info.metadata


def is_played(shown: Viewing) -> bool:
    """Whether an engine answers for the game."""
    return is_log(shown) and hasattr(shown.player.replay, "look")


def has_look(shown: Viewing) -> bool:
    """Whether there is a map with squares."""
    return shown.view.look is not None


def has_mail(shown: Viewing) -> bool:
    """Whether one can write to who plays it."""
    return shown.player.write is not None


def has_plots(shown: Viewing) -> bool:
    """Whether there are plots of the whole of it."""
    return isinstance(shown.player.replay, Plottable)


def has_cameras(shown: Viewing) -> bool:
    """Whether one can follow one or another."""
    return len(shown.view.cameras(shown.player.replay)) > 1


def has_sides(shown: Viewing) -> bool:
    """Whether it has several sides, layers or levels."""
    return len(shown.view.sides(shown.player.replay)) > 1


def zooms(shown: Viewing) -> bool:
    """Whether one can go nearer or farther."""
    return shown.view.zooms != (0, 0) and _is_part(shown)


def has_space(shown: Viewing) -> bool:
    """Whether there is more around what is seen."""
    return zooms(shown) or (has_look(shown) and _is_part(shown))


def too_large(shown: Viewing) -> tuple[int, int] | None:
    """The columns and rows of a picture that is larger than the screen; None for one that is not, or is of no size."""
    columns, rows = shown.view.least(shown.player.replay)
    return (columns, rows) if shown.size[0] < columns or shown.size[1] < rows else None


def _is_part(shown: Viewing) -> bool:
    """Whether the view shows a part of something: of a world, or of a picture that is larger than the screen."""
    return shown.view.least(shown.player.replay) == (0, 0) or too_large(shown) is not None
