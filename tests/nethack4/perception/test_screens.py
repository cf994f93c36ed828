"""The map and the status rows of every real client screen of the corpus, reproduced from the save alone."""

from functools import cache
from pathlib import Path

import pytest

from nhlog.log.file import LogBytes
from nhlog.log.log import Log
from nhlog.nethack4.perception.view import Perception, perceive
from nhlog.screen import Screen
from tests.nethack4.captures import CAPTURES, Capture, Glyph

MAP = slice(1, 22)
STATUS = slice(22, 24)


@cache
def log(path: Path) -> Log:
    return Log(LogBytes(path.name, path.read_bytes()))


def perception_at(path: Path, offset: int) -> Perception:
    """The view after the line at that byte."""
    columns = log(path).columns
    return perceive(log(path).save(columns.save_at(columns.offsets.index(offset))))


def glyphs(screen: Screen) -> list[list[Glyph]]:
    """The cells of a screen on a terminal of 256 colours, its defaults gray on black."""
    rows = []
    for y, text in enumerate(screen.text()):
        row = []
        for x, char in enumerate(text.ljust(screen.width)):
            style = screen.style_at(x, y)
            fg = 7 if style.fg is None else style.fg
            row.append((char, fg, style.bg or 0, style.underline))
        rows.append(row)
    return rows


def differences(found: list[list[Glyph]], expected: list[list[Glyph]]) -> list[tuple[int, int, Glyph, Glyph]]:
    return [
        (x, y, one, other)
        for y, (mine, theirs) in enumerate(zip(found, expected, strict=True))
        for x, (one, other) in enumerate(zip(mine, theirs, strict=False))
        if one != other
    ]


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda capture: f"{capture.log.stem}-{capture.file.stem}")
def test_the_map_is_the_clients(capture: Capture) -> None:
    found = glyphs(perception_at(capture.log, capture.offset).map())
    assert differences(found, capture.rows[MAP]) == []


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda capture: f"{capture.log.stem}-{capture.file.stem}")
def test_the_status_rows_are_the_clients(capture: Capture) -> None:
    found = glyphs(perception_at(capture.log, capture.offset).status_rows())
    assert differences(found, capture.rows[STATUS]) == []
