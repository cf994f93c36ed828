"""The prompts of a game in the middle of a command, each with the kind of log line that answers it.

An answer is one of the log's own values (`nhlog.log.wire.lines`).  A game takes every answer that a prompt `accepts`;
one that makes no sense (an item that does not exist) counts as a cancelled prompt.
"""

from nhlog.log.wire.lines import (
    Bones,
    DirectionAnswer,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)
from nhlog.screen import Cell
from nhlog.values import dataclass

__all__ = [
    "AskDirection",
    "AskKey",
    "AskMenu",
    "AskObjects",
    "AskPosition",
    "AskScreen",
    "AskText",
    "AskYesNo",
    "Choice",
    "LookForBones",
    "ObjectChoice",
    "Place",
    "Prompt",
    "question_of",
]


@dataclass(frozen=True, slots=True)
class Place:
    """A square of the map that is worth choosing: the symbol that it is drawn with, and its name."""

    x: int
    y: int
    symbol: str
    name: str


@dataclass(frozen=True, slots=True)
class AskPosition:
    """Asks for a square of the map: line `P`.  The cursor starts at `x`, `y`; keys take it to each of the `places`."""

    text: str
    x: int
    y: int
    places: tuple[Place, ...] = ()

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, PositionAnswer)


@dataclass(frozen=True, slots=True)
class AskDirection:
    """Asks for a direction: line `D`."""

    text: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, DirectionAnswer)


@dataclass(frozen=True, slots=True)
class ObjectChoice:
    """An item of an object menu: `id`, inventory letter (or a space), caption, and how many there are."""

    id: int
    letter: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class AskKey:
    """Asks for a key, such as an item's letter, preceded by a count if `counted`: line `K`.  Escape cancels.

    `keys` are the suggested ones; others are accepted.  If it asks for an item, `items` are all that can be chosen,
    with their letters; those of `keys` are what the command is meant for.
    """

    text: str
    keys: str
    counted: bool
    items: tuple[ObjectChoice, ...] = ()

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt; the form of the line depends on `counted`."""
        return isinstance(line, KeyAnswer) and (line.count is not None) == self.counted


@dataclass(frozen=True, slots=True)
class AskYesNo:
    """Asks for one of the characters `keys`: line `Y`.  Escape means `default`."""

    text: str
    keys: str
    default: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, YesNoAnswer)


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of a menu; `id` is 0 for one that cannot be picked, such as a heading.

    `letter` is the printable character that picks it; where it is empty, the client gives it the next one that is free.
    """

    id: int
    label: str
    letter: str = ""


@dataclass(frozen=True, slots=True)
class AskMenu:
    """A menu: line `M`.  `most` is how many rows may be picked: 0 (read only), 1, or any number for more."""

    title: str
    choices: tuple[Choice, ...]
    most: int

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, MenuAnswer)


@dataclass(frozen=True, slots=True)
class AskObjects:
    """A menu of items, of which all or some can be picked: line `O`.  `most` as in `AskMenu`."""

    title: str
    choices: tuple[ObjectChoice, ...]
    most: int

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, ObjectMenuAnswer)


@dataclass(frozen=True, slots=True)
class AskText:
    """Asks for a line of text: line `L`.  Escape alone cancels."""

    text: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, TextAnswer)


@dataclass(frozen=True, slots=True)
class AskScreen:
    """Shows a screen of the game's own, and asks for a key: line `K`, without a count.

    It covers all earlier messages.  The answer is the code of a character, as a terminal sends it: 13 for Enter, 27
    for Escape, 1 to 26 for Ctrl and a letter.
    """

    cells: tuple[tuple[Cell, ...], ...]
    """The rows from the top, each of texts of one character with their styles."""

    keys: str = ""
    """The characters that answer (``" \\r\\x1b"``); any key that has a code if it is empty."""

    @property
    def text(self) -> str:
        """The first row that is not blank."""
        rows = ("".join(text for text, _ in row).strip() for row in self.cells)
        return next(filter(None, rows), "")

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, KeyAnswer) and line.count is None


@dataclass(frozen=True, slots=True)
class LookForBones:
    """Asks for the bones of the level `name`: line `B`, answered by the session, not by the user."""

    name: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this prompt."""
        return isinstance(line, Bones)


def question_of(prompt: "Prompt | None") -> str:
    """What a prompt asks the player, in words; empty for one that the session answers, and for none."""
    match prompt:
        case AskMenu(title=question) | AskObjects(title=question):
            return question
        case AskPosition() | AskDirection() | AskKey() | AskYesNo() | AskScreen() | AskText():
            return prompt.text
        case _:
            return ""


Prompt = AskPosition | AskDirection | AskKey | AskYesNo | AskMenu | AskObjects | AskScreen | AskText | LookForBones
