"""The arguments of a command, each as what it means or None where it was not given or makes no sense."""

from nhlog.engines.delve.asking import read_text, slot_of, square_of
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Command

__all__ = ["Arguments"]

MOST = 1 << 31


class Arguments:
    """Those of one command; the last of a kind counts."""

    __slots__ = ("direction", "letter", "limit", "spell", "square", "text")

    def __init__(self, command: Command) -> None:
        self.direction: int | None = None
        self.square: int | None = None
        self.letter: str | None = None
        self.spell: str | None = None
        self.text: str | None = None
        self.limit: int | None = None
        for argument in command.arguments:
            match argument.letter, argument.value:
                case "D", int(number):
                    self.direction = number
                case "L", int(number):
                    self.limit = min(number, MOST)
                case "P", (int(x), int(y)):
                    self.square = square_of((x, y))
                case "I", str(letter):
                    self.letter = letter
                case "S", str(letter):
                    self.spell = letter
                case "T", Blob() as blob:
                    self.text = read_text(blob)

    @property
    def slot(self) -> int:
        """The slot of the pack that the item's letter names; -1 if none."""
        return -1 if self.letter is None else slot_of(self.letter)
