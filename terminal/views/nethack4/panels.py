"""The panels of a NetHack 4 game besides the map: inventory, discoveries, levels, attributes.

Each is a screen just large enough for its content.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from nhlog.nethack4.hero.body import attributes_of, experience_for, load_of, strength_word
from nhlog.nethack4.names.captions import Heading
from nhlog.nethack4.names.discoveries import discoveries_of
from nhlog.nethack4.names.gods import ALIGNMENTS, CHAOTIC, LAWFUL, NEUTRAL, god_name
from nhlog.nethack4.perception.overview import overview_of
from nhlog.nethack4.perception.view import Perception
from nhlog.nethack4.tables import races, roles, species
from nhlog.screen import PLAIN, Style
from terminal.screen import theme
from terminal.views.lines import Line

__all__ = ["PANELS"]

CURSED: Final = 1
BLESSED: Final = 6
HELD: Final = ~(1 << 13)  # what a worn mask says apart from the alternate weapon
GENDERS: Final = ("male", "female")
NEUTER: Final = 0x40000  # f2 of a form that has none
HIGHEST: Final = 30  # level of experience
BURDENS: Final = ("burdened", "stressed", "strained", "overtaxed", "overloaded")


def inventory(perception: Perception) -> list[Line]:
    """The items carried, with their weights; cursed red, blessed cyan, in use bold."""
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
    """The kinds of objects that are known."""
    lines: list[Line] = []
    for heading, known in discoveries_of(perception.save):
        lines += [(heading, theme.HEAD), *((text, PLAIN) for text in known)]
    return lines or [("Nothing discovered yet.", PLAIN)]


def overview(perception: Perception) -> list[Line]:
    """The visited levels, with the numbers by which they can be shown (see `View.sides`)."""
    lines: list[Line] = []
    dungeon = ""
    for number, note in enumerate(overview_of(perception.save), 1):
        if note.dungeon != dungeon:
            dungeon = note.dungeon
            lines.append((dungeon, theme.HEAD))
        is_here = note.level is perception.save.level
        lines.append((f"{number:>4}  {note.title}", theme.KEY if is_here else PLAIN))
        lines += [(f"        {text}", PLAIN) for text in note.features]
    return [*lines, ("v shows the next level, 3v number 3, 0v where the hero is", theme.NOTE)]


def attributes(perception: Perception) -> list[Line]:
    """The hero's attributes, in the order of the game's statistics, and the properties from nature and belongings."""
    save, you = perception.save, perception.save.you
    role, race, form = roles()[you.initrole], races()[you.initrace], species()[you.umonnum]
    female = you.mfemale if you.polymorphed else you.female
    stats = (
        ("name", you.name),
        ("race", f"{form.name if you.polymorphed else race.noun:<12} (originally {race.noun})"),
        ("role", role.name_female if role.name_female and female else role.name),
        ("gender", f"{_gender(form.f2, you.female):<12} (originally {GENDERS[you.initgend]})"),
        ("alignment", f"{_alignment(you.alignment):<12} (originally {_alignment(you.original_alignment)})"),
        ("abilities", _abilities(attributes_of(save))),
        ("level", _level(you.ulevel, you.uexp)),
        ("burden", _burden(perception)),
    )
    lines: list[Line] = [("Stats", theme.HEAD), *((f"{name:<10}: {value}", PLAIN) for name, value in stats)]
    lines.append(("Deities", theme.HEAD))
    for alignment in (CHAOTIC, NEUTRAL, LAWFUL):
        whose = ("s" if you.original_alignment == alignment else "", "c" if you.alignment == alignment else "")
        marks = ",".join(filter(None, whose))
        god = f"{god_name(save, alignment):<17}{f' ({marks})' if marks else ''}"
        lines.append((f"{_alignment(alignment).capitalize():<10}: {god}".rstrip(), PLAIN))
    lines.append(("Properties", theme.HEAD))
    for name in sorted(perception.properties.held):
        source = " (from an item)" if name in perception.properties.from_items else ""
        lines.append((f"  {name.lower().replace('_', ' ')}{source}", PLAIN))
    return lines


def _gender(f2: int, female: bool) -> str:
    return "neuter" if f2 & NEUTER else GENDERS[female]


def _alignment(alignment: int) -> str:
    return ALIGNMENTS.get(alignment, "unaligned")


def _abilities(values: Sequence[int]) -> str:
    strength, intelligence, wisdom, dexterity, constitution, charisma = values
    others = f"Dx:{dexterity} Co:{constitution} In:{intelligence} Wi:{wisdom} Ch:{charisma}"
    return f"St:{strength_word(strength)}  {others}"


def _level(level: int, experience: int) -> str:
    """The experience level, and the points that the next one needs."""
    needed = f", {experience_for(level)} needed" if level < HIGHEST else ""
    return f"{level} (exp: {experience}{needed})"


def _burden(perception: Perception) -> str:
    """The weight carried, and the next limit as the game names it: it looks a quarter of the way ahead."""
    load = load_of(perception.save, perception.properties)
    worse = max(load.burden(load.capacity // 4), 1)
    return f"{load.weight} ({BURDENS[worse - 1]} at {load.capacity * (worse + 1) // 2 + 1})"


PANELS: Final[Mapping[str, Callable[[Perception], list[Line]]]] = {
    "inventory": inventory,
    "discoveries": discoveries,
    "overview": overview,
    "attributes": attributes,
}
