"""A simple player of delve with some sense: explores, fights, rests, eats, goes down when strong enough, and up again.

`python -m tests.engines.delve.greedy_player --games 100` tells how far it comes, by role: the measure
of the game's balance.
"""

import argparse
import time
from collections import Counter

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.combat.missiles import path
from nhlog.engines.delve.commands.ways import CAN_WALK
from nhlog.engines.delve.course.score import score_of
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.delve.world.board import INSIDE, OFFSETS, SIZE, distance, flood
from nhlog.engines.delve.world.kinds import EMBER, KINDS, number_of
from nhlog.engines.delve.world.names import letter_of
from nhlog.engines.delve.world.pack import has_ember
from nhlog.engines.delve.world.sight import notice, visible_monsters
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import ASLEEP, KIND_MEMORY, LIGHTED, WIELDED, WORN, Monster
from nhlog.engines.delve.world.terrain import ALTAR, GATE, LOCKED, STAIRS_DOWN, STAIRS_UP
from nhlog.engines.prompts import AskDirection, AskMenu, AskObjects, AskYesNo, Prompt
from nhlog.engines.protocol import NewGame
from nhlog.log.wire.lines import (
    Argument,
    Command,
    DirectionAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    YesNoAnswer,
)
from nhlog.testing.players import RandomPlayer

HARMLESS = {"grey jelly", "shrieking cap"}


