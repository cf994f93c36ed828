"""What a game asks in the middle of a command, and which of the log's lines answers it.

An answer is one of the log's own values (`nhlog.log.wire.lines`).  A game takes every answer that a prompt `accepts`:
what makes no sense to it (an item that is not there) counts as a cancelled prompt.
"""

from dataclasses import dataclass

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

__all__ = [
    "AskDirection",
    "AskKey",
    "AskMenu",
    "AskObjects",
    "AskPosition",
    "AskText",
    "AskYesNo",
    "Choice",
    "LookForBones",
    "ObjectChoice",
    "Prompt",
]


@dataclass(frozen=True, slots=True)
class AskPosition:
    """A place on the map: line `P`.  The cursor begins at `x`, `y`."""

    text: str
    x: int
    y: int

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this."""
        return isinstance(line, PositionAnswer)


@dataclass(frozen=True, slots=True)
class AskDirection:
    """A direction: line `D`."""

    text: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this."""
        return isinstance(line, DirectionAnswer)


@dataclass(frozen=True, slots=True)
class AskKey:
    """A key, such as an item's letter, with a count before it if `counted`: line `K`.  Escape cancels.

    `keys` are those that make sense.
    """

    text: str
    keys: str
    counted: bool

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this; the form of the line depends on `counted`."""
        return isinstance(line, KeyAnswer) and (line.count is not None) == self.counted


@dataclass(frozen=True, slots=True)
class AskYesNo:
    """One of the characters `keys`: line `Y`.  Escape means `default`."""

    text: str
    keys: str
    default: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this."""
        return isinstance(line, YesNoAnswer)


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of a menu; `id` is 0 for one that cannot be picked (a heading)."""

    id: int
    label: str


@dataclass(frozen=True, slots=True)
class AskMenu:
    """Rows to pick from: line `M`.  `most` is how many: 0 for a menu that is only read, 1, or any number above."""

    title: str
    choices: tuple[Choice, ...]
    most: int

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this."""
        return isinstance(line, MenuAnswer)


@dataclass(frozen=True, slots=True)
class ObjectChoice:
    """An item of an object menu: `id`, its inventory letter (or a space), its caption, how many there are."""

    id: int
    letter: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class AskObjects:
    """Items to pick, all or some of each: line `O`.  `most` as in `AskMenu`."""

    title: str
    choices: tuple[ObjectChoice, ...]
    most: int

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this."""
        return isinstance(line, ObjectMenuAnswer)


@dataclass(frozen=True, slots=True)
class AskText:
    """A line of text: line `L`.  Escape alone is a cancelled prompt."""

    text: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this."""
        return isinstance(line, TextAnswer)


@dataclass(frozen=True, slots=True)
class LookForBones:
    """The bones that a dead hero left on the level `name`: line `B`, answered by the session, not by a person."""

    name: str

    def accepts(self, line: Line) -> bool:
        """Whether the line answers this."""
        return isinstance(line, Bones)


Prompt = AskPosition | AskDirection | AskKey | AskYesNo | AskMenu | AskObjects | AskText | LookForBones
