"""A game of a few numbers: small enough to see through, with every kind of prompt, and faults that can be asked for."""

import struct
from collections.abc import Generator, Mapping

from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskText,
    AskYesNo,
    Choice,
    LookForBones,
    ObjectChoice,
    Prompt,
)
from nhlog.engines.protocol import Binding, NewGame
from nhlog.errors import Damaged, Unsupported
from nhlog.log.wire.lines import Bones, Command, Line

__all__ = ["TOY", "NewerToy", "Toy", "ToyGame", "options"]

STATE = struct.Struct("<IqI4000x")  # turn, sum of all that was answered, a number that only a fault changes; a world


def options(name: str = "Toy", seed: int = 5) -> NewGame:
    """A new game's options."""
    return NewGame(name, "Wizard", "human", "female", "neutral", 0, seed)


class ToyGame:
    """`total` depends on every command and answer, and on their order."""

    def __init__(self, turn: int, total: int, spoiled: int, ending: str = "", told: tuple[str, ...] = ()) -> None:
        self.turn, self.total, self.spoiled, self.ending = turn, total, spoiled, ending
        self.messages = [*told]
        self.left = 0

    @property
    def here(self) -> tuple[str, int, int]:
        return f"Toy:{self.total % 10}", self.total % 79, 3

    @property
    def incomplete(self) -> bool:
        return self.left > 0

    @property
    def state(self) -> str:
        return f"Exp:1, {self.turn} turns, on Toy:{self.total % 10}"

    @property
    def bones(self) -> tuple[str, bytes] | None:
        return ("Toy:1", self.save()) if self.ending else None

    def record(self) -> dict[str, int]:
        return {"turn": self.turn}

    def save(self) -> bytes:
        return STATE.pack(self.turn, self.total, self.spoiled) + "\n".join((self.ending, *self.messages)).encode()

    def at_once(self, command: Command) -> tuple[str, ...] | None:
        return (f"You see {self.total}.",) if command.name == "look" else None

    def run(self, command: Command) -> Generator[Prompt, Line, None]:
        self.messages = []
        match command.name:
            case "welcome" | "interrupt":
                self.left = 0
                return
            case "recite":
                self.messages += [f"Line {n} of a poem that is longer than a screen is high or wide." for n in range(9)]
            case "shout":
                self.messages.append("You take a breath.")
                yield AskYesNo("Loudly?", "yn", "n")
                self.messages.append("Nobody answers.")
            case "search":
                self.left = next((int(a.value) for a in command.arguments if a.letter == "L"), 1)
                self.left -= 1
            case "repeat":
                self.left = max(self.left - 1, 0)
                self.messages.append(f"{self.left} to go.")
            case "ask":
                for prompt in PROMPTS:
                    self._mix((yield prompt).format())
            case "descend":
                answer = yield LookForBones("Toy:1")
                assert isinstance(answer, Bones)
                self._mix(answer.format())
            case "die":
                answer = yield AskYesNo("Really die?", "yn", "n")
                if answer.format() == b"Yy":
                    self.ending = "died of boredom"
            case "panic":
                raise RuntimeError("a fault of the engine")
            case "spoil":
                self.spoiled = 1
        self._mix(command.format())
        self.turn += 1

    def _mix(self, data: bytes) -> None:
        for byte in data:
            self.total = (self.total * 31 + byte) % (1 << 62)


class Toy:
    """The engine; a spoiled game does not save exactly what it loads."""

    name = "toy"
    version = "1.000.000"
    commands: Mapping[str, str] = {
        "welcome": "",
        "repeat": "",
        "interrupt": "",
        "move": "D",
        "search": "L",
        "ask": "",
        "descend": "",
        "die": "",
        "panic": "",
        "spoil": "",
        "look": "",
        "shout": "",
        "recite": "",
    }
    looks: frozenset[str] = frozenset({"look"})
    roles: Mapping[str, tuple[tuple[str, ...], ...]] = {"Wizard": (("human",), ("female",), ("neutral",))}
    bindings: tuple[Binding, ...] = ()

    def new(self, options: NewGame) -> ToyGame:
        return ToyGame(1, options.seed, 0)

    def load(self, save: bytes) -> ToyGame:
        if len(save) < STATE.size:
            raise Damaged("cut short", offset=len(save))
        turn, total, spoiled = STATE.unpack_from(save)
        ending, *told = save[STATE.size :].decode().split("\n")
        return ToyGame(turn, total + spoiled, spoiled, ending, tuple(told))

    def migrate(self, save: bytes) -> bytes:
        raise Unsupported("no save of an earlier toy")


class NewerToy(Toy):
    """A later version, which no longer loads games beyond turn 5 and does not know all commands."""

    commands: Mapping[str, str] = {name: letters for name, letters in Toy.commands.items() if name != "ask"}

    def load(self, save: bytes) -> ToyGame:
        game = super().load(save)
        if game.turn > 5:
            raise Damaged("not of this version")
        return game


TOY = Toy()
PROMPTS: tuple[Prompt, ...] = (
    AskPosition("Where?", 3, 4),
    AskDirection("Which way?"),
    AskKey("What?", "abc", counted=True),
    AskKey("Which?", "abc", counted=False),
    AskYesNo("Sure?", "ynq", "n"),
    AskMenu("Which of these?", (Choice(0, "head"), Choice(1, "one"), Choice(2, "two")), 2),
    AskObjects("How many?", (ObjectChoice(1, "a", "3 stones", 3),), 1),
    AskText("Call it what?"),
)
