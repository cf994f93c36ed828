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

    `everywhere` are the folders of all recordings, by which players are counted.  `size` and `modes` are those that the
    program's terminal has at first, None for the usual ones, `environment` what it is told.
    """

    program: GameProgram
    folder: PlayerFolder
    recordings: Path
    everywhere: tuple[Path, ...]
    size: Size
    modes: list[Any] | None
    environment: Mapping[str, str]
