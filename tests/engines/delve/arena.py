"""A lit, empty hall with the hero in its middle, for tests of one rule at a time.

The dice are real: `until` repeats an act with other dice until something holds, so a test says what can happen.
"""

from collections.abc import Callable, Sequence
from functools import cache

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.delve.maps.rooms import Room, dig_room
from nhlog.engines.delve.maps.stock import new_item, new_monster
from nhlog.engines.delve.perception import inventory
from nhlog.engines.delve.world.board import square
from nhlog.engines.delve.world.kinds import KINDS, number_of
from nhlog.engines.delve.world.names import letter_of
from nhlog.engines.delve.world.pack import stow
from nhlog.engines.delve.world.sight import look_around, notice
from nhlog.engines.delve.world.species import species_named
from nhlog.engines.delve.world.state import ASLEEP, Item, Level, Monster, World
from nhlog.engines.delve.world.terrain import LIT
from nhlog.engines.prompts import Prompt
from nhlog.engines.protocol import NewGame
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Argument, Command, Line, TextAnswer, YesNoAnswer

__all__ = ["HERE", "NO", "YES", "Arena", "ground", "inventory_of", "names", "strong", "text", "until", "wizard"]

HERE = square(39, 10)
EAST = 4
YES, NO = YesNoAnswer("y"), YesNoAnswer("n")


@cache
def _begun(seed: int, role: str, mode: int) -> bytes:
    races, genders, alignments = ENGINE.roles[role]
    return ENGINE.new(NewGame("Tess", role, races[0], genders[0], alignments[0], mode, seed)).save()


class Arena:
    """A game in the hall; `asked` are the prompts that came."""

    def __init__(self, seed: int = 1, role: str = "Valkyrie", mode: int = 0, depth: int = 1) -> None:
        self.game: DelveGame = ENGINE.load(_begun(seed, role, mode))
        self.world: World = self.game.world
        level = Level.blank(depth, 0)
        dig_room(level, Room(20, 4, 60, 16), lit=True)
        self.world.level = level
        self.world.order[:] = [depth]
        self.world.hero.square = HERE
        self.asked: list[Prompt] = []
        look_around(self.world)

    def monster(self, name: str, across: int = 1, down: int = 0, **changes: int) -> Monster:
        """A monster, awake, so far from the hero."""
        monster = new_monster(self.world.dice, species_named(name), HERE + across + 79 * down)
        monster.flags &= ~ASLEEP
        for field, value in changes.items():
            setattr(monster, field, value)
        monster.most = max(monster.most, monster.hp)
        assert self.world.level.add_monster(monster)
        notice(self.world)
        return monster

    def strong(self) -> "Arena":
        """The same with a hero who does not die soon."""
        self.world.hero.hp = self.world.hero.hp_most = 900
        return self

    def give(self, name: str, **changes: int) -> str:
        """Put an item into the pack; its letter."""
        item = new_item(self.world.dice, number_of(name), plain=True)
        for field, value in changes.items():
            setattr(item, field, value)
        return letter_of(stow(self.world, item))

    def lay(self, name: str, across: int = 0, **changes: int) -> Item:
        """Put an item on the floor."""
        item = new_item(self.world.dice, number_of(name), plain=True)
        for field, value in changes.items():
            setattr(item, field, value)
        assert self.world.level.add_item(item, HERE + across)
        return item

    def item(self, letter: str) -> Item:
        """What has that letter."""
        slot = ord(letter) - (97 if letter.islower() else 39)
        item = self.world.hero.pack[slot]
        assert item is not None
        return item

    def do(self, name: str, *arguments: Argument, answers: Sequence[Line] = ()) -> str:
        """A command with its answers; what was told."""
        waiting = iter(answers)
        run = self.game.run(Command(name, arguments))
        try:
            prompt = next(run)
            while True:
                self.asked.append(prompt)
                answer = next(waiting)
                assert prompt.accepts(answer), (prompt, answer)
                prompt = run.send(answer)
        except StopIteration:
            pass
        return " ".join(self.game.messages)

    def with_item(self, name: str, letter: str, answers: Sequence[Line] = ()) -> str:
        """A command with an item."""
        return self.do(name, Argument("I", letter), answers=answers)

    def towards(self, name: str, direction: int = EAST) -> str:
        """A command with a direction."""
        return self.do(name, Argument("D", direction))

    def wait(self, turns: int = 1) -> str:
        """Rest so many turns, one command each; all that was told."""
        told = []
        for _ in range(turns):
            told.append(self.do("rest"))
            if self.game.ending:
                break
        return " ".join(told)

    def known(self, name: str) -> bool:
        """Whether the kind is known."""
        return bool(self.world.lore.known[number_of(name)])


def until(holds: Callable[[Arena], bool], arena: Callable[[int], Arena] = Arena, tries: int = 60) -> Arena:
    """The first arena, by its seed, of which it holds."""
    for seed in range(1, tries):
        made = arena(seed)
        if holds(made):
            return made
    raise AssertionError(f"never in {tries} tries")


def strong(seed: int = 1, role: str = "Valkyrie") -> Arena:
    """An arena whose hero does not die soon."""
    return Arena(seed, role).strong()


def wizard(seed: int = 1) -> Arena:
    """The same in wizard mode."""
    return Arena(seed, mode=2).strong()


def ground(arena: Arena, across: int, kind: int) -> None:
    """Another terrain so far to the right of the hero, lit."""
    arena.world.level.terrain[HERE + across] = kind | LIT
    look_around(arena.world)


def names(symbol: str) -> list[str]:
    """The kinds of a class that are found."""
    return [kind.name for kind in KINDS if kind.symbol == symbol and kind.rarity]


def inventory_of(arena: Arena, letter: str) -> str:
    """The caption of the item with that letter."""
    return next(row.caption for row in inventory(arena.game) if row.letter == letter)


def text(words: str) -> TextAnswer:
    """An answer in words."""
    return TextAnswer(Blob.of(words.encode() + b"\0"))
