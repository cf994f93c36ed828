"""Dots in the cells of a screen."""

from nhlog.screen import PLAIN, Screen, Style
from terminal.screen.dots import Dots


def test_each_of_the_eight_dots_of_a_cell_is_one_of_its_character() -> None:
    drawn = []
    for x, y in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]:
        screen, dots = Screen(1, 1), Dots()
        dots.put(x, y)
        dots.draw(screen)
        drawn.append(screen.text()[0])
    assert drawn == list("⠁⠂⠄⡀⠈⠐⠠⢀")


def test_dots_of_one_cell_are_drawn_together_in_the_style_of_the_last() -> None:
    screen, dots, red = Screen(3, 2), Dots(), Style(fg=1)
    dots.put(2, 4)
    dots.put(3, 7, red)
    dots.put(-1, 0)  # outside
    dots.draw(screen)
    assert screen.text() == ["", " ⢁"]
    assert [screen.style_at(x, 1) for x in range(3)] == [PLAIN, red, PLAIN]
