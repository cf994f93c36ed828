"""The world of a game that ended: whether it was made from one of certain seeds.

No log has the seed itself.  A save has what its engine made of that, which leads back to no seed; so the same is made
of the seed that is asked for, and compared.  NetHack 4 has the text that its player typed.  Of other games an xlogfile
says it, or nothing does: of those of NetHack 3 nobody knows.
"""

from collections.abc import Iterable
from typing import Final

from nhlog.cache import Index
from nhlog.engines import engine_named
from nhlog.engines.guarded import world, world_of
from nhlog.engines.protocol import TellsWorlds
from nhlog.errors import NhlogError
from nhlog.nethack4.save.save import Save
from nhlog.scores.entry import Ended, log_of, told_of
from nhlog.scores.table import Score
from nhlog.session.replay import GameReplay

__all__ = ["is_of_one"]

_KEPT: Final = Index("worlds", 1, tuple[str, str])


def is_of_one(score: Score, seeds: Iterable[str]) -> bool | None:
    """Whether the world of this game was made from one of these seeds; None if nothing says so."""
    if score.seed:
        return score.seed in seeds
    if score.log is None:
        return None
    try:
        name, made = told_of(score.log, _world, _KEPT)
        return any(made == _world_of(name, seed) for seed in seeds)
    except NhlogError:
        return None


def _world(replay: Ended) -> tuple[str, str]:
    """The id of the engine, empty for NetHack 4, and the world; raises :class:`NhlogError` where it does not tell."""
    if isinstance(replay, GameReplay):
        name = replay.session.engine.name
        return name, world(_telling(name), name, replay.session.game.save())
    return "", Save.parse(log_of(replay).state.save).flags.seed.rstrip(b"\0").decode("ascii", "replace")


def _world_of(name: str, seed: str) -> str:
    if not name:
        return seed
    return world_of(_telling(name), name, int(seed)) if seed.isdecimal() else ""


def _telling(name: str) -> TellsWorlds:
    engine = engine_named(name)
    if not isinstance(engine, TellsWorlds):
        raise NhlogError("its engine does not tell from which seed a world was made", found=name)
    return engine
