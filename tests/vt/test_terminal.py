"""A terminal by itself: what is cut anywhere, what is kept in a snapshot, and what it never does."""

from base64 import b64encode
from pathlib import Path
from unicodedata import category

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.errors import Unsupported
from nhlog.screen import Screen, Style
from nhlog.vt import MOST_COLUMNS, MOST_ROWS, Grid, Reading, Size, Terminal
from tests.doses import dose, seeded
from tests.vt.truth import FILES, truth

SIZE = Size(20, 5)
EVERYTHING = (
    "plain \x1b[1;3;4:3;5;38;2;1;2;3;48;5;77mstyled\x1b[0m é e\u0301 漢字 \U0001f468\u200d\U0001f469\r\n"
    "\x1b]0;a title\x07\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\ \x1b(0lqqk\x1b(B \x1b[5;12Hthere\x1b[44m"
    "\x1b[K\x1b[?1049h\x1b[2;3Hother\x1bP$qm\x1b\\\x1b_Gi=1;AAAA\x1b\\\x1b]52;c;aGk=\x07\x1b[?2004h\x1b[2;4r\x1b[?25l\x1b[?1049l"
).encode()


def after(output: bytes, size: Size = SIZE) -> Grid:
    terminal = Terminal(size)
    terminal.feed(output)
    return terminal.grid()


def test_a_grid_has_every_style_and_the_title() -> None:
    shown = after(
        b"\x1b]0;t\xc3\xafle\x07\x1b[1;2;3;4:3;5;7;8;9;53;38;5;9;48;2;1;2;3;58;5;4mx\x1b[0m\x1b[2G\x1b[42m\x1b[K"
    )
    style = Style(9, (1, 2, 3), True, True, 3, True, True, True, True, True, True, 4)
    assert shown.rows[0][:3] == (("x", style), (" ", Style(bg=2)), (" ", Style(bg=2)))
    assert (shown.title, shown.cursor, shown.cursor_visible) == ("tïle", (1, 0), True)


def test_a_wide_character_has_two_cells_and_marks_are_with_their_character() -> None:
    assert [text for text, _ in after("漢e\u0301x".encode()).rows[0][:5]] == ["漢", "", "e\u0301", "x", " "]


def test_marks_that_are_piled_up_stay_on_one_cell() -> None:
    shown = after(("a" + "\u0301" * 100_000 + "b").encode())
    assert shown.rows[0][1][0] == "b"
    assert len(shown.rows[0][0][0]) < 200


def test_where_the_output_is_cut_makes_no_difference() -> None:
    whole = after(EVERYTHING)
    for at in range(len(EVERYTHING)):
        terminal = Terminal(SIZE)
        terminal.feed(EVERYTHING[:at])
        terminal.feed(EVERYTHING[at:])
        assert terminal.grid() == whole, at


def test_what_is_restored_goes_on_as_if_nothing_had_been() -> None:
    """From within every sequence and every character, and from a snapshot of what was restored."""
    whole = after(EVERYTHING)
    for at in range(len(EVERYTHING)):
        terminal = Terminal(SIZE)
        terminal.feed(EVERYTHING[:at])
        for _ in range(2):
            snapshot = terminal.snapshot()
            assert snapshot is not None
            terminal = Terminal.restored(snapshot)
        terminal.feed(EVERYTHING[at:])
        assert terminal.grid() == whole, at


@pytest.mark.parametrize("name", [name for name in FILES if "crawl" in name or "torture" in name])
def test_a_program_is_restored_anywhere(name: str) -> None:
    known, chance = truth(name), seeded(3)
    output = b"".join(part for part in known.parts if isinstance(part, bytes))
    for at in (chance.randrange(len(output)) for _ in range(dose("vt.restored"))):
        one = Terminal(known.size)
        one.feed(output[:at])
        snapshot = one.snapshot()
        assert snapshot is not None
        other = Terminal.restored(snapshot)
        assert other.grid() == one.grid()
        for terminal in (one, other):
            terminal.feed(output[at : at + 800])
        assert other.grid() == one.grid()


