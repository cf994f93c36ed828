"""The summary of a game, from its file's header and newest lines alone.

Takes the same time for a long game as for a short one.
"""

import re
from dataclasses import dataclass

from nhlog.formats.nhgame import FORMAT
from nhlog.formats.nhgame.engine import engine_name
from nhlog.log.file import LogFile
from nhlog.log.tail import read_tail
from nhlog.nethack4.save.head import HERO_SIZE, read_hero
from nhlog.operations import Listing
from nhlog.replay import Status

__all__ = ["GameListing", "list_game"]

_ON = re.compile(r" turns, on (.+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameListing(Listing):
    """The summary of a game at its newest save.

    `engine` is the one that wrote its saves.  `state` is the header's state line: the state of the hero, or the end of
    the game.  Unknown values of the hero are None.
    """

    player: str
    role: str
    race: str
    engine: str
    turn: int
    place: str | None
    level: int | None
    hp: int | None
    hp_max: int | None
    start: int
    changed: int
    state: str


def list_game(path: str) -> GameListing:
    """Summarise the game in the file `path`; raises :class:`~nhlog.errors.NhlogError` if it is no log."""
    with LogFile(path) as file:
        header, columns, held = read_tail(file, HERO_SIZE)
        size, changed = file.size(), file.modified() // 1000
    hero = read_hero(columns.head)
    return GameListing(
        file=path,
        format=FORMAT,
        title=f"{header.player}, {header.words['race']} {header.words['role']}",
        people=(header.player,),
        duration=None,
        player=header.player,
        role=header.words["role"],
        race=header.words["race"],
        engine=engine_name(header.identification.version, columns.head),
        turn=columns.last_turn,
        place=hero.place if hero else _place_told(header.state),
        level=hero.level if hero else None,
        hp=hero.hp if hero else None,
        hp_max=hero.hp_max if hero else None,
        start=header.start,
        changed=changed,
        size=size,
        status=Status.NEEDS_RECOVERY if held else Status.FINISHED if header.finished else Status.LIVE,
        state=header.state,
    )


def _place_told(state: str) -> str | None:
    """The place in the header's state line of an unfinished game, which is as old as its latest backup."""
    found = _ON.search(state)
    return found[1] if found else None
