"""Pictures besides those of the captures: the client's ASCII tiles, and terminals with few colours or none."""

import pytest

from nhlog.nethack4.perception.cells import Brand, Flag, Square, draw, substitutions
from nhlog.nethack4.tables import table
from nhlog.screen import Screen, Style

HERE = substitutions(["default", "male", "human"])

# Backgrounds by number: in Unicode, and in the client's ASCII tileset (T.tileset_ascii).
BACKGROUNDS = {
    2: ("│", "|"),
    3: ("─", "-"),
    4: ("┌", "-"),
    8: ("┼", "-"),
    9: ("┴", "-"),
    11: ("┤", "|"),
    13: ("░", "#"),
    14: ("·", "."),
    15: ("≈", "}"),
    21: ("·", "."),
    22: ("■", "-"),
    23: ("■", "|"),
    24: ("+", "+"),
    26: ("≡", "#"),
    27: ("±", "#"),
    34: ("Ω", "_"),
    38: ("⌠", "{"),
    39: ("·", "#"),
    40: ("·", "#"),
}


def screen(*squares: Square) -> Screen:
    drawn = Screen(len(squares), 1)
    drawn.place(0, 0, [draw(square, HERE) for square in squares])
    return drawn


@pytest.mark.parametrize("bg", BACKGROUNDS)
def test_without_unicode_a_square_has_the_clients_own_ascii_symbol(bg: int) -> None:
    drawn = screen(Square(bg=bg))
    assert (drawn.text()[0], drawn.ascii().text()[0]) == BACKGROUNDS[bg]
    assert drawn.ascii().style_at(0, 0) == drawn.style_at(0, 0)


def test_every_tile_has_an_ascii_symbol() -> None:
    sizes = {kind: size for kind, (_, size) in table("tileseq").items()}
    squares = [
        *(Square(bg=bg) for bg in range(sizes["bg"])),
        *(Square(bg=14, trap=trap + 1) for trap in range(sizes["trap"])),
        *(Square(bg=14, obj=kind + 1) for kind in range(sizes["obj"])),
        *(Square(bg=14, mon=mon + 1) for mon in range(sizes["mon"])),
        *(Square(bg=14, mon=382 + digit) for digit in range(6)),
        *(Square(effect=(1 << 16 | number) + 1) for number in range(8)),
    ]
    drawn = screen(*squares)
    assert drawn.ascii().text()[0].isascii()
    assert "?" not in {
        plain for plain, char in zip(drawn.ascii().text()[0], drawn.text()[0], strict=True) if char != "?"
    }


def test_a_brand_is_a_background_and_the_pet_on_a_trap_has_the_traps() -> None:
    squares = (
        Square(bg=14, mon=1, monflags=Flag.TAME),
        Square(bg=14, mon=1, monflags=Flag.PEACEFUL | Flag.TAME),
        Square(bg=14, mon=1, monflags=Flag.DETECTED | Flag.TAME),
        Square(bg=14, trap=5, mon=1, monflags=Flag.TAME),
        Square(bg=14, trap=15),
        Square(bg=24, branding=Brand.TRAPPED),
    )
    drawn = screen(*squares)
    assert [drawn.style_at(x, 0).bg for x in range(len(squares))] == [
        4,
        3,
        5,
        6,
        1,
        6,
    ]  # the vibrating square has a red one of its own


@pytest.mark.parametrize("colors", [256, 16])
def test_sixteen_colours_show_all_that_the_client_shows(colors: int) -> None:
    for fg in range(16):
        for bg in range(8):
            assert Style(fg=fg, bg=bg).reduced(colors) == Style(fg=fg, bg=bg)


def test_eight_colours_or_none_hide_nothing() -> None:
    for fg in range(16):
        for bg in range(8):
            if fg != bg:
                few, none = Style(fg=fg, bg=bg).reduced(8), Style(fg=fg, bg=bg).reduced(0)
                assert few.fg != few.bg
                assert none.reverse == bool(bg)