def test_there_is_no_snapshot_inside_a_sequence_that_is_too_long() -> None:
    terminal = Terminal(SIZE)
    terminal.feed(b"\x1b]0;" + bytes(range(0x20, 0x7F)) * 20_000)
    assert terminal.snapshot() is None
    terminal.feed(b"\x07there")
    assert terminal.snapshot() is not None


MOVES = ("\r\n", "\x1b[H", "\x1b[3;7H", "\x1b[K", "\x1b[J", "\x1b[2A", "\x1b[D", "\x1b[2P", "\x1b[L", "\x1b[31m")


@given(st.lists(st.text("ab cé", max_size=6) | st.sampled_from(MOVES), max_size=12))
def test_pyte_shows_the_same_of_simple_programs(pieces: list[str]) -> None:
    """Short of the last column, where the two do not agree on what comes before a line goes on below."""
    second = pyte.Screen(80, 24)
    pyte.Stream(second).feed("".join(pieces))
    assert after("".join(pieces).encode(), Size(80, 24)).text() == [row.rstrip() for row in second.display]


@pytest.mark.parametrize(
    ("asked", "given"), [((0, 0), (1, 1)), ((10**9, 10**9), (MOST_COLUMNS, MOST_ROWS)), ((-1, 7), (1, 7))]
)
def test_sizes_are_clamped(asked: tuple[int, int], given: tuple[int, int]) -> None:
    terminal = Terminal(Size(*asked))
    assert terminal.size == given
    terminal.resize(Size(7, 3))
    assert terminal.size == (7, 3)
    terminal.resize(Size(*asked))
    assert terminal.size == given


def test_hostile_output_harms_nobody() -> None:
    """Random bytes, and sequences with any numbers: what it makes of them can be shown."""
    chance = seeded(7)
    for number in range(dose("vt.hostile")):
        size = Size(chance.randrange(1, 90), chance.randrange(1, 30))
        terminal = Terminal(size)
        terminal.feed(chance.randbytes(4000))
        for _ in range(dose("vt.sequences")):
            numbers = ";".join(str(chance.choice((0, 1, 7, 999, 65535, 10**12))) for _ in range(chance.randrange(4)))
            private, final = chance.choice(("", "?", ">", "!")), chr(chance.randrange(0x40, 0x7F))
            terminal.feed(f"\x1b[{private}{numbers}{'' if final == 'b' else final}\u202e\u200bword".encode())
        grid = terminal.grid()
        assert all(len(row) == grid.columns for row in grid.rows), number
        shown = grid.screen()
        assert isinstance(shown, Screen)
        # a space may be one of another kind, which is no printable character for Python
        assert all(char.isprintable() or category(char) == "Zs" for row in shown.text() for char in row)


def test_it_writes_no_files_and_reads_none(tmp_path: Path) -> None:
    """Images may name files."""
    file = tmp_path / "tty-graphics-protocol-image"
    file.write_bytes(bytes(12))
    name = b64encode(str(file).encode()).decode()
    terminal = Terminal(SIZE)
    for medium in "ft":
        terminal.feed(f"\x1b_Ga=T,f=24,s=2,v=2,t={medium};{name}\x1b\\".encode())
    assert file.exists()  # who reads a temporary image deletes it
    assert terminal.grid() == after(b"")


@pytest.mark.usefixtures("no_emulator")
def test_without_an_emulator_one_line_says_so() -> None:
    with pytest.raises(Unsupported, match="the terminal emulator is not installed: expected pyghostty"):
        Terminal(SIZE).grid()


@pytest.mark.parametrize(
    ("output", "in_order"), [(b"", True), (b"\x1b[?7l", False), (b"\x1b[?7l\x1b[?7h", True), (b"\x1b[?69h", False)]
)
def test_what_is_printed_stands_in_order_unless_rows_end_or_have_sides(output: bytes, in_order: bool) -> None:
    terminal, reading = Terminal(SIZE), Reading()
    terminal.feed(output)
    terminal.read(reading)
    assert reading.prints_in_order is in_order
