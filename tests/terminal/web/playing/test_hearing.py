"""What is read aloud of a player's terminal."""

from collections.abc import Callable

import pytest

from nhlog.vt import Size, Terminal
from terminal.web.processes.hearing import Hearing

LIT, PLAIN = "\x1b[44m", "\x1b[m"
STATUS = "Dlvl:1 HP:14(14) T:{}"


@pytest.fixture
def heard() -> Callable[..., str]:
    """What is read when the terminal shows these rows, after a key unless `key` says otherwise."""
    terminal, hearing = Terminal(Size(80, 24)), Hearing()

    def heard(*rows: str, key: bool = True) -> str:
        if key:
            hearing.typed()
        terminal.feed(("\x1b[H" + "\r\n".join(f"{PLAIN}\x1b[2K{row}" for row in rows) + "\x1b[J").encode())
        return hearing.next(terminal.grid())

    return heard


def test_the_messages_of_all_rows_are_read_and_neither_the_map_nor_the_status(heard: Callable[..., str]) -> None:
    rows = ("Welcome to the dungeon, Ann.", "It is dark.", "", "|..@..d|", "|......|", STATUS.format(1))
    assert heard(*rows) == "Welcome to the dungeon, Ann.\nIt is dark."


def test_what_stays_is_read_once(heard: Callable[..., str]) -> None:
    heard("You see a door here.", "|.@|", STATUS.format(1))
    assert heard("You see a door here.", "|.@|", STATUS.format(1)) == ""
    assert heard("You see a door here.", "|.@|", STATUS.format(2), key=False) == ""


def test_a_message_that_a_key_brings_again_is_read_again(heard: Callable[..., str]) -> None:
    heard("You miss the newt.", "|.@|", STATUS.format(1))
    assert heard("You miss the newt.", "|.@|", STATUS.format(2)) == "You miss the newt."


def test_a_title_is_not_read_again(heard: Callable[..., str]) -> None:
    title = LIT + "nhlog: 2 games".ljust(80)
    heard(title, "", "one")
    assert heard(title, "", "two", key=True) == "two"
    assert heard(title, "", "12") == ""


def test_what_is_added_to_a_row_is_read_alone(heard: Callable[..., str]) -> None:
    heard("You hit the newt.")
    assert heard("You hit the newt. It dies!").strip() == "It dies!"


def test_what_one_types_is_not_read_back(heard: Callable[..., str]) -> None:
    heard("What is the name of it?")
    assert [heard(f"What is the name of it? {typed}") for typed in ("a", "ab", "a")] == ["", "", ""]


def test_numbers_are_read_after_a_key_and_else_are_a_clock(heard: Callable[..., str]) -> None:
    heard("You have 3 charges left.")
    assert heard("You have 2 charges left.") == "You have 2 charges left."
    assert heard("You have 1 charges left.", key=False) == ""


def games(chosen: int, idle: int = 1) -> list[str]:
    texts = [f"{'▶' if row == chosen else ' '} game {row} of ann   paused {idle} s" for row in range(3)]
    rows = [f"{LIT}{text.ljust(50)}{PLAIN}" if row == chosen else text.ljust(50) for row, text in enumerate(texts)]
    return [LIT + "nhlog: 3 games".ljust(80), *(f"{row}     │ details of {chosen}" for row in rows)]


def test_the_chosen_row_of_a_list_is_read_without_what_stands_beside_it(heard: Callable[..., str]) -> None:
    heard(*games(0))
    assert heard(*games(1)) == "game 1 of ann paused 1 s"
    assert heard(*games(2, idle=2)) == "game 2 of ann paused 2 s"
    assert heard(*games(2, idle=3), key=False) == ""


def test_a_menu_is_read_whole_and_behind_what_it_stands_beside(heard: Callable[..., str]) -> None:
    heard("", "|.@|")
    rows = [f"{text.ljust(45)}│ {item}" for text, item in (("Take off what?", "a - a cloak"), ("|.@|", "b - a hat"))]
    assert heard(*rows) == "Take off what?\na - a cloak\nb - a hat"


def test_a_menu_is_read_if_the_same_stands_elsewhere_and_rows_that_move_up_are_not(heard: Callable[..., str]) -> None:
    heard("first", "second" + " " * 30 + "a - a cloak")
    assert heard("first", "second" + " " * 30 + "a - a cloak", " " * 40 + "a - a cloak") == "a - a cloak"
    assert heard("second", "third") == "third"


def test_what_a_menu_covered_is_not_read_when_it_is_closed(heard: Callable[..., str]) -> None:
    rows = ["", "The way to the valley", "|.@|"]
    heard(*rows)
    heard("", "The way│ a - a cloak", "|.@|  │ b - a hat")
    assert heard(*rows) == ""


def test_what_is_read_has_an_end(heard: Callable[..., str]) -> None:
    assert len(heard(*[f"{'a word ' * 11}{row}" for row in "abcdefghij"])) <= 402


def test_any_bytes_can_be_heard(heard: Callable[..., str]) -> None:
    assert heard("漢字漢字 \u202eabc\u0301\x1b[7m\x1b[999;999Hxy") is not None
