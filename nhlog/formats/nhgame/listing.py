"""A game in one line, from its file's header and newest lines alone.

Costs the same for a long game as for a short one.
"""

from dataclasses import dataclass

from nhlog.log.file import LogFile
from nhlog.log.tail import read_tail
from nhlog.nethack4.hero import HERO_SIZE, read_hero

__all__ = ["Listed", "list_game"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A game at its newest save: `state` is "in progress", "finished" or "needs recovery".

    `text` is the header's own line: how the hero is, or what ended the game.  `started` is in microseconds since 1970,
    `changed`, when the file was last written, too.
    """

    file: str
    player: str
    role: str
    race: str
    turn: int
    place: str
    level: int
    hp: int
    hp_max: int
    started: int
    changed: int
    size: int
    state: str
    text: str


def list_game(path: str) -> Listed:
    """The game in the file `path`; raises :class:`~nhlog.errors.NhlogError` for what is no log."""
    with LogFile(path) as file:
        header, columns, held = read_tail(file, HERO_SIZE)
        size, changed = file.size(), file.modified() // 1000
    hero = read_hero(columns.head)
    return Listed(
        file=path,
        player=header.player,
        role=header.role,
        race=header.race,
        turn=columns.save_turns[-1] if columns.save_turns else 0,
        place=hero.place if hero else "",
        level=hero.level if hero else 0,
        hp=hero.hp if hero else 0,
        hp_max=hero.hp_max if hero else 0,
        started=header.start,
        changed=changed,
        size=size,
        state="needs recovery" if held else "finished" if header.finished else "in progress",
        text=header.state,
    )
