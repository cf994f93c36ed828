"""Rows as text and rows of cells: whoever reads both of one terminal sees in each what is there now."""

import re

from nhlog.screen import PLAIN, Style
from nhlog.vt import Reading, Size, Terminal

SIZE = Size(20, 3)
LONG = "http://a/" + "x" * 2000
ADDRESSES = (b"mailto:a@b", b"http://a/?b;c", LONG.encode(), "http://ä/".encode())


def fed(output: bytes) -> Terminal:
    terminal = Terminal(SIZE)
    terminal.feed(output)
    return terminal


def test_cells_show_what_came_since_text_was_read() -> None:
    terminal, reading = fed(b"one"), Reading()
    terminal.grid()
    terminal.feed(b" two")
    terminal.read(reading)
    assert terminal.grid().text() == ["one two", "", ""]


def test_text_says_what_came_since_cells_were_read() -> None:
    terminal, reading = fed(b"one"), Reading()
    terminal.read(reading)
    terminal.feed(b"\r\ntwo")
    terminal.grid()
    terminal.read(reading)
    assert reading.changed == [1]
    assert reading.texts == ["one", "two", ""]


def test_rows_whose_text_is_the_same_in_another_style_have_not_changed() -> None:
    terminal, reading = fed(b"one\r\ntwo"), Reading()
    terminal.read(reading)
    assert reading.changed == [0, 1, 2]
    terminal.feed(b"\x1b[H\x1b[44m\x1b[31mone\r\nTWO")
    terminal.grid()
    terminal.read(reading)
    assert reading.changed == [1]


def test_a_row_that_is_erased_has_changed_and_an_empty_one_that_is_written_with_nothing_has_not() -> None:
    terminal, reading = fed(b"one\r\ntwo"), Reading()
    terminal.read(reading)
    terminal.feed(b"\x1b[2K\r\n\x1b[1m   ")
    terminal.read(reading)
    assert reading.changed == [1]
    assert reading.texts == ["one", "", ""]


def test_there_are_as_many_texts_as_rows_of_whatever_size() -> None:
    terminal, reading = fed(b"one\r\ntwo\r\nthree"), Reading()
    terminal.read(reading)
    for rows, texts in ((2, ["two", "three"]), (4, ["one", "two", "three", ""])):
        terminal.resize(Size(20, rows))
        terminal.read(reading)
        assert reading.texts == texts


def test_rows_without_the_word_are_not_read() -> None:
    terminal, reading = fed(b"a DRAGON\r\na newt"), Reading("dragon")
    terminal.read(reading)
    assert reading.changed == [0, 1, 2]
    assert re.findall("newt|DRAGON", " ".join(reading.texts)) == ["DRAGON"]


def test_cells_of_a_link_know_where_it_leads() -> None:
    links = b"".join(b"\x1b]8;id=%d;%b\x1b\\%d" % (at, address, at) for at, address in enumerate(ADDRESSES))
    terminal = fed("\x1b]8;;http://a/\x07e\u0301漢\x1b]8;;\x07!".encode() + links + b"\x1b]8;;\x1b\\.")
    shown = [(text, style.link) for text, style in terminal.grid().rows[0]]
    assert shown[:4] == [("e\u0301", "http://a/"), ("漢", "http://a/"), ("", "http://a/"), ("!", "")]
    assert shown[4:10] == [("0", "mailto:a@b"), ("1", "http://a/?b;c"), ("2", LONG), ("3", ""), (".", ""), (" ", "")]
    assert Terminal.restored(terminal.snapshot() or b"").grid() == terminal.grid()
    terminal.feed(b"\r\x1b[K")
    assert {style for _, style in terminal.grid().rows[0]} == {PLAIN}


def test_a_row_has_room_for_so_many_addresses() -> None:
    terminal = Terminal(Size(200, 1))
    for number in range(100):
        terminal.feed(b"\x1b]8;;http://a/%d%b\x1b\\%d" % (number, b"x" * 1000, number % 10))
    links = [style.link for _, style in terminal.grid().rows[0][:100]]
    assert links[60] == "http://a/60" + "x" * 1000
    assert set(links[66:]) == {""}


def test_what_is_erased_in_colour_is_spaces_of_that_colour() -> None:
    terminal, reading = fed("e\u0301\x1b[44m\x1b[K\x1b[1;9Hx".encode()), Reading()
    terminal.read(reading)
    assert reading.texts[0] == "e\u0301       x"
    assert [(text, style.bg) for text, style in terminal.grid().rows[0][:3]] == [("e\u0301", None), (" ", 4), (" ", 4)]


def test_beside_marks_too_a_cell_that_nothing_was_written_to_is_a_space() -> None:
    terminal, reading = fed("e\u0301\x1b[1;4H漢\x1b[1;9Hx".encode()), Reading()
    terminal.read(reading)
    assert reading.texts[0] == terminal.grid().text()[0] == "e\u0301  漢   x"


def test_the_first_and_the_last_cell_of_a_row_have_styles_of_their_own() -> None:
    terminal = fed(b"\x1b[31ma\x1b[1;20H\x1b[32mz")
    assert [terminal.grid().rows[0][x] for x in (0, 1, 19)] == [("a", Style(1)), (" ", PLAIN), ("z", Style(2))]


def test_the_black_of_a_program_is_not_that_of_the_palette() -> None:
    """Whoever looks has a palette of their own, in which black need not be black."""
    terminal = Terminal(Size(3, 1))
    terminal.feed(b"\x1b[38;2;0;0;0ma\x1b[30mb\x1b[mc")
    assert [style.fg for _, style in terminal.grid().rows[0]] == [(0, 0, 0), 0, None]
