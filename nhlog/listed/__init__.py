"""What lists have of recordings, by kind: apart from what reads these, as rows that are kept need none of it.

Must not import what reads any of them.
"""

from nhlog.operations import Listing
from nhlog.values import dataclass

__all__ = ["GameListing", "MapListing", "ScreencastListing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameListing(Listing):
    """The summary of a game at its newest save.

    `turn` is None only where a glance at the header did not tell it.  `engine` is the one that wrote its saves.
    `state` is the header's state line: the state of the hero, or the end of the game.  Unknown values of the hero are
    None.
    """

    player: str
    role: str
    race: str
    engine: str
    turn: int | None
    place: str | None
    level: int | None
    hp: int | None
    hp_max: int | None
    start: int
    changed: int
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreencastListing(Listing):
    """What a game's status lines told last is added, None, or no text, where that is not known; and the last size."""

    columns: int
    rows: int
    game: str
    place: str
    turn: int | float | None
    level: int | None
    hp: int | None
    hp_max: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MapListing(Listing):
    """The summary of a map; `width` and `height` as in :class:`~nhlog.formats.datafile.info.MapFileInfo`."""

    width: int | None
    height: int | None
