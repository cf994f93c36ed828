"""A command whose missing arguments are asked for one after the other."""

from dataclasses import replace

from nhlog.engines.prompts import AskDirection, AskKey, AskPosition, AskText, Prompt
from nhlog.log.wire.lines import Argument, Command, DirectionAnswer, KeyAnswer, Line, PositionAnswer, TextAnswer
from nhlog.values import dataclass

__all__ = ["PendingCommand"]


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command with the arguments given so far; `asks` has a letter for each missing one (see `Argument`)."""

    command: Command
    asks: str

    def prompt(self, x: int, y: int) -> Prompt:
        """The prompt for the next missing argument; `x` and `y` are the hero's square."""
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

    def answered(self, answer: Line) -> "PendingCommand | None":
        """This command with the answer as its next argument; None if the prompt was cancelled."""
        argument = _argument(self.asks[0], answer)
        if argument is None:
            return None
        return PendingCommand(replace(self.command, arguments=(*self.command.arguments, argument)), self.asks[1:])


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
