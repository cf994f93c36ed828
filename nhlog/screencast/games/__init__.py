"""Games that are recognised in the rows of a terminal, by their status lines.

One module for each way in which they are laid out; :class:`Status` is what they tell.  All of them only read text that
they are given.  Must not import anything but each other.
"""

from collections.abc import Callable, Sequence
from typing import Final

from nhlog.screencast.games import angband, crawl, nethack, nethack4
from nhlog.screencast.games.status import Status

__all__ = ["Status", "read"]

_GAMES: Final[tuple[Callable[[Sequence[str]], Status | None], ...]] = (
    nethack.read,
    nethack4.read,
    crawl.read,
    angband.read,
)


def read(rows: Sequence[str]) -> Status | None:
    """What the status lines in the rows of a screen say; None if they are no game's, or covered."""
    return next((status for game in _GAMES if (status := game(rows)) is not None), None)
