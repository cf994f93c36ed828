"""Who left the bones that are still to be found, and in which game they died.

A game is found by its hero's name, its ending and the moment of its last write: bones are left just before it.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from nhlog.engines import engine_named, engines
from nhlog.engines.protocol import ReadsBones
from nhlog.errors import NhlogError
from nhlog.files.processes import user_name
from nhlog.formats.nhgame.listing import glance_at_game
from nhlog.listed import GameListing
from nhlog.replay import Status
from nhlog.scores.xlogfile import GAME
from nhlog.session.bones import BonesFolder, Left, engines_with_bones
from nhlog.values import dataclass

__all__ = ["Grave", "graves"]

_SOON: Final = 60_000_000  # microseconds between bones and the last write to the game that left them
_CAUSE: Final = 60  # characters of an ending that bones may be limited to


@dataclass(frozen=True, slots=True, kw_only=True)
class Grave:
    """Bones: `file` is their path, `engine` the id of the game, `user` who left them, `changed` when.

    `hero`, `place` and `death` are as the engine tells, None if it does not; `game` is the path of the log, None if it
    is not found.
    """

    file: str
    engine: str
    user: str
    changed: int
    size: int
    hero: str | None
    place: str | None
    death: str | None
    game: str | None


def graves(games: Path, others: Iterable[Path] = ()) -> Iterator[Grave]:
    """The bones beside the games of a folder, by engine and age; logs are looked for there and in `others`."""
    folders = [games, *others]
    for engine in engines_with_bones(games):
        for left in BonesFolder(games, engine).left():
            hero, place, death = _epitaph(engine, left.bones)
            yield Grave(
                file=str(games / "bones" / engine / left.name),
                engine=engine,
                user=user_name(left.owner),
                changed=left.when // 1000,
                size=len(left.bones),
                hero=hero,
                place=place,
                death=death,
                game=_game(folders, left, hero, death),
            )


def _epitaph(engine: str, bones: bytes) -> tuple[str | None, str | None, str | None]:
    try:
        reader = engine_named(engine) if engine in engines() else None
        return reader.epitaph(bones) if isinstance(reader, ReadsBones) else (None, None, None)
    except NhlogError:
        return None, None, None


def _game(folders: Iterable[Path], left: Left, hero: str | None, death: str | None) -> str | None:
    """The log of the game that left these bones."""
    if hero is None or death is None:
        return None
    for folder in folders:
        for game in _finished(folder):
            is_it = game.player == hero and game.state[:_CAUSE] == death[:_CAUSE]
            if is_it and 0 <= game.changed - left.when // 1000 < _SOON:
                return game.file
    return None


def _finished(folder: Path) -> Iterator[GameListing]:
    for name in sorted(os.listdir(folder)) if folder.is_dir() else ():
        if name.endswith(GAME):
            try:
                game = glance_at_game(str(folder / name))
            except NhlogError:
                continue
            if game.status is Status.FINISHED:
                yield game
