"""Characters that join one that was already read: they are seen, however they come."""

import pytest

from nhlog.emulator.joining import may_join
from nhlog.emulator.library import library
from nhlog.vt import Reading, Size, Terminal

SIZE = Size(20, 5)


def read_between(*pieces: str | bytes) -> str:
    """The first character of a terminal that was looked at before each piece."""
    terminal, reading = Terminal(SIZE), Reading()
    for piece in pieces:
        terminal.grid()
        terminal.read(reading)
        terminal.feed(piece if isinstance(piece, bytes) else piece.encode())
    shown = terminal.grid().rows[0][0][0]
    terminal.read(reading)
    assert reading.texts[0].startswith(shown.rstrip())
    return shown


@pytest.mark.parametrize("mode", ["", "\x1b[?2027h"])
@pytest.mark.parametrize("base", ["m", "ก", "👨"])
@pytest.mark.parametrize("mark", ["\u0301", "\u200d", "\u1161", "\u0e31", "\ufe0f"])
def test_a_mark_is_seen_that_came_after_one_had_looked(mode: str, base: str, mark: str) -> None:
    assert read_between(mode + base, mark) == read_between(mode + base + mark)


@pytest.mark.parametrize("mode", ["", "\x1b[?2027h"])
@pytest.mark.parametrize("family", ["👩\u200d👩\u200d👧\u200d👦", "m\u0301\u0302\u0303", "ก\u0e31\u0e49", "👍🏽", "🇩🇪"])
def test_each_mark_that_comes_by_itself_is_seen_by_who_only_looks_at_rows(mode: str, family: str) -> None:
    """The cells of a row are the same with one mark more."""
    terminal, reading, shown = Terminal(SIZE), Reading(), Terminal(SIZE)
    for piece in (mode, *family):
        terminal.feed(piece.encode())
        shown.feed(piece.encode())
        terminal.read(reading)
        assert reading.texts == shown.grid().text()


def test_marks_are_seen_by_who_only_looks_at_cells() -> None:
    terminal = Terminal(SIZE)
    for piece, seen in (
        ("m", "m"),
        ("\u0301", "m\u0301"),
        ("\u0302", "m\u0301\u0302"),
        ("\u0303\u0304", "m\u0301\u0302\u0303\u0304"),
    ):
        terminal.feed(piece.encode())
        assert terminal.grid().rows[0][0][0] == seen


def test_a_mark_is_seen_whose_bytes_came_one_by_one() -> None:
    assert read_between(b"m", b"\xe2", b"\x83", b"\x90") == "m\u20d0"


def test_what_is_printed_again_is_a_character_with_a_width() -> None:
    assert read_between("m\u0301", "\x1b[2b") == "m\u0301"


def test_no_character_without_a_width_is_overlooked_however_it_is_cut() -> None:
    width = library().lib.ghostty_unicode_codepoint_width
    for code in (code for code in range(0xA0, 0x110000) if not 0xD800 <= code < 0xE000 and not width(code)):
        output = chr(code).encode()
        assert may_join(b"x" + output + b"x"), hex(code)
        assert all(may_join(output[:at]) or may_join(output[at:]) for at in range(1, len(output))), hex(code)


@pytest.mark.parametrize(
    "text", ["plain\r\n\x1b[31m", "─│█▒░ ┌┐ ╔╗", "äöü €", "漢字 カタカナ 한국", "Привет ελλ", "“…” — •"]
)
def test_what_programs_draw_with_is_not_taken_for_it(text: str) -> None:
    assert not may_join(text.encode())
