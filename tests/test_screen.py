"""Cells, their widths, hostile text, and the difference between two screens; pyte says what a terminal makes of it."""

import subprocess
import sys
import unicodedata

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from nhlog.screen import PLAIN, Screen, Style, clip, width_of
from nhlog.screen.glyphs import glyphs

RED = Style(fg=196, bold=True)


def styled(fg: int | None, bg: int | None, bold: bool, underline: bool, reverse: bool) -> Style:
    return Style(fg=fg, bg=bg, bold=bold, underline=underline, reverse=reverse)


colors, flags = st.none() | st.integers(0, 255), st.booleans()
styles = st.builds(styled, colors, colors, flags, flags, flags)
GLYPHS = "ab é世界─▶\x1b\n\x9b\u202e"
MARKS = "\u0301\u0316"


def puts(alphabet: str) -> st.SearchStrategy[list[tuple[int, int, str, Style]]]:
    text = st.text(alphabet, max_size=12)
    return st.lists(st.tuples(st.integers(-6, 14), st.integers(-1, 5), text, styles), max_size=8)


WIDTH, HEIGHT = 12, 4


def drawn(on: list[tuple[int, int, str, Style]]) -> Screen:
    screen = Screen(WIDTH, HEIGHT)
    for x, y, text, style in on:
        screen.put(x, y, text, style)
    return screen


def shown_by_pyte(output: str, width: int = WIDTH, height: int = HEIGHT) -> pyte.Screen:
    terminal = pyte.Screen(width, height)
    pyte.Stream(terminal).feed(output)
    return terminal


def test_text_is_put_where_it_belongs_and_cut_off_outside() -> None:
    screen = Screen(5, 2)
    assert screen.put(3, 0, "abc") == 6
    assert screen.put(-2, 1, "abc") == 1
    screen.put(0, 2, "below")
    screen.put(0, -1, "above")
    assert screen.text() == ["   ab", "c"]


def test_wide_characters_take_two_cells_and_are_never_split() -> None:
    screen = Screen(5, 4)
    assert screen.put(0, 0, "世界世") == 6
    screen.put(-1, 1, "世x")
    screen.put(0, 2, "世界")
    screen.put(1, 2, "-")
    screen.put(0, 3, "世界")
    screen.put(2, 3, "-")
    assert screen.text() == ["世界", " x", " -界", "世-"]


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2Jx", "␛[2Jx"),
        ("a\r\nb\tc", "a␍␊b␉c"),
        ("\x00\x7f", "␀␡"),
        ("\x9b31m", "\ufffd31m"),
        ("\u202eevil\u2069", "\ufffdevil\ufffd"),
        ("\u200b\u200d\ufeff\xad", "\ufffd" * 4),
        ("\udc80\ue000\U000e0041", "\ufffd" * 3),
        ("\u2028", "\ufffd"),
        ("x\ufe0f", "x"),
        ("\u0301x", "\ufffdx"),
    ],
)
def test_what_is_no_character_is_shown_as_such(hostile: str, shown: str) -> None:
    screen = Screen(20, 1)
    screen.put(0, 0, hostile)
    assert screen.text() == [shown]


@given(st.text())
def test_no_text_brings_a_control_character_onto_the_screen(text: str) -> None:
    screen = Screen(40, 1)
    screen.put(0, 0, text)
    for output in (screen.text()[0], screen.ascii().text()[0]):
        assert not [char for char in output if unicodedata.category(char) in ("Cc", "Cf", "Cs")]
    assert width_of(text) == screen.put(0, 0, text)


def test_marks_stay_with_their_character_but_do_not_pile_up() -> None:
    screen = Screen(4, 1)
    screen.put(0, 0, "x" + "\u0316" * 1000 + "y")
    assert screen.text() == ["x" + "\u0316" * 4 + "y"]


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("世界世", 5, "世界…"),
        ("世界世", 4, "世…"),
        ("ab", 1, "…"),
        ("éé", 1, "…"),
        ("éé", 0, ""),
        ("ab", 0, ""),
    ],
)
def test_shortened_text_fits(text: str, width: int, short: str) -> None:
    assert clip(text, width) == short


def test_ascii_keeps_every_cell_in_its_place() -> None:
    screen = Screen(12, 1)
    screen.put(0, 0, "▶é世─│…⏸x", RED)
    assert screen.ascii().text() == [">e??-|.|x"]
    assert screen.ascii().style_at(0, 0) == RED


@pytest.mark.parametrize(
    ("style", "colors", "sgr"),
    [
        (PLAIN, 256, "\x1b[0m"),
        (Style(fg=196, bg=18, bold=True), 256, "\x1b[0;1;38;5;196;48;5;18m"),
        (Style(fg=196, bg=18, bold=True), 16, "\x1b[0;1;91;44m"),
        (Style(fg=196, bg=18, bold=True), 8, "\x1b[0;1;31;44m"),
        (Style(fg=196, bg=18, bold=True), 0, "\x1b[0;1;7m"),
        (Style(fg=232), 8, "\x1b[0m"),
        (Style(fg=9, dim=True, underline=True), 256, "\x1b[0;2;4;91m"),
    ],
)
def test_styles_are_reduced_to_the_colours_there_are(style: Style, colors: int, sgr: str) -> None:
    assert style.sgr(colors) == sgr


