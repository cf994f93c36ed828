"""A game on the screen of who plays it: messages, questions, hints."""

import re

import pytest

from tests.terminal.play.drawn import CASES, FOLDER, drawn


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_it_did(name: str) -> None:
    keys, size = CASES[name]
    assert "\n".join(drawn(keys, *size)) + "\n" == (FOLDER / f"{name}.txt").read_text()


def test_every_screen_that_is_kept_is_drawn() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)


def test_the_first_page_of_keys_has_what_a_new_player_needs() -> None:
    page = "\n".join(row.partition("│ ")[2] for row in drawn(("?",), 80, 24))
    for row in ("y k u .*walk, fight", r"h · l .*arrows", "b j n .*capital letters run"):
        assert re.search(f"^{row}", page, re.MULTILINE)
    for label, word in (("x", "explore"), ("_", "travel"), (",", "pick up"), ("f", "fire"), (r"\.", "rest")):
        assert re.search(f"^{label} +{word}$", page, re.MULTILINE)
    for label, word in (("Tab", "attack the nearest"), ("i", "inventory"), (">", "go down")):
        assert re.search(f"^{label} +{word}$", page, re.MULTILINE)


def test_a_look_tells_what_is_there_before_where_it_is() -> None:
    first, *_ = drawn((" ", ";", "h"), 80, 24)
    assert re.fullmatch(r"the floor \(\d+,\d+\)", first.rstrip())
