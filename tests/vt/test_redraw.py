"""A new terminal that is fed what `redraw` gives shows the same, and goes on alike."""

import pytest

from nhlog.vt import Size, Tape, Terminal
from nhlog.vt.redraw import NEW
from tests.doses import dose, seeded
from tests.vt.truth import FILES, truth


@pytest.mark.parametrize("name", FILES)
def test_what_is_drawn_again_is_the_same(name: str) -> None:
    known, chance = truth(name), seeded(name)
    tape = Tape(known.size, known.between)
    for _ in range(dose("vt.redrawn")):
        at = chance.randrange(len(known.parts) + 1)
        grid = tape.grid(at)
        other = Terminal(Size(grid.columns, len(grid.rows)))
        other.feed(tape.redraw(at))
        assert other.grid() == grid


MODES = {
    "margins": b"\x1b[2;4r\x1b[3;1H",
    "origin": b"\x1b[2;4r\x1b[?6h\x1b[1;2H",
    "no wrapping": b"\x1b[?7lfar",
    "inserting": b"abc\x1b[1G\x1b[4h",
    "line drawing": b"\x1b(0lqqk",
    "shifted out": b"\x1b)0\x0elqqk",
    "a style": b"\x1b[1;4:3;38;2;1;2;3mx",
    "tab stops": b"\x1b[3g\x1b[5G\x1bH\r",
    "the alternate screen": b"main\x1b[?1049hother",
    "a hidden cursor": b"\x1b[?25l",
    "a coloured line": b"\x1b[44m\x1b[K\x1b[0m",
    "a wide character": "\x1b[2;28H漢x".encode(),
    "a cut sequence": b"\x1b[3",
    "a link": b"\x1b]8;;http://a/\x1b\\one\x1b]8;;\x07 \x1b[1m\x1b]8;id=1;mailto:a\x1b\\two",
    "a full line": b"x" * 30,
}


@pytest.mark.parametrize("name", MODES)
def test_it_goes_on_alike(name: str) -> None:
    size = Size(30, 5)
    one, other = Terminal(size), Terminal(size)
    one.feed(b"first\r\nsecond\r\n" + MODES[name])
    other.feed(Tape(size, lambda first, last: [b"first\r\nsecond\r\n" + MODES[name]]).redraw(1))
    for terminal in (one, other):
        terminal.feed(b"1mlqk\tword " * 12 + b"\x1b[Hx\n\n\n\ny")
    assert one.grid().rows == other.grid().rows


@pytest.mark.parametrize("mode", [47, 1047, 1049])
def test_behind_the_alternate_screen_is_the_main_one(mode: int) -> None:
    size = Size(30, 5)
    written = b"\x1b[31mmain\r\n\r\n screen\x1b[?%dh\x1b[2J\x1b[1;4Hother\x1b[3" % mode
    one, other = Terminal(size), Terminal(size)
    one.feed(written)
    other.feed(Tape(size, lambda first, last: [written]).redraw(1))
    assert one.grid() == other.grid()
    for terminal in (one, other):
        terminal.feed(b"2mgreen\x1b[?%dl!" % mode)
    assert one.grid() == other.grid()
    assert one.grid().text()[2] == " screen" + "!" * (mode == 1049)


@pytest.mark.parametrize("mode", [47, 1047, 1049])
def test_what_makes_a_terminal_a_new_one_leaves_the_alternate_screen(mode: int) -> None:
    terminal = Terminal(Size(30, 5))
    terminal.feed(b"main\x1b[?%dh\x1b[2J\x1b[Hother\x1b[3" % mode + NEW)
    assert terminal.grid().text()[0] == "main"


def test_a_title_is_told_without_what_cannot_be_printed() -> None:
    tape = Tape(Size(30, 5), lambda first, last: ["\x1b]2;a\u202eb\u200bc\x07".encode()])
    assert tape.grid(1).title == "a\u202eb\u200bc"
    other = Terminal(Size(30, 5))
    other.feed(tape.redraw(1))
    assert other.grid().title == "a\ufffdb\ufffdc"


def test_in_a_sequence_too_long_to_be_kept_there_is_nothing_to_draw() -> None:
    long = b"shown\x1b]2;" + b"x" * (1 << 20)
    assert Tape(Size(30, 5), lambda first, last: [long]).redraw(1) == b""