@given(puts(GLYPHS + MARKS), puts(GLYPHS + MARKS))
def test_putting_the_changes_on_the_old_screen_gives_the_new_one(
    before: list[tuple[int, int, str, Style]], after: list[tuple[int, int, str, Style]]
) -> None:
    old, new = drawn(before), drawn(after)
    for run in list(new.changes(old)):
        old.put(run.x, run.y, run.text, run.style)
    assert old == new


@given(puts(GLYPHS + MARKS))
def test_a_screen_has_no_changes_to_itself(on: list[tuple[int, int, str, Style]]) -> None:
    assert list(drawn(on).changes(drawn(on))) == []


@given(puts(GLYPHS))  # pyte loses marks on wide characters
def test_a_terminal_shows_what_is_printed(on: list[tuple[int, int, str, Style]]) -> None:
    screen = drawn(on)
    terminal = shown_by_pyte(screen.ansi().replace("\n", "\r\n"))
    assert [line.rstrip() for line in terminal.display] == screen.text()
    for y in range(HEIGHT):
        for x in range(len(screen.text()[y])):
            cell, style = terminal.buffer[y][x], screen.style_at(x, y)
            assert (cell.bold, cell.underscore, cell.reverse) == (style.bold, style.underline, style.reverse)


def test_pasting_copies_cells_and_cuts_them_off() -> None:
    inner = Screen(3, 2)
    inner.put(0, 0, "世a", RED)
    screen = Screen(4, 2)
    screen.paste(2, 1, inner)
    screen.paste(-1, 0, inner)
    assert screen.text() == [" a", "  世"]
    assert screen.style_at(1, 0) == RED


def test_a_part_shows_no_half_of_a_wide_character() -> None:
    screen = Screen(6, 2)
    screen.put(0, 0, "世界世", RED)
    screen.put(0, 1, "abcdef")
    part = screen.crop(1, 0, 4, 9)
    assert part.text() == [" 界", "bcde"]
    assert [part.style_at(x, 0) for x in range(4)] == [RED] * 4
    assert screen.text() == ["世界世", "abcdef"]


def test_clipping_costs_no_more_for_a_longer_text() -> None:
    """A recording may be called by a name of a megabyte."""

    def calls(text: str) -> int:
        count = 0

        def one_more(frame: object, event: str, argument: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(one_more)
        try:
            clip(text, 20)
        finally:
            sys.setprofile(None)
        return count

    for char in ("x", "é", "宽"):
        calls(char)  # what is known of a character is kept
        assert calls(char * 100_000) == calls(char * 100)


def test_true_colours_come_as_the_nearest_that_there_is() -> None:
    style = Style(fg=(255, 0, 0), bg=(8, 8, 8), italic=True, overline=True)
    assert style.reduced(256) == Style(fg=196, bg=232, italic=True, overline=True)
    assert style.reduced(16) == Style(fg=9, bg=0, italic=True, overline=True)
    assert style.sgr() == "\x1b[0;3;53;38;5;196;48;5;232m"


def test_cells_of_untrusted_text_keep_their_columns() -> None:
    screen = Screen(9, 1)
    hostile = ["漢", "", "\x1b", "世", "a\u0301", "\u200d", "ab", "é", "漢"]
    screen.fill(0, 0, [(text, PLAIN) for text in hostile])
    assert screen.text() == ["漢␛ á\ufffdaé"]
    assert width_of(screen.text()[0]) == 8


def test_every_character_that_is_shown_as_it_is_takes_the_columns_that_wcwidth_says() -> None:
    shown = {
        char: columns
        for char in map(chr, range(sys.maxunicode + 1))
        for glyph, columns in glyphs(char)
        if glyph == char
    }
    assert len(shown) > 100_000
    assert {char: columns for char, columns in shown.items() if wcwidth(char) != columns} == {}


def test_what_games_draw_with_needs_no_tables_of_widths() -> None:
    probe = "import sys; from nhlog.screen import width_of; width_of('é│·░→“▶'); print('wcwidth' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], stdout=subprocess.PIPE, check=True).stdout == b"False\n"


@given(st.text("ab é世\u0301", max_size=9), st.integers(-1, 10))
def test_a_clipped_text_fits_and_is_the_beginning(text: str, width: int) -> None:
    clipped = clip(text, width)
    assert width_of(clipped) <= max(width, 0) or clipped == text == ""
    assert (
        clipped == text or clipped in ("", "…") or "".join(glyph for glyph, _ in glyphs(text)).startswith(clipped[:-1])
    )
