"""What both bots have in common: they see what a player sees, and know the way down to the Ember and up again."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from nhlog.engines.delve import ENGINE
from nhlog.engines.delve.commands.ways import CAN_WALK, LOCKED_MEMORY
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.delve.perception import describe, inventory, look, status
from nhlog.engines.delve.world.board import INSIDE, OFFSETS, SIZE, WIDTH, X, Y, distance, flood
from nhlog.engines.delve.world.kinds import EMBER
from nhlog.engines.delve.world.state import KIND_MEMORY, TRAP_MEMORY
from nhlog.engines.delve.world.terrain import GATE, ROCK, STAIRS_DOWN, STAIRS_UP, TERRAINS
from nhlog.engines.prompts import AskMenu, AskObjects, AskYesNo, Prompt
from nhlog.log.wire.lines import Argument, Command, Line, MenuAnswer, ObjectMenuAnswer, YesNoAnswer
from nhlog.testing.players import RandomPlayer

__all__ = ["BOTTOM", "FOOD", "SHOOTERS", "Bot", "Foe", "towards", "travel", "with_item"]

STRAIGHT: Final = OFFSETS[::2]
BOTTOM: Final = 10
MIDDLE: Final = 10 * WIDTH + 39  # of the map, where the hearth is, as is told to who comes there
MAY_WALK: Final = b"\1" + CAN_WALK[1:]
"""The remembered squares that ways may lead over, and those that are not known."""
EDGE: Final = ROCK + 1  # as it is remembered
ROOTED: Final = ("shrieking cap", "grey jelly", "blind eel")  # who does not come after anybody
SHOOTERS: Final = ("dead archer", "stone giant", "ash drake", "tunnel imp", "Warden of Ash")
PATIENCE: Final = 20  # tries to explore that show nothing new
MOST: Final = 40  # things that one carries: a hand has to be free for a meal
FOOD: Final = ("apple", "cave mushroom", "smoked fish", "cake of waybread", "ration")


class Foe(NamedTuple):
    """A monster that is seen awake."""

    far: int
    square: int
    name: str


class Bot(RandomPlayer):
    """What both have in common: seeing, exploring, going down, taking the Ember, going up."""

    def __init__(self, seed: int) -> None:
        super().__init__(ENGINE, seed)
        self.stuck = 0  # how often one tried to go on since something new was seen
        self.known = (0, 0)  # the depth, and how many squares of it
        self.done: set[object] = set()  # what was tried, and is not tried again
        self.waits = self.depth = 0
        self.when = (0, 0)
        self.barred = False  # whether the last command came to nothing
        self.explored: set[int] = set()  # depths
        self.daring = False  # whether to step on a known trap
        self.exhausted: dict[int, bytes] = {}  # by depth: the map on which there was nothing left to explore

    def answer(self, prompt: Prompt) -> Line:
        match prompt:
            case AskYesNo(text=text):
                return YesNoAnswer("y" if "pray" in text or ("step on" in text and self.daring) else "n")
            case AskObjects(choices=rows):
                return ObjectMenuAnswer(tuple((row.id, -1) for row in rows if "corpse" not in row.label))
            case AskMenu(choices=rows):
                return MenuAnswer(tuple(row.id for row in rows)[: prompt.most])
        return super().answer(prompt)

    def next(self, game: DelveGame) -> Command:
        """What to do now."""
        if game.incomplete:
            return Command("repeat")
        self.game, self.now, self.sight = game, status(game), look(game)
        depth = int(self.now.place.rpartition(":")[2])
        self.barred = (depth, self.now.turn) == self.when
        known = (depth, SIZE - self.sight.codes.count(0))
        if known != self.known:
            self.known, self.stuck = known, 0
        self.depth, self.when, self.daring = depth, (depth, self.now.turn), False
        self.foes = sorted(self._foes())
        self.pack = {row.caption: row.letter for row in inventory(game) if row.letter}
        if any(text.startswith("There is nothing left to explore") for text in game.messages):
            self.exhausted[depth], self.barred = self.sight.codes, False
        return self._choose()

    def _choose(self) -> Command:
        raise NotImplementedError

    # what is seen

    def _foes(self) -> Iterator[Foe]:
        for at, figure in self.sight.figures.items():
            far = distance(at, self.sight.hero)
            if figure.seen and far < 12:
                name, *notes = describe(self.game, at).split(", ")
                name = name.removeprefix("an ").removeprefix("a ").removeprefix("the ")
                if "asleep" not in notes and not (name in ROOTED and far > 1):
                    yield Foe(far, at, name)

    def _code(self, at: int) -> int:
        return self.sight.codes[at]

    def _has(self, *words: str) -> str:
        """The letter of the first thing of the pack with one of these words, in their order; empty if there is none."""
        return next((letter for word in words for caption, letter in self.pack.items() if word in caption), "")

    def _thing_here(self) -> bool:
        """Whether a thing lies where one stands, as `:` tells."""
        return self._code(self.sight.hero) >= KIND_MEMORY

    def _is_left(self) -> bool:
        """Whether something may be left to explore: the game has not told that nothing is, or the map has changed."""
        return self.exhausted.get(self.depth) != self.sight.codes

    def _aim(self, foe: Foe, far: int = 7) -> int:
        """The direction in which the foe stands, if nothing that is known is between; -1 in none."""
        here = self.sight.hero
        for number, offset in enumerate(OFFSETS):
            for steps in range(1, far + 1):
                at = here + offset * steps
                if at == foe.square:
                    return number
                code = self._code(at)
                if at in self.sight.figures or not code or (code <= len(TERRAINS) and not TERRAINS[code - 1].sight):
                    break
        return -1

    # doing

    def _fight(self, foe: Foe) -> Command:
        self.waits = 0
        return towards("fight", OFFSETS.index(foe.square - self.sight.hero))

    def _approach(self, foe: Foe) -> Command | None:
        """Wait for a foe, then go to it; None if that has been tried for long."""
        self.waits += 1
        if self.waits % 60 > 40:
            return None
        if foe.far <= 3 or (self.waits % 8 < 4 and foe.name not in SHOOTERS):
            return Command("rest")
        return travel(foe.square)

    def _eat(self) -> Command | None:
        hungry = {"Hungry", "Weak", "Fainting"} & set(self.now.conditions)
        if hungry and not self.barred and (letter := self._has(*FOOD)):
            return with_item("eat", letter)
        return None

    def _pick_up(self) -> Command | None:
        """Take what lies here, once."""
        here = (self.depth, self.sight.hero, self.now.turn // 50)
        if not self._thing_here() or here in self.done or "Float" in self.now.conditions or len(self.pack) > MOST:
            return None
        self.done.add(here)
        return Command("pickup")

    def _upwards(self) -> bool:
        return "Ember" in self.now.conditions

    def _go(self) -> Command:
        """Go on: explore, or to where one wants to be."""
        if self.barred:
            return self._strike_aside() or self._by_hand()
        wanted = self._wanted()
        if wanted is not None:
            return wanted
        if self.stuck > PATIENCE and self.sight.figures and not self.foes:  # exploring turns back where somebody stands
            nearest = min(self.sight.figures, key=lambda at: distance(at, self.sight.hero))
            return self._strike_aside() or travel(nearest)
        if self.foes or not self._is_left() or self.stuck > PATIENCE:
            return self._by_hand()
        self.stuck += 1
        return Command("explore")

    def _wanted(self) -> Command | None:
        codes, here = self.sight.codes, self.sight.hero
        if self._upwards():
            known = [at for at, code in enumerate(codes) if code - 1 in (STAIRS_UP, GATE)]
            return Command("up") if known and self._steps(known[0])[here] < SIZE else None
        if self.depth == BOTTOM:
            goals = [at for at, code in enumerate(codes) if code == KIND_MEMORY + EMBER]
            if goals and self._steps(goals[0])[here] < SIZE:
                return travel(goals[0])
            return None if goals else self._to_hearth()
        if self._ready():
            down = [at for at, code in enumerate(codes) if code - 1 == STAIRS_DOWN]
            if down and (here == down[0] or self._steps(down[0])[here] < SIZE):
                return Command("down")
        return None

    def _to_hearth(self) -> Command | None:
        """A step of the shortest way that there may be, as far as the map is known."""
        here = self.sight.hero
        ground = bytes(code if INSIDE[at] else EDGE for at, code in enumerate(self.sight.codes))
        steps = flood(ground, MIDDLE, MAY_WALK)
        number = min(range(8), key=lambda number: (steps[here + OFFSETS[number]], number % 2))
        return towards("move", number) if steps[here + OFFSETS[number]] < steps[here] else None

    def _ready(self) -> bool:
        return True

    def _steps(self, goal: int) -> list[int]:
        return flood(self.sight.codes, goal, CAN_WALK)

    def _strike_aside(self) -> Command | None:
        """Strike somebody who sleeps or is rooted, and may bar the way."""
        here = self.sight.hero
        beside = [number for number, offset in enumerate(OFFSETS) if here + offset in self.sight.figures]
        return towards("fight", beside[0]) if beside else None

    def _by_hand(self) -> Command:
        """Go on where exploring does not: doors that are locked, walls that may hide something, who bars the way."""
        here, codes = self.sight.hero, self.sight.codes
        steps = flood(codes, here, CAN_WALK)
        edges = [at for at, far in enumerate(steps) if 0 < far < SIZE and not all(codes[at + way] for way in STRAIGHT)]
        if edges and self.stuck % 5 < 4:
            self.stuck += 1
            return travel(min(edges, key=steps.__getitem__))
        for number, offset in enumerate(OFFSETS):
            if codes[here + offset] == LOCKED_MEMORY:
                return towards("kick", number)
        doors = [at + offset for at, code in enumerate(codes) if code == LOCKED_MEMORY for offset in STRAIGHT]
        doors = [at for at in doors if steps[at] < SIZE]
        if doors and self.stuck % 7 < 6:
            self.stuck += 1
            return travel(min(doors, key=steps.__getitem__))
        if self.stuck > 8 and (step := self._over_trap(steps)):
            return step
        self.stuck += 1
        down = [at for at, code in enumerate(codes) if code - 1 == STAIRS_DOWN]
        if down and steps[down[0]] < SIZE and not self._upwards() and not self.barred:
            return Command("down")
        if self.stuck % 3:
            return Command("search", (Argument("L", 12),))
        places = [at for at, far in enumerate(steps) if 3 < far < SIZE]
        if places and self.stuck % 2:
            return travel(self.random.choice(places))
        return towards("move", self.random.randrange(8))

    def _over_trap(self, steps: list[int]) -> Command | None:
        """A way on over a trap, where none leads past it: to the nearest one, and on it."""
        here, codes = self.sight.hero, self.sight.codes
        traps = [
            at
            for at, code in enumerate(codes)
            if TRAP_MEMORY <= code < KIND_MEMORY and (self.depth, at) not in self.done
        ]
        beside = {at + offset: at for at in traps for offset in OFFSETS if steps[at + offset] < SIZE}
        if not beside:
            return None
        nearest = min(beside, key=steps.__getitem__)
        if nearest != here:
            return travel(nearest)
        self.daring = True
        self.done.add((self.depth, beside[here]))
        return towards("move", OFFSETS.index(beside[here] - here))


def with_item(name: str, letter: str) -> Command:
    return Command(name, (Argument("I", letter),))


def towards(name: str, direction: int) -> Command:
    return Command(name, (Argument("D", direction),))


def travel(at: int) -> Command:
    return Command("travel", (Argument("P", (X[at], Y[at])),))
