"""Names beside those who have them: none covers another one, or anybody's sign.

A name is moved to another side where its place is taken, then shortened, and left out where that does not help: those
come first who are nearest to what is followed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from nhlog.screen import Screen, Style, clip, width_of
from nhlog.values import NamedTuple

__all__ = ["BESIDE", "OVER", "Label", "draw_labels"]

LENGTHS: Final = (20, 12, 6, 3)  # columns that a name may take: the first that fit

Corner = Callable[["Label", int], tuple[int, int]]
"""Where a text of so many columns begins beside the sign of a label."""


class Label(NamedTuple):
    """A name; `x` and `y` are the cell of its owner's sign, `beside` the columns of what is drawn after that."""

    x: int
    y: int
    text: str
    style: Style
    beside: int = 0


def _right(label: Label, width: int) -> tuple[int, int]:
    return label.x + label.beside + 2, label.y


def _left(label: Label, width: int) -> tuple[int, int]:
    return label.x - 1 - width, label.y


def _row(down: int) -> Corner:
    return lambda label, width: (label.x - width // 2, label.y + down)


BESIDE: Final[tuple[Corner, ...]] = (_right, _left, _row(-1), _row(1))
OVER: Final[tuple[Corner, ...]] = (_row(-2), _row(2), _row(-3), _row(3), _right, _left)


def draw_labels(screen: Screen, labels: Iterable[Label], corners: Sequence[Corner], middle: tuple[int, int]) -> None:
    """Draw the names at the first of these corners that is free, those nearest to the cell `middle` first."""
    seen = [label for label in labels if 0 <= label.x < screen.width and 0 <= label.y < screen.height]
    taken = {(x, label.y) for label in seen for x in range(label.x, label.x + label.beside + 1)}
    for label in sorted(seen, key=lambda label: _distance(label, middle)):
        for x, y, text in _places(label, corners, screen):
            width = width_of(text)
            if not any((column, y) in taken for column in range(x - 1, x + width + 1)):
                taken.update((column, y) for column in range(x, x + width))
                screen.put(x, y, text, label.style)
                break


def _distance(label: Label, middle: tuple[int, int]) -> int:
    return abs(label.x - middle[0]) + 2 * abs(label.y - middle[1])  # a cell is twice as high as it is wide


def _places(label: Label, corners: Sequence[Corner], screen: Screen) -> Iterator[tuple[int, int, str]]:
    """The places on the screen where the name may stand, and how much of it."""
    for text in dict.fromkeys(clip(label.text, length) for length in LENGTHS):
        for corner in corners:
            x, y = corner(label, width_of(text))
            if corner not in (_right, _left):
                x = min(max(x, 0), screen.width - width_of(text))
            if 0 <= x <= screen.width - width_of(text) and 0 <= y < screen.height:
                yield x, y, text
