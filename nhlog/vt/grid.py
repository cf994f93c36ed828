"""What a terminal shows at one moment: immutable, and with the text as it was sent.

Whoever draws it takes :meth:`Grid.screen`, where every character is harmless.
"""

from nhlog.screen import PLAIN, Cell, Screen
from nhlog.values import dataclass

__all__ = ["Grid"]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells, each row as long as there are columns; the second half of a wide character has the text ``""``.

    `cursor` is its column and row, from 0; in the last column a line that is full may be about to go on below.
    """

    columns: int
    rows: tuple[tuple[Cell, ...], ...]
    cursor: tuple[int, int]
    cursor_visible: bool
    title: str

    def text(self) -> list[str]:
        """The rows as text, without trailing spaces."""
        return ["".join(text for text, _ in row).rstrip(" ") for row in self.rows]

    def screen(self) -> Screen:
        """The cells as they can be shown."""
        screen = Screen(self.columns, len(self.rows))
        blank = ((" ", PLAIN),) * self.columns
        for y, row in enumerate(self.rows):
            if row != blank:
                screen.fill(0, y, row)
        return screen
