"""What the host of a game gets when it begins."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nhlog.config import GameProgram
from nhlog.players import PlayerFolder
from nhlog.values import dataclass
from nhlog.vt import Size

__all__ = ["Job"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A game to keep: the `program` for the player of `folder`, recorded into a new file in the folder `recordings`.

    `everywhere` are the folders of all recordings, by which players are counted.  `finished` is the folder of finished
    games, and `bones` that of the bones of this game, None where players share none; what games leave there for all has
    at most `most_common` bytes, None for no limit.  `size` and `modes` are those that the program's terminal has at
    first, None for the usual ones, `environment` what it is told.
    """

    program: GameProgram
    folder: PlayerFolder
    recordings: Path
    everywhere: tuple[Path, ...]
    finished: Path | None = None
    bones: Path | None = None
    most_common: int | None = None
    size: Size
    modes: list[Any] | None
    environment: Mapping[str, str]
