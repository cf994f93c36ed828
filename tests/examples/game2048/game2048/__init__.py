"""2048 as an engine for nhlog: slide the tiles; two equal ones become one."""

import struct
from hashlib import sha256

import nhlog
from nhlog import DIRECTIONS, Argument, Binding, Command, Damaged, DirectionAnswer, NewGame, Run, Usage, YesNoAnswer
from nhlog.engines.prompts import AskDirection, AskYesNo

SAVE = struct.Struct("<I8sB16B")  # turn, seed, whether the player quit; tiles, each by the power of two that it is
PLAYER = ("Player", "human", "female", "neutral")
LARGEST = 31  # the power of two from which on tiles no longer merge
LINES = {
    0: [[4 * row + column for column in range(4)] for row in range(4)],
    2: [[4 * row + column for row in range(4)] for column in range(4)],
}
LINES |= {direction + 4: [line[::-1] for line in lines] for direction, lines in LINES.items()}
KEYS = {"h": 0, "left": 0, "k": 2, "up": 2, "l": 4, "right": 4, "j": 6, "down": 6}


def slide(tiles: list[int], direction: int) -> list[int]:
    """The tiles, four rows of four with 0 where there is none, after all slid that way (as in `nhlog.DIRECTIONS`)."""
    after = list(tiles)
    for line in LINES.get(direction, ()):
        waiting, done = [tiles[index] for index in line if tiles[index]], []
        while waiting:
            tile = waiting.pop(0)
            done.append(waiting.pop(0) + 1 if waiting[:1] == [tile] and tile < LARGEST else tile)
        for index, tile in zip(line, done + [0] * 4, strict=False):
            after[index] = tile
    return after


class Game2048:
    """A game as it stands; whatever its future depends on is in its save, chance too."""

    bones = None

    def __init__(self, turn: int, seed: bytes, quitted: bool, tiles: list[int]) -> None:
        self.turn, self.seed, self.quitted, self.tiles = turn, seed, quitted, tiles
        self.running = -1  # the direction of a `run` that goes on

    @property
    def points(self) -> int:
        return sum(1 << tile for tile in self.tiles if tile)

    @property
    def here(self) -> tuple[str, int, int]:
        return f"tile {1 << max(self.tiles)}", 0, 0

    @property
    def state(self) -> str:
        return f"{self.points} points, {self.turn} turns, on {self.here[0]}"

    @property
    def incomplete(self) -> bool:
        return self.moves(self.running)

    @property
    def ending(self) -> str:
        why = "quit" if self.quitted else "" if any(map(self.moves, LINES)) else "stuck"
        return why and f"{why} with {self.points} points"

    def moves(self, direction: int) -> bool:
        return not self.quitted and slide(self.tiles, direction) != self.tiles

    def record(self) -> dict[str, object]:
        return {"turn": self.turn, "points": self.points, "tiles": [1 << tile if tile else 0 for tile in self.tiles]}

    def save(self) -> bytes:
        return SAVE.pack(self.turn, self.seed, self.quitted, *self.tiles)

    def at_once(self, command: Command) -> tuple[str, ...] | None:
        match command:
            case Command("move", (Argument("D", int(direction)),)) if self.running < 0 and not self.moves(direction):
                return () if self.ending else ("Nothing moves.",)
        return None

    def run(self, command: Command) -> Run:
        direction, self.running = self.running, -1
        if command.name == "quit" and not self.ending:
            answer = yield AskYesNo("Really quit?", "yn", "n")
            self.quitted = isinstance(answer, YesNoAnswer) and answer.answer == "y"
        if command.name in ("move", "run") and not self.ending:
            given = [argument.value for argument in command.arguments if isinstance(argument.value, int)]
            if not given:
                answer = yield AskDirection("Slide where?")
                given = [answer.direction] if isinstance(answer, DirectionAnswer) else []
            direction = given[0]
        if command.name in ("move", "run", "repeat") and self.moves(direction):
            self.tiles, self.turn = slide(self.tiles, direction), self.turn + 1
            self.add_tile()
            self.running = -1 if command.name == "move" else direction

    def add_tile(self) -> None:
        """Put a 2 on an empty square, or one time in ten a 4."""
        number = int.from_bytes(sha256(self.seed + b"%d" % self.turn).digest(), "little")
        empty = [index for index, tile in enumerate(self.tiles) if not tile]
        number, place = divmod(number, len(empty))
        self.tiles[empty[place]] = 1 if number % 10 else 2


class Engine2048:
    name = "2048"
    version = "1.000.000"
    commands = {"welcome": "", "repeat": "", "interrupt": "", "move": "D", "run": "D", "quit": ""}
    looks: frozenset[str] = frozenset()
    roles = {PLAYER[0]: ((PLAYER[1],), (PLAYER[2],), (PLAYER[3],))}
    bindings = (
        *(
            Binding(key, Command("move", (Argument("D", number),)), "", "Slide", f"slide {DIRECTIONS[number]}")
            for key, number in KEYS.items()
        ),
        Binding("r", Command("run"), "D", "Slide", "slide as long as anything moves"),
        Binding("Q", Command("quit"), "", "Game", "end the game"),
    )

    def new(self, options: NewGame) -> Game2048:
        if (options.role, options.race, options.gender, options.alignment) != PLAYER:
            raise Usage("no such player", expected=" ".join(PLAYER))
        game = Game2048(0, sha256(b"%d" % options.seed).digest()[:8], False, [0] * 16)
        for game.turn in (0, 1):
            game.add_tile()
        return game

    def load(self, save: bytes) -> Game2048:
        if len(save) != SAVE.size:
            raise Damaged("a save of the wrong size", offset=len(save), expected=f"{SAVE.size} bytes")
        turn, seed, quitted, *tiles = SAVE.unpack(save)
        if quitted > 1 or not 0 < turn < 1 << 31 or max(tiles) > LARGEST:
            raise Damaged("no such game", offset=0)
        return Game2048(turn, seed, bool(quitted), tiles)

    def migrate(self, save: bytes) -> bytes:
        raise nhlog.Unsupported("there is no earlier version")


ENGINE = Engine2048()
