"""What is typed at a prompt: counts have a bound, and pages an end."""

import pytest

from nhlog.engines.prompts import (
    AskDirection,
    AskKey,
    AskMenu,
    AskObjects,
    AskPosition,
    AskYesNo,
    Choice,
    ObjectChoice,
    Place,
)
from nhlog.log.wire.lines import (
    DirectionAnswer,
    KeyAnswer,
    Line,
    MenuAnswer,
    ObjectMenuAnswer,
    PositionAnswer,
    YesNoAnswer,
)
from nhlog.screen import Screen
from terminal.prompts.characters import KeyInput, YesNoInput
from terminal.prompts.directions import DirectionInput, PositionInput
from terminal.prompts.drawing import draw_prompt
from terminal.prompts.inputs import PromptInput
from terminal.prompts.menus import PAGE, MenuInput, ObjectsInput

ITEM = AskKey("Throw what?", "ab", counted=True)
ARROWS = AskObjects("Pick up", (ObjectChoice(7, "a", "arrows", 10**12),), 1)
PLACES = (Place(5, 5, "<", "a staircase up"), Place(2, 8, "{", "a spring"), Place(7, 1, ">", "a staircase down"))
WHERE = AskPosition("Where?", 9, 9, PLACES)
LONG = tuple(Choice(number, f"row {number}") for number in range(1, 2 * PAGE + 2))


def answer(prompt: PromptInput, *keys: str) -> Line | None:
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
        firsts.append(menu.menu.first)
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


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        (("h",), (8, 9)),
        (("y",), (8, 8)),
        (("up",), (9, 8)),
        (("u",), (10, 8)),
        (("right",), (10, 9)),
        (("n",), (10, 10)),
        (("j",), (9, 10)),
        (("b",), (8, 10)),
        (("L",), (17, 9)),
        (("Y",), (1, 1)),
        (("H", "H"), (0, 9)),
        (("N", "N"), (25, 20)),
        (("g",), (9, 9)),
    ],
)
def test_the_cursor_goes_one_square_or_eight_and_never_leaves_the_map(
    keys: tuple[str, ...], cursor: tuple[int, int]
) -> None:
    assert answer(PositionInput(WHERE), *keys, ".") == PositionAnswer((*cursor, "."))


def test_enter_without_the_name_of_a_place_answers_nothing() -> None:
    where = PositionInput(WHERE)
    assert answer(where, "/", "enter") is None
    assert answer(where, "escape", "enter") == PositionAnswer((9, 9, "."))


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


FOOD = AskKey(
    "What do you want to eat?",
    "cdeg",
    counted=False,
    items=tuple(ObjectChoice(number, letter, f"thing {letter}", 1) for number, letter in enumerate("acdegX", 1)),
)


def drawn(prompt: PromptInput) -> list[str]:
    screen = Screen(60, 8)
    draw_prompt(screen, prompt)
    return screen.text()


def test_what_can_answer_is_in_the_question() -> None:
    assert KeyInput(FOOD).line.rstrip() == "What do you want to eat? [c-eg or ?*]"
    assert KeyInput(AskKey("Which?", "abx", counted=False)).line.rstrip() == "Which? [abx]"


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("b", "You have no b. What"),
        (" ", "Space is no letter; Esc cancels. What"),
        ("f5", "F5 is no letter"),
        ("enter", "Enter is no letter"),
    ],
)
def test_a_letter_of_nothing_is_told_at_once_and_no_answer(key: str, told: str) -> None:
    prompt = KeyInput(FOOD)
    assert answer(prompt, key) is None
    assert prompt.complaint
    assert prompt.line.startswith(told)
    assert answer(prompt, "d") == KeyAnswer(ord("d"), None)
    assert not prompt.complaint


def test_what_fits_and_what_there_is_can_be_listed_and_chosen_from_the_list() -> None:
    prompt = KeyInput(FOOD)
    assert "thing" not in "".join(drawn(prompt))
    assert prompt.press("?") is None
    assert [row.partition("│")[2].strip() for row in drawn(prompt)[1:5]] == [f"{key} - thing {key}" for key in "cdeg"]
    assert prompt.press("*") is None
    assert "X - thing X" in drawn(prompt)[6]
    assert prompt.press("X") == KeyAnswer(ord("X"), None)


@pytest.mark.parametrize(("key", "answered"), [(" ", "n"), ("enter", "n"), ("y", "y"), ("escape", "\x1b"), ("z", None)])
def test_space_and_enter_are_the_default_of_yes_or_no(key: str, answered: str | None) -> None:
    prompt = YesNoInput(AskYesNo("Really?", "yn", "n"))
    assert prompt.press(key) == (None if answered is None else YesNoAnswer(answered))
    assert bool(prompt.complaint) is (answered is None)


def test_what_is_no_direction_is_told() -> None:
    prompt = DirectionInput(AskDirection("Fire where?"))
    assert answer(prompt, "x") is None
    assert prompt.line.startswith("x is no direction; Esc cancels. Fire where?")
    assert answer(prompt, "l") == DirectionAnswer(4)


ROLES = AskMenu("Who are you?", (Choice(0, "Roles"), Choice(1, "any"), Choice(2, "Rogue"), Choice(3, "Wizard")), 1)


@pytest.mark.parametrize(
    ("keys", "picked"),
    [
        (("enter",), 1),
        (("down", "enter"), 2),
        (("down",) * 3 + ("enter",), 3),
        (("down", "up", "up", "enter"), 1),
    ],
)
def test_enter_takes_the_row_that_is_marked(keys: tuple[str, ...], picked: int) -> None:
    assert answer(MenuInput(ROLES), *keys) == MenuAnswer((picked,))


def test_the_mark_is_seen_without_colour_and_follows_the_page() -> None:
    assert [row.partition("│")[2].strip() for row in drawn(MenuInput(ROLES))[1:4]] == ["Roles", "a > any", "b - Rogue"]
    menu = MenuInput(AskMenu("Long", LONG, 1))
    assert menu.press(" ") is None
    assert menu.press("enter") == MenuAnswer((LONG[PAGE].id,))


def test_the_marked_item_is_taken_with_the_count() -> None:
    assert answer(ObjectsInput(ARROWS), "3", "enter") == ObjectMenuAnswer(((7, 3),))


def test_where_several_can_be_picked_space_turns_pages_and_accepts_at_the_last() -> None:
    menu = MenuInput(AskMenu("Long", LONG, 9))
    assert answer(menu, "a", " ", "b", " ", " ") == MenuAnswer((LONG[0].id, LONG[PAGE + 1].id))


def test_a_menu_of_one_full_page_has_no_page_to_turn_to() -> None:
    assert answer(MenuInput(AskMenu("Full", LONG[:PAGE], 9)), "a", " ") == MenuAnswer((LONG[0].id,))


def test_escape_cancels_every_menu_and_a_letter_of_no_row_is_told() -> None:
    assert answer(MenuInput(ROLES), "z", "escape") == MenuAnswer(None)
    menu = MenuInput(ROLES)
    assert answer(menu, "z") is None
    assert "z is none of these" in menu.line
