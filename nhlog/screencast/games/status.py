"""What the status lines of a game say."""

from nhlog.values import dataclass

__all__ = ["Status"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How the hero of a game is; None, or no text, is what the screen does not tell.

    `place` is as the game writes it (``Dlvl:3``, ``Dungeon:1``), `depth` its number where deeper is more.  Crawl's
    `turn` has a tenth.  `level` is the hero's experience, `conditions` are the game's words (``Hungry``, ``Blind``).
    """

    game: str
    name: str = ""
    title: str = ""
    place: str = ""
    depth: int | None = None
    turn: int | float | None = None
    hp: int | None = None
    hp_max: int | None = None
    power: int | None = None
    power_max: int | None = None
    level: int | None = None
    score: int | None = None
    gold: int | None = None
    conditions: tuple[str, ...] = ()
