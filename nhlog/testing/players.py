"""A player that gives random commands and answers, sensible and senseless ones."""

import random
from collections.abc import Iterator

from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskScreen,
    AskText,
    AskYesNo,
    LookForBones,
    Prompt,
)
from nhlog.engines.protocol import Engine, Game, NewGame, heroes
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

__all__ = ["RandomPlayer"]

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$-,"
WORDS = ("", "\x1b", "AUD", "5", "potion of healing", "3 blessed scroll of fire", "cave rat", "é" * 60, "x" * 300)
OFTEN = ("move", "move", "move", "move", "run", "travel", "down", "down", "search", "pickup", "fight", "fire")


class RandomPlayer:
    """Plays an engine at random, the same way for the same `seed`.

    `rash` is the percentage of senseless answers.  `bones` are those that the player may find.
    """

    def __init__(self, engine: Engine, seed: int, rash: int = 20) -> None:
        self.engine = engine
        self.often = [name for name in OFTEN if name in engine.commands] or sorted(engine.commands)
        self.random = random.Random(seed)
        self.rash = rash
        self.bones: list[bytes] = []

    def options(self, mode: int = 0) -> NewGame:
        """Random options of a new game, in this play mode."""
        role = self.random.choice(sorted(self.engine.roles))
        return NewGame("Rand", role, *self.random.choice(heroes(self.engine, role)), mode, self.random.getrandbits(60))

    def command(self, game: Game) -> Command:
        """The next command: any but ``quit``, often one of those that most games have."""
        if game.incomplete and self.random.random() < 0.9:
            return Command("repeat")
        names = sorted(set(self.engine.commands) - {"quit"})
        name = self.random.choice(self.often if self.random.random() < 0.6 else names)
        return Command(name, tuple(self._arguments(self.engine.commands.get(name, ""))))

    def _arguments(self, letters: str) -> Iterator[Argument]:
        for letter in letters:
            if self.random.random() < (0.5 if letter in "LT" else 0.1):
                continue
            yield Argument(letter, self.argument(letter))

    def argument(self, letter: str) -> int | str | tuple[int, int] | Blob:
        """A random argument of this kind (see :class:`~nhlog.log.wire.lines.Argument`)."""
        dice = self.random
        if letter == "D":
            return dice.randint(-1, 10) if dice.randrange(100) < self.rash else dice.randrange(8)
        if letter == "L":
            return dice.choice((0, 1, 5, 20, 10**9))
        if letter == "K":
            return dice.choice((27, 13, -1, 10**9, *map(ord, LETTERS)))
        if letter == "P":
            return dice.randint(-1, 90), dice.randint(-1, 30)
        if letter == "T":
            return Blob.of(dice.choice(WORDS).encode() + b"\0")
        return dice.choice(LETTERS[:12] if dice.random() < 0.8 else LETTERS)

    def answer(self, prompt: Prompt) -> Line:
        """A random answer that the prompt accepts."""
        dice = self.random
        rash = dice.randrange(100) < self.rash
        match prompt:
            case AskDirection():
                return DirectionAnswer(dice.randint(-1, 10))
            case AskYesNo():
                return YesNoAnswer(dice.choice("ynq\x1bz") if rash else dice.choice(prompt.keys))
            case AskKey():
                assert not prompt.items or {*prompt.keys} <= {item.letter for item in prompt.items}
                key = dice.choice([27, 0, 255, 10**6, *map(ord, LETTERS)]) if rash else ord(dice.choice(prompt.keys))
                return KeyAnswer(key, dice.choice((-1, 0, 1, 2, 10**9)) if prompt.counted else None)
            case AskPosition():
                return PositionAnswer(None if rash else (dice.randint(-5, 85), dice.randint(-5, 25), "."))
            case AskText():
                return TextAnswer(Blob.of(dice.choice(WORDS).encode() + b"\0"))
            case AskScreen():
                key = dice.choice([27, 0, 255, 10**6]) if rash else ord(dice.choice(prompt.keys or LETTERS))
                return KeyAnswer(key)
            case AskMenu(choices=choices):
                letters = [choice.letter for choice in choices if choice.letter]
                assert len({*letters}) == len(letters), "each letter picks one row"
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
        """Carry out a command, answering its prompts; returns the answers."""
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
