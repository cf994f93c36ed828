"""Real saves of NetHack 4.3, and every value that can be read out of one."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.levels.locations import Locations
from nhlog.nethack4.save.monsters import Monster, read_attached
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.state import State
from tests.corpus import SAMPLES
from tests.doses import spread

__all__ = ["everything", "game", "sample", "saves_of"]


@cache
def sample() -> bytes:
    """A save of the samples that ship."""
    return game(SAMPLES / "died2.nhgame").save(100)


def game(path: Path) -> Log:
    """A log in memory."""
    return Log(LogBytes(path.name, path.read_bytes()))


def saves_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Saves of a log with their numbers, the first and the last too; none of one that cannot be opened or has none."""
    try:
        log = game(path)
    except NhlogError:
        return
    for number in spread(range(len(log.columns.save_lines)), "nethack4.saves"):
        try:
            save = log.save(number)
        except (Damaged, Unsupported):
            continue
        yield number, save


def everything(save: Save) -> int:
    """Read all that a save has; the number of its objects."""
    _all_of(Save, save)
    _all_of(State, save.state)
    for word in (save.you, save.flags, save.hero):
        _all_of(type(word), word)
    objects = _objects(save, save.inventory) + _monsters(save, save.state.migrating)
    for level in save.levels.values():
        _all_of(Level, level)
        _all_of(Locations, level.locations)
        objects += sum(_objects(save, chain) for chain in (level.objects, level.buried, level.billed))
        objects += _monsters(save, level.monsters)
    save.dungeons.place(save.here)
    return objects


def _all_of(cls: type, value: object) -> None:
    for name in _names(cls):
        getattr(value, name)


@cache
def _names(cls: type) -> list[str]:
    """What values of a class tell: asked for once, as there are a hundred monsters in each of thousands of saves."""
    return [name for name in vars(cls) if not name.startswith("_")]


def _objects(save: Save, chain: Sequence[Obj]) -> int:
    for obj in chain:
        read_attached(save.data, obj, save.context)
    return len(chain) + sum(_objects(save, obj.contents) for obj in chain)


def _monsters(save: Save, chain: Sequence[Monster]) -> int:
    for monster in chain:
        _all_of(Monster, monster)
    return sum(_objects(save, monster.inventory) for monster in chain)
