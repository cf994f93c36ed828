"""The arguments of a command that a person is asked for before the command is given.

What they ask and what an answer comes to is told by the argument's letter alone.
"""

from dataclasses import dataclass, replace

from nhlog.engines.prompts import AskDirection, AskKey, AskPosition, AskText, Prompt
from nhlog.log.lines import (
    Argument,
    Command,
    DirectionAnswer,
    KeyAnswer,
    Line,
    PositionAnswer,
    TextAnswer,
)

__all__ = ["Wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A command whose arguments are being asked for: `asks` has the letters still to come."""

    command: Command
    asks: str

    def question(self, x: int, y: int) -> Prompt:
        """What a person is asked for the next one; `x` and `y` are where the hero is."""
        match self.asks[0]:
            case "P":
                return AskPosition("Where to?", x, y)
            case "D":
                return AskDirection("In what direction?")
            case "T":
                return AskText("What?")
            case "S":
                return AskKey("Which spell?", "", counted=False)
            case _:
                return AskKey("Which item?", "", counted=False)

    def answered(self, answer: Line) -> "Wanted | None":
        """The command with the argument that the answer comes to; None for a cancelled question."""
        argument = _argument(self.asks[0], answer)
        if argument is None:
            return None
        return Wanted(replace(self.command, arguments=(*self.command.arguments, argument)), self.asks[1:])


def _argument(letter: str, answer: Line) -> Argument | None:
    match answer:
        case PositionAnswer((x, y, _)):
            return Argument(letter, (x, y))
        case DirectionAnswer(direction) if direction >= 0:
            return Argument(letter, direction)
        case KeyAnswer(key) if 32 < key < 127:
            return Argument(letter, chr(key))
        case TextAnswer(blob) if blob.decode() != b"\x1b\0":
            return Argument(letter, blob)
        case _:
            return None
