"""A game on the screen of who plays it: messages, questions, hints."""

import pytest

from tests.terminal.play.drawn import CASES, FOLDER, drawn


@pytest.mark.parametrize("name", CASES)
def test_it_looks_as_it_did(name: str) -> None:
    keys, size = CASES[name]
    assert "\n".join(drawn(keys, *size)) + "\n" == (FOLDER / f"{name}.txt").read_text()


def test_every_screen_that_is_kept_is_drawn() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)
