"""The player's input to a command: its arguments, and the answers to prompts.

Missing and senseless input is treated as none.
"""

from collections.abc import Callable, Generator, Sequence
from typing import Final, TypeVar

from nhlog.engines.delve.world.board import INSIDE, WIDTH, X, Y, square
from nhlog.engines.delve.world.names import caption, letter_of
from nhlog.engines.delve.world.state import SLOTS_CARRIED, Item, World
from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskText,
    AskYesNo,
    Choice,
    ObjectChoice,
    Place,
    Prompt,
)
from nhlog.errors import NhlogError
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import (
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

__all__ = [
    "NOWHERE",
    "Arguments",
    "Asking",
    "ask_direction",
    "ask_item",
    "ask_menu",
    "ask_objects",
    "ask_place",
    "ask_text",
    "ask_yes",
    "slot_of",
]

T = TypeVar("T")
Asking = Generator[Prompt, Line, T]

NOWHERE: Final = -1
ESCAPE: Final = "\x1b"
MOST_TEXT: Final = 1024  # bytes of an answer that is read
MOST_LIMIT: Final = 1 << 31  # turns


class Arguments:
    """The arguments of one command, each parsed, or None if missing; of several of a kind the last counts."""

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
                    self.limit = min(number, MOST_LIMIT)
                case "P", (int(x), int(y)):
                    self.square = _square_of((x, y))
                case "I", str(letter):
                    self.letter = letter
                case "S", str(letter):
                    self.spell = letter
                case "T", Blob() as blob:
                    self.text = _read_text(blob)

    @property
    def slot(self) -> int:
        """The slot of the pack for the item's letter; -1 if there is none."""
        return -1 if self.letter is None else slot_of(self.letter)


def slot_of(letter: str) -> int:
    """The slot of the pack with this letter; -1 if it is not a letter of the pack."""
    if len(letter) != 1 or not letter.isascii() or not letter.isalpha():
        return -1
    return ord(letter) - 97 if letter.islower() else ord(letter) - 39


def ask_direction(world: World, text: str) -> Asking[int]:
    """Prompt for a direction: its number in `OFFSETS`, or 8, 9, 10 for up, down and the hero; -1 for none."""
    answer = yield AskDirection(text)
    if isinstance(answer, DirectionAnswer) and 0 <= answer.direction <= 10:
        return answer.direction
    world.say("Never mind.")
    return NOWHERE


def ask_yes(text: str) -> Asking[bool]:
    """Prompt for yes or no; returns whether the answer was yes."""
    answer = yield AskYesNo(text, "yn", "n")
    return isinstance(answer, YesNoAnswer) and answer.answer == "y"


def ask_text(text: str) -> Asking[str]:
    """Prompt for a line of text, without unprintable characters; empty for none."""
    answer = yield AskText(text)
    if not isinstance(answer, TextAnswer):
        return ""
    said = _read_text(answer.blob)
    if said == ESCAPE:
        return ""
    return said


def _read_text(blob: Blob) -> str:
    """The text of an answer or an argument, without unprintable characters; empty if it cannot be decoded."""
    try:
        said = blob.decode(MOST_TEXT).rstrip(b"\0").decode("utf-8", "replace")
    except NhlogError:
        return ""
    if said == ESCAPE:
        return said
    return "".join(char for char in said if char.isprintable()).strip()


def ask_place(world: World, text: str, start: int, places: tuple[Place, ...] = ()) -> Asking[int]:
    """Prompt for a square inside the board, maybe one of the `places`; 0 for none."""
    answer = yield AskPosition(text, X[start], Y[start], places)
    if not isinstance(answer, PositionAnswer) or answer.place is None:
        return 0
    return _square_of(answer.place[:2])


def _square_of(place: tuple[int, int]) -> int:
    """The square with these coordinates; 0 if it is not inside the board."""
    x, y = place
    if not (0 < x < WIDTH - 1 and y > 0 and y * WIDTH < len(INSIDE)):
        return 0
    at = square(x, y)
    return at if INSIDE[at] else 0


def ask_item(
    world: World, text: str, fits: Callable[[Item], bool], *, counted: bool = False
) -> Asking[tuple[int, int]]:
    """Prompt for an item: its slot and how many of it; slot -1 for none."""
    pack = world.hero.pack
    letters = "".join(
        letter_of(slot) for slot in range(SLOTS_CARRIED) if (item := pack[slot]) is not None and fits(item)
    )
    if not letters:
        world.say("You have nothing for that.")
        return NOWHERE, 0
    answer = yield AskKey(text, letters, counted, _items(world))
    letter = chr(answer.key) if isinstance(answer, KeyAnswer) and 0 < answer.key < 128 else ""
    slot = slot_of(letter)
    item = pack[slot] if slot >= 0 else None
    if item is None or not isinstance(answer, KeyAnswer):
        world.say("Never mind." if letter in ("", ESCAPE) else "You do not have that.")
        return NOWHERE, 0
    count = answer.count if answer.count is not None and answer.count >= 0 else item.count
    return slot, min(count, item.count)


def _items(world: World) -> tuple[ObjectChoice, ...]:
    """All that the hero carries."""
    carried = [(slot, item) for slot, item in enumerate(world.hero.pack[:SLOTS_CARRIED]) if item is not None]
    return tuple(
        ObjectChoice(number, letter_of(slot), caption(world.lore, item), item.count)
        for number, (slot, item) in enumerate(carried, 1)
    )


def ask_menu(title: str, labels: Sequence[str], most: int) -> Asking[list[int]]:
    """Prompt with a menu: the indexes of the picked labels, without repetitions."""
    answer = yield AskMenu(title, tuple(Choice(number, label) for number, label in enumerate(labels, 1)), most)
    if not isinstance(answer, MenuAnswer) or not answer.ids or not most:
        return []
    picked = [number - 1 for number in dict.fromkeys(answer.ids) if 1 <= number <= len(labels)]
    return picked[:most]


def ask_objects(
    world: World, title: str, items: Sequence[tuple[str, Item]], most: int
) -> Asking[list[tuple[Item, int]]]:
    """Prompt for items: the picked ones, and how many of each; `items` have their letters."""
    choices = tuple(
        ObjectChoice(number, letter, caption(world.lore, item), item.count)
        for number, (letter, item) in enumerate(items, 1)
    )
    answer = yield AskObjects(title, choices, most)
    if not isinstance(answer, ObjectMenuAnswer) or not answer.items:
        return []
    picked: dict[int, int] = {}
    for number, count in answer.items:
        if 1 <= number <= len(items) and count and number not in picked:
            item = items[number - 1][1]
            picked[number] = item.count if count < 0 else min(count, item.count)
    return [(items[number - 1][1], count) for number, count in picked.items()][:most]
