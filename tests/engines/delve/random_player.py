"""A player who does anything at all: commands and answers at random, sensible and senseless.

`python -m tests.engines.delve.random_player --games 200` plays games to their end and tells how they ended.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator

from nhlog.engines import engine_named
from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskText,
    AskYesNo,
    LookForBones,
    Prompt,
)
from nhlog.engines.protocol import Engine, Game, NewGame
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
    Argument,
    Bones,
    Command,
    DirectionAnswer,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$-,"
WORDS = ("", "\x1b", "AUD", "5", "potion of healing", "3 blessed scroll of fire", "cave rat", "é" * 60, "x" * 300)
OFTEN = ("move", "move", "move", "move", "run", "travel", "down", "down", "search", "pickup", "fight", "fire")


class RandomPlayer:
    """Chooses; `rash` is how often in a hundred times an answer makes no sense."""

    def __init__(self, engine: Engine, seed: int, rash: int = 20) -> None:
        self.engine = engine
        self.random = random.Random(seed)
        self.rash = rash
        self.bones: list[bytes] = []

    def options(self, mode: int = 0) -> NewGame:
        role = self.random.choice(sorted(self.engine.roles))
        races, genders, alignments = self.engine.roles[role]
        pick = self.random.choice
        return NewGame("Rand", role, pick(races), pick(genders), pick(alignments), mode, self.random.getrandbits(60))

    def command(self, game: Game) -> Command:
        if game.incomplete and self.random.random() < 0.9:
            return Command("repeat")
        names = sorted(set(self.engine.commands) - {"quit"})
        name = self.random.choice(OFTEN if self.random.random() < 0.6 else names)
        return Command(name, tuple(self._arguments(self.engine.commands.get(name, ""))))

    def _arguments(self, letters: str) -> Iterator[Argument]:
        for letter in letters:
            if self.random.random() < (0.5 if letter in "LT" else 0.1):
                continue
            yield Argument(letter, self.argument(letter))

    def argument(self, letter: str) -> int | str | tuple[int, int] | Blob:
        dice = self.random
        if letter == "D":
            return dice.randint(-1, 10) if dice.randrange(100) < self.rash else dice.randrange(8)
        if letter == "L":
            return dice.choice((0, 1, 5, 20, 10**9))
        if letter == "P":
            return dice.randint(-1, 90), dice.randint(-1, 30)
        if letter == "T":
            return Blob.of(dice.choice(WORDS).encode() + b"\0")
        return dice.choice(LETTERS[:12] if dice.random() < 0.8 else LETTERS)

    def answer(self, prompt: Prompt) -> Line:
        dice = self.random
        rash = dice.randrange(100) < self.rash
        match prompt:
            case AskDirection():
                return DirectionAnswer(dice.randint(-1, 10))
            case AskYesNo():
                return YesNoAnswer(dice.choice("ynq\x1bz") if rash else dice.choice(prompt.keys))
            case AskKey():
                key = dice.choice([27, 0, 255, 10**6, *map(ord, LETTERS)]) if rash else ord(dice.choice(prompt.keys))
                return KeyAnswer(key, dice.choice((-1, 0, 1, 2, 10**9)) if prompt.counted else None)
            case AskPosition():
                return PositionAnswer(None if rash else (dice.randint(-5, 85), dice.randint(-5, 25), "."))
            case AskText():
                return TextAnswer(Blob.of(dice.choice(WORDS).encode() + b"\0"))
            case AskMenu(choices=choices):
                ids = [choice.id for choice in choices]
                if rash:
                    return MenuAnswer(dice.choice((None, (), (7**9, -3), tuple(ids * 2))))
                return MenuAnswer(tuple(dice.sample(ids, min(len(ids), max(prompt.most, 0)))))
            case AskObjects(choices=rows):
                if rash:
                    wild = tuple((row.id, dice.choice((-1, 0, 99))) for row in rows)
                    return ObjectMenuAnswer(dice.choice((None, (), ((10**6, 1), (-4, -1)), wild * 2)))
                return ObjectMenuAnswer(tuple((row.id, dice.choice((-1, 1))) for row in rows if dice.random() < 0.5))
            case LookForBones():
                return Bones(Blob.of(dice.choice(self.bones)) if self.bones and not rash else None)
        raise AssertionError(prompt)

    def perform(self, game: Game, command: Command) -> list[Line]:
        """Carry out a command, answering what it asks; the answers."""
        answers: list[Line] = []
        run = game.run(command)
        prompt = next(run, None)
        while prompt is not None:
            line = self.answer(prompt)
            assert prompt.accepts(line)
            answers.append(line)
            try:
                prompt = run.send(line)
            except StopIteration:
                break
        return answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--engine", default="delve")
    parser.add_argument("--most", type=int, default=20_000, help="commands of a game")
    parser.add_argument("--first", type=int, default=0, help="the first game's number")
    given = parser.parse_args()
    engine = engine_named(given.engine)
    endings: Counter[str] = Counter()
    depths: Counter[str] = Counter()
    bones: list[bytes] = []
    commands = 0
    start = time.perf_counter()
    for number in range(given.first, given.first + given.games):
        player = RandomPlayer(engine, number)
        player.bones = bones
        game = engine.new(player.options(number % 3))
        for _ in range(given.most):
            player.perform(game, player.command(game))
            commands += 1
            if game.ending:
                break
            if not game.incomplete:
                save = game.save()
                game = engine.load(save)
                assert game.save() == save, number
        if game.bones:
            bones.append(game.bones[1])
        endings[game.ending or "(still alive)"] += 1
        depths[game.state.rpartition(" ")[2]] += 1
    took = time.perf_counter() - start
    print(f"{given.games} games, {commands} commands, {took:.1f} s, {1000 * took / max(commands, 1):.2f} ms each")
    for ending, count in endings.most_common():
        print(f"{count:5} {ending}")
    print(", ".join(f"{place} {count}" for place, count in sorted(depths.items())))


if __name__ == "__main__":
    main()
