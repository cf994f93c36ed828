"""The sizes that terminals can have."""

import re
from typing import Final

from nhlog.errors import Usage
from nhlog.values import NamedTuple

__all__ = ["MOST_COLUMNS", "MOST_ROWS", "USUAL_SIZE", "Size", "parse_size"]

MOST_COLUMNS: Final = 1000
MOST_ROWS: Final = 500


class Size(NamedTuple):
    """Columns and rows of a terminal."""

    columns: int
    rows: int

    def clamped(self) -> "Size":
        """The nearest size that a terminal can have."""
        return Size(min(max(self.columns, 1), MOST_COLUMNS), min(max(self.rows, 1), MOST_ROWS))


def parse_size(text: str) -> Size:
    """A size as a person gives it, ``COLUMNSxROWS``; raises :class:`Usage`."""
    found = re.fullmatch(r"(\d{1,4})x(\d{1,4})", text)
    size = Size(int(found[1]), int(found[2])) if found else None
    if size is None or size != size.clamped():
        raise Usage("not a terminal size", expected=f"COLUMNSxROWS, 1x1 to {MOST_COLUMNS}x{MOST_ROWS}", found=text)
    return size


USUAL_SIZE: Final = Size(80, 24)
"""That of a terminal of which nothing else is known."""
