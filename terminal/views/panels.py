"""What can be looked at besides the map of a NetHack 4 game: inventory, discoveries, levels, attributes.

Each is a screen as large as what it says.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from nhlog.nethack4.body import ATTRIBUTES, attributes_of, strength_word
from nhlog.nethack4.captions import Heading
from nhlog.nethack4.discoveries import discoveries_of
from nhlog.nethack4.overview import overview_of
from nhlog.nethack4.perception import Perception
from nhlog.nethack4.tables import races, roles, species
from nhlog.screen import PLAIN, Screen, Style, width_of
from terminal.views import theme

__all__ = ["PANELS", "drawn"]

Line = tuple[str, Style]

CURSED: Final = 1
BLESSED: Final = 6
HELD: Final = ~(1 << 13)  # what a worn mask says apart from the alternate weapon
ALIGNMENTS: Final = {-1: "chaotic", 0: "neutral", 1: "lawful"}


def drawn(lines: Sequence[Line]) -> Screen:
    """The lines, one below the other."""
    screen = Screen(max((width_of(text) for text, _ in lines), default=0), len(lines))
    for y, (text, style) in enumerate(lines):
        screen.put(0, y, text, style)
    return screen


def inventory(perception: Perception) -> list[Line]:
    """What is carried, with its weight; cursed red, blessed cyan, in use bold."""
    lines: list[Line] = []
    for row in perception.captions.inventory():
        if isinstance(row, Heading):
            lines.append((f"{row.name} '{row.symbol}'", theme.HEAD))
            continue
        obj = row.obj
        in_use = bool(obj.lamplit or obj.owornmask & (-1 if perception.save.you.twoweap else HELD))
        color = (CURSED if obj.cursed else BLESSED if obj.blessed else None) if obj.bknown else None
        lines.append((f"{row.letter} - {row.caption} {{{obj.weight}}}", Style(fg=color, bold=in_use)))
    return lines or [("Not carrying anything.", PLAIN)]


def discoveries(perception: Perception) -> list[Line]:
    """Which kinds of objects are known."""
    lines: list[Line] = []
    for heading, known in discoveries_of(perception.save):
        lines += [(heading, theme.HEAD), *((text, PLAIN) for text in known)]
    return lines or [("Nothing discovered yet.", PLAIN)]


def overview(perception: Perception) -> list[Line]:
    """The levels that were visited."""
    lines: list[Line] = []
    dungeon = ""
    for note in overview_of(perception.save):
        if note.dungeon != dungeon:
            dungeon = note.dungeon
            lines.append((dungeon, theme.HEAD))
        named = f' "{note.name}"' if note.name else ""
        text = f"{'▶' if note.is_here else ' '} {note.place}{named}  {note.features}".rstrip()
        lines.append((text, theme.KEY if note.is_here else PLAIN))
    return lines


def attributes(perception: Perception) -> list[Line]:
    """Who the hero is, and what their nature and belongings give."""
    save, status = perception.save, perception.status
    you = save.you
    role, race = roles()[you.initrole], races()[you.initrace]
    values = attributes_of(save)
    told = [strength_word(values[0]), *map(str, values[1:])]
    lines = [
        (f"{you.name} the {status.title}", theme.HEAD),
        (
            f"{ALIGNMENTS.get(you.alignment, '')} {'female' if you.female else 'male'} {race.adjective} {role.name}",
            PLAIN,
        ),
        *([(f"in the form of: {species()[you.umonnum].name}", PLAIN)] if you.polymorphed else []),
        ("  ".join(f"{name}:{value}" for name, value in zip(ATTRIBUTES, told, strict=True)), PLAIN),
        (f"experience level {you.ulevel} ({you.uexp} points), {status.place}, turn {save.moves}", PLAIN),
        ("Properties", theme.HEAD),
    ]
    for name in sorted(perception.properties.held):
        source = " (from an item)" if name in perception.properties.from_items else ""
        lines.append((f"  {name.lower().replace('_', ' ')}{source}", PLAIN))
    return lines


PANELS: Final[Mapping[str, Callable[[Perception], list[Line]]]] = {
    "inventory": inventory,
    "discoveries": discoveries,
    "overview": overview,
    "attributes": attributes,
}
