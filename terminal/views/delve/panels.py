"""The parts around the map of delve: status rows and panels.

Everything can be understood without colour.
"""

from collections.abc import Callable, Mapping
from typing import Final

from nhlog.engines.delve.disclosure import disclosed, last_words
from nhlog.engines.delve.game import DelveGame
from nhlog.engines.delve.perception import attributes, discoveries, inventory, overview, status
from nhlog.screen import PLAIN, Screen, Style, clip
from terminal.screen import theme
from terminal.views.lines import Line

__all__ = ["PANELS", "draw_status"]

CURSED: Final = Style(fg=1)
BLESSED: Final = Style(fg=6)
_LOW: Final = 3  # a third of the hit points


def draw_status(game: DelveGame, width: int) -> Screen:
    """The two status rows."""
    known = status(game)
    screen = Screen(width, 2)
    stats = " ".join(f"{name}:{value}" for name, value in known.stats)
    screen.put(0, 0, clip(f"{known.who:<24} {stats} {known.alignment}", width))
    x = screen.put(0, 1, f"{known.place} $:{known.gold} ")
    x = screen.put(x, 1, f"HP:{known.hp}({known.hp_most})", _health(known.hp, known.hp_most))
    x = screen.put(
        x,
        1,
        f" Pw:{known.pw}({known.pw_most}) AC:{known.armour} Xp:{known.level}/{known.points} T:{known.turn}",
    )
    for word in known.conditions:
        x = screen.put(x + 1, 1, word, theme.RARE if word in ("Satiated", "Fast", "Float", "Ember") else theme.ALARM)
    return screen


def _health(hp: int, most: int) -> Style:
    if hp * _LOW <= most:
        return theme.ALARM
    return theme.RARE if hp * 3 <= most * 2 else theme.GOOD


def _pack(game: DelveGame) -> list[Line]:
    lines: list[Line] = []
    for row in inventory(disclosed(game)):
        if not row.letter:
            lines.append((row.caption, theme.HEAD))
            continue
        style = CURSED if row.cursed else BLESSED if row.blessed else PLAIN
        lines.append((f"{row.letter} - {row.caption}", Style(fg=style.fg, bold=row.in_use)))
    return lines or [("You carry nothing.", PLAIN)]


def _discoveries(game: DelveGame) -> list[Line]:
    lines: list[Line] = []
    for heading, words in discoveries(game):
        lines += [(heading, theme.HEAD), *((text, PLAIN) for text in words)]
    return lines or [("You know nothing yet but what you were born with.", PLAIN)]


def _overview(game: DelveGame) -> list[Line]:
    lines: list[Line] = [("The Delve", theme.HEAD)]
    for text, here in overview(game):
        lines.append((f"{'▶' if here else ' '} {text}", theme.KEY if here else PLAIN))
    return lines


def _attributes(game: DelveGame) -> list[Line]:
    first, *rest = attributes(game)
    return [(first, theme.HEAD), *((text, PLAIN) for text in (*rest, *last_words(game)))]


PANELS: Final[Mapping[str, Callable[[DelveGame], list[Line]]]] = {
    "inventory": _pack,
    "discoveries": _discoveries,
    "overview": _overview,
    "attributes": _attributes,
}
