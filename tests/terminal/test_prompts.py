"""What is typed at a prompt: counts have a bound, and pages an end."""

import pytest

from nhlog.engines.prompts import AskKey, AskMenu, AskObjects, AskPosition, Choice, ObjectChoice, Place
from nhlog.log.wire.lines import KeyAnswer, Line, MenuAnswer, ObjectMenuAnswer, PositionAnswer
from terminal.prompts.characters import KeyInput
from terminal.prompts.directions import PositionInput
from terminal.prompts.menus import PAGE, MenuInput, ObjectsInput

ITEM = AskKey("Throw what?", "ab", counted=True)
ARROWS = AskObjects("Pick up", (ObjectChoice(7, "a", "arrows", 10**12),), 1)
PLACES = (Place(5, 5, "<", "a staircase up"), Place(2, 8, "{", "a spring"), Place(7, 1, ">", "a staircase down"))
WHERE = AskPosition("Where?", 9, 9, PLACES)
LONG = tuple(Choice(number, f"row {number}") for number in range(1, 2 * PAGE + 2))


def answer(prompt: KeyInput | MenuInput | ObjectsInput, *keys: str) -> Line | None:
    """What the last key answers; those before it answer nothing."""
    *before, last = keys
    assert [prompt.press(key) for key in before] == [None] * len(before)
    return prompt.press(last)


@pytest.mark.parametrize(
    ("typed", "count"),
    [
        ("", -1),
        ("7", 7),
        ("0", 0),
        ("120", 120),
        ("9" * 9, 999_999_999),
        ("1234567890", 123_456_789),
        ("9" * 5000, 999_999_999),
    ],
)
def test_a_count_has_nine_digits_at_most(typed: str, count: int) -> None:
    assert answer(KeyInput(ITEM), *typed, "a") == KeyAnswer(ord("a"), count)
    assert answer(ObjectsInput(ARROWS), *typed, "a") == ObjectMenuAnswer(((7, count),))


@pytest.mark.parametrize("digit", ["\u0663", "\uff13", "\u00b2"])
def test_a_digit_of_another_script_is_a_key_and_no_count(digit: str) -> None:
    assert answer(KeyInput(ITEM), digit) == KeyAnswer(ord(digit), -1)
    menu = ObjectsInput(ARROWS)
    assert answer(menu, digit, "a") == ObjectMenuAnswer(((7, -1),))


def test_where_no_count_is_asked_for_a_digit_is_the_key() -> None:
    assert answer(KeyInput(AskKey("Which?", "12", counted=False)), "2") == KeyAnswer(ord("2"), None)


def test_pages_are_turned_to_the_last_and_back_to_the_first_and_no_farther() -> None:
    menu = MenuInput(AskMenu("Long", LONG, 1))
    firsts = []
    for key in ("<", ">", ">", ">", "page-up", "page-up", "<", "page-down"):
        assert menu.press(key) is None
        firsts.append(menu.first)
        assert menu.rows
    assert firsts == [0, PAGE, 2 * PAGE, 2 * PAGE, PAGE, 0, 0, PAGE]
    assert menu.press("a") == MenuAnswer((LONG[PAGE].id,))


@pytest.mark.parametrize(
    ("keys", "cursor", "name"),
    [
        ("", (9, 9), ""),
        ("_", (5, 5), "a staircase up"),
        ("__", (2, 8), "a spring"),
        ("____", (5, 5), "a staircase up"),
        (">", (7, 1), "a staircase down"),
        ("{{", (2, 8), "a spring"),
        (">_", (5, 5), "a staircase up"),
        ("<l", (6, 5), ""),
    ],
)
def test_the_cursor_goes_to_the_places_by_their_symbols(keys: str, cursor: tuple[int, int], name: str) -> None:
    where = PositionInput(WHERE)
    assert [where.press(key) for key in keys] == [None] * len(keys)
    assert where.cursor == cursor
    assert where.line.rstrip().endswith(f"/name] {name}".rstrip())
    assert where.press(".") == PositionAnswer((*cursor, "."))


def test_a_place_is_found_by_a_part_of_its_name() -> None:
    where = PositionInput(WHERE)
    for key in ("/", *"xSPRqI"):
        assert where.press(key) is None
    assert (where.cursor, where.line) == ((2, 8), "Where? /SPRI  a spring")
    assert where.press("escape") is None  # the name, not the prompt
    assert where.press("escape") == PositionAnswer(None)
    for key in ("/", *"down"):
        assert where.press(key) is None
    assert where.press("enter") == PositionAnswer((7, 1, "."))