class GreedyPlayer(RandomPlayer):
    """Plays delve; knows no more than a player could."""

    def __init__(self, seed: int) -> None:
        super().__init__(ENGINE, seed)
        self.aim = -1
        self.stuck = 0
        self.tried: set[tuple[int, int]] = set()
        self.patience = 0

    def answer(self, prompt: Prompt) -> Line:
        match prompt:
            case AskDirection():
                return DirectionAnswer(self.aim)
            case AskYesNo(text=text):
                return YesNoAnswer("y" if "pray" in text or self.stuck > 3 else "n")
            case AskObjects(choices=rows):
                return ObjectMenuAnswer(tuple((row.id, -1) for row in rows))
            case AskMenu(choices=rows):
                return MenuAnswer(tuple(row.id for row in rows)[: prompt.most])
        return super().answer(prompt)

    def next(self, game: DelveGame) -> Command:
        """What to do now."""
        world = game.world
        notice(world)
        hero = world.hero
        if game.incomplete:
            return Command("repeat")
        foes = [
            monster
            for monster in visible_monsters(world)
            if distance(monster.square, hero.square) < 12 and SPECIES[monster.species].name not in HARMLESS
        ]
        awake = [monster for monster in foes if not monster.flags & ASLEEP]
        return self._survive(game, awake) or self._fight(game, awake) or self._tend(game, awake) or self._go(game)

    def _survive(self, game: DelveGame, foes: list[Monster]) -> Command | None:
        hero = game.world.hero
        near = [monster for monster in foes if distance(monster.square, hero.square) <= 2]
        if hero.nutrition < 50 and (slot := self._having(game, "%")) >= 0:
            return _with_item("eat", slot)
        if hero.nutrition < 40 and hero.prayer < 300:
            return Command("pray")
        if hero.hp * 3 < hero.hp_most or hero.hp < 6:
            for name in ("potion of great healing", "potion of healing"):
                if (slot := self._known(game, name)) >= 0:
                    return _with_item("quaff", slot)
            if (hero.hp * 5 <= hero.hp_most or hero.hp < 6) and hero.prayer < 300:
                return Command("pray")
            if near and (slot := self._known(game, "scroll of teleportation")) >= 0:
                return _with_item("read", slot)
            if near and (slot := self._having(game, "!")) >= 0:
                return _with_item("quaff", slot)
            if near and (slot := self._having(game, "?")) >= 0:
                return _with_item("read", slot)
        return None

    def _fight(self, game: DelveGame, foes: list[Monster]) -> Command | None:
        world = game.world
        hero = world.hero
        if not foes:
            return None
        foe = min(foes, key=lambda monster: (distance(monster.square, hero.square), monster.hp))
        far = distance(foe.square, hero.square)
        for number, offset in enumerate(OFFSETS):
            if foe.square in path(world, hero.square, offset, 7):
                if far == 1:
                    self.aim = number
                    if "book of force bolt" in [KINDS[s].name for s in hero.spells] and hero.pw >= 5:
                        return Command("cast", (Argument("S", "a"),))
                    weapon = world.wielded()
                    if weapon and KINDS[weapon.kind].fires and self._missile(game) >= 0:
                        return Command("fire", (Argument("D", number),))
                    return Command("fight", (Argument("D", number),))
                self.aim = number
                if "book of force bolt" in [KINDS[s].name for s in hero.spells] and hero.pw >= 5:
                    return Command("cast", (Argument("S", "a"),))
                if (
                    (slot := self._having(game, "/")) >= 0
                    and world.hero.pack[slot].charges
                    and SPECIES[foe.species].level > 2
                ):  # type: ignore[union-attr]
                    return _with_item("zap", slot)
                if self._missile(game) >= 0:
                    return Command("fire", (Argument("D", number),))
        if far == 1:
            number = OFFSETS.index(foe.square - hero.square)
            return Command("fight", (Argument("D", number),))
        self.patience += 1
        if self.patience % 30 > 20:
            return None
        return Command("rest") if far <= 3 or self.patience % 3 else None

    def _missile(self, game: DelveGame) -> int:
        weapon = game.world.wielded()
        fits = KINDS[weapon.kind].fires if weapon else ""
        for slot, item in enumerate(game.world.hero.pack):
            if item is None or item.flags & WIELDED:
                continue
            name = KINDS[item.kind].name
            if name == fits or (not fits and name in ("dagger", "dart", "throwing star")):
                return slot
        return -1

    def _having(self, game: DelveGame, symbol: str) -> int:
        return next(
            (
                slot
                for slot, item in enumerate(game.world.hero.pack)
                if item is not None and KINDS[item.kind].symbol == symbol and not item.flags & WORN
            ),
            -1,
        )

    def _known(self, game: DelveGame, name: str) -> int:
        number = number_of(name)
        if not game.world.lore.known[number]:
            return -1
        return next((s for s, item in enumerate(game.world.hero.pack) if item is not None and item.kind == number), -1)

    def _tend(self, game: DelveGame, foes: list[Monster]) -> Command | None:
        world = game.world
        hero = world.hero
        here = world.level.items_at(hero.square)
        if not foes and hero.hp * 10 < hero.hp_most * 7 and hero.nutrition > 100:
            return Command("search", (Argument("L", 20),))
        if hero.nutrition < 150 and (slot := self._having(game, "%")) >= 0:
            return _with_item("eat", slot)
        full = sum(item is None for item in hero.pack) < 3
        if here and not full and not hero.floating and any(self._wanted(item.kind) for item in here):
            return Command("pickup")
        for slot, item in enumerate(hero.pack):
            if item is None or item.flags & (WORN | WIELDED):
                continue
            kind = KINDS[item.kind]
            key = (world.turn // 300, slot * 100 + item.kind)
            if kind.symbol == "[" and key not in self.tried and not foes:
                self.tried.add(key)
                worn = next((other for other in world.worn() if KINDS[other.kind].slot == kind.slot), None)
                if worn is None:
                    return _with_item("wear", slot)
            if (
                kind.light
                and item.extra
                and not any(o and o.flags & LIGHTED for o in hero.pack)
                and not foes
                and world.level.depth > 1
            ):
                return _with_item("apply", slot)
            if (
                kind.symbol in "!?"
                and not world.lore.known[item.kind]
                and not foes
                and hero.hp * 2 > hero.hp_most
                and key not in self.tried
            ):
                self.tried.add(key)
                return _with_item("quaff" if kind.symbol == "!" else "read", slot)
            if (
                kind.name in ("scroll of enchant armour", "scroll of enchant weapon")
                and not foes
                and world.lore.known[item.kind]
            ):
                return _with_item("read", slot)
        return None

    def _unstick(self, game: DelveGame) -> Command:
        world = game.world
        for number, offset in enumerate(OFFSETS):
            if world.level.terrain[world.hero.square + offset] & 0x7F == LOCKED:
                return Command("kick", (Argument("D", number),))
        if self.stuck % 11 < 3:
            return Command("search", (Argument("L", 10),))
        return Command("move", (Argument("D", self.random.randrange(8)),))

    def _wanted(self, number: int) -> bool:
        return KINDS[number].name != "corpse" and KINDS[number].symbol != "$"

    def _go(self, game: DelveGame) -> Command:
        world = game.world
        level, hero = world.level, world.hero
        terrain_code = level.memory
        up = has_ember(world)
        here = level.terrain[hero.square] & 0x7F
        ready = hero.level >= min(level.depth + 1, 9) or world.turn > 1500 * level.depth
        if up and here in (STAIRS_UP, GATE):
            return Command("up")
        steps = flood(terrain_code, hero.square, CAN_WALK)
        goals = []
        if up:
            goals = [at for at in range(SIZE) if terrain_code[at] in (STAIRS_UP + 1, GATE + 1)]
        elif level.depth == 10:
            goals = [at for at in range(SIZE) if terrain_code[at] in (ALTAR + 1, KIND_MEMORY + EMBER)]
        items = [
            at
            for at in range(SIZE)
            if terrain_code[at] >= KIND_MEMORY
            and self._wanted(terrain_code[at] - KIND_MEMORY)
            and (level.depth * SIZE, at) not in self.tried
        ]
        if not goals and not up:
            goals = items
        goals = [at for at in goals if steps[at] < SIZE and at != hero.square]
        if not goals:
            frontier = [
                at
                for at in range(SIZE)
                if INSIDE[at]
                and steps[at] < SIZE
                and at != hero.square
                and any(terrain_code[at + off] == 0 for off in OFFSETS)
            ]
            down = [at for at in range(SIZE) if terrain_code[at] == STAIRS_DOWN + 1 and steps[at] < SIZE]
            if here == STAIRS_DOWN and not up and (ready or not frontier):
                return Command("down")
            goals = down if down and (ready or not frontier) and not up else frontier or down
        if not goals and not any(terrain_code[hero.square + offset] == LOCKED + 1 for offset in OFFSETS):
            doors = [at for at in range(SIZE) if terrain_code[at] == LOCKED + 1]
            goals = [at + offset for at in doors for offset in OFFSETS if steps[at + offset] < SIZE]
        if not goals:
            self.stuck += 1
            if self.stuck % 40 == 39 and here == STAIRS_DOWN:
                return Command("down")
            return self._unstick(game)
        goal = min(goals, key=lambda at: steps[at])
        self.stuck = self.stuck + 1 if goal == getattr(self, "last", -1) else 0
        self.last = goal
        if self.stuck > 6:
            self.tried.add((level.depth * SIZE, goal))
            return self._unstick(game)
        if terrain_code[goal] >= KIND_MEMORY and steps[goal] <= 1:
            self.tried.add((level.depth * SIZE, goal))
        return Command("travel", (Argument("P", (goal % 79, goal // 79)),))


def _with_item(name: str, slot: int) -> Command:
    return Command(name, (Argument("I", letter_of(slot)),))


def play(number: int, role: str, most: int) -> DelveGame:
    """A game from its beginning, saved and loaded after each command, to its end if that comes in so many."""
    races, genders, alignments = ENGINE.roles[role]
    player = GreedyPlayer(number)
    game = ENGINE.new(NewGame("Greedy", role, races[0], genders[0], alignments[0], 0, number))
    for _ in range(most):
        player.perform(game, player.next(game))
        if game.ending:
            break
        if not game.incomplete:
            save = game.save()
            game = ENGINE.load(save)
            assert game.save() == save
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="of each role")
    parser.add_argument("--role", choices=sorted(ENGINE.roles), help="only this one")
    parser.add_argument("--most", type=int, default=15_000)
    given = parser.parse_args()
    for role in [given.role] if given.role else ENGINE.roles:
        start = time.perf_counter()
        deepest: list[int] = []
        levels, turns, scores, endings = [], [], [], Counter[str]()
        for number in range(given.games):
            game = play(number, role, given.most)
            hero = game.world.hero
            deepest.append(hero.deepest)
            levels.append(hero.level)
            turns.append(game.turn)
            scores.append(score_of(game.world))
            endings[game.ending or "(alive)"] += 1
        middle = sorted(turns)[len(turns) // 2]
        print(
            f"{role:10} {time.perf_counter() - start:5.1f} s  deepest {sorted(deepest)}  Xp {sorted(levels)}",
            f"turns {middle}  score {sorted(scores)[len(scores) // 2]}",
        )
        print("   ", ", ".join(f"{count} {ending}" for ending, count in endings.most_common(9)))


if __name__ == "__main__":
    main()
