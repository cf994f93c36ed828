"""The hero's current form: its name, abilities and senses (perception spec sections 1.6, 2.2 and 4).

Depends only on the species, which are in the tables.
"""

from typing import Final

from nhlog.nethack4.save.levels.level import Level
from nhlog.nethack4.save.monsters import Monster
from nhlog.nethack4.save.you import You
from nhlog.nethack4.tables import Species, races, species

__all__ = ["form_of", "hand_word", "monster_by_id", "own_species", "sticks"]

_HUMANOID, _SLITHY = 0x20000, 0x80000  # f1
_CLAWED: Final = frozenset(
    (
        *("gremlin", "gargoyle", "winged gargoyle", "zruty", "stalker", "barrow wight", "straw golem"),
        *("paper golem", "rope golem", "gold golem", "leather golem", "wood golem", "flesh golem", "clay golem"),
        *("glass golem", "water demon", "marilith", "hezrou", "nalfeshnee", "Asmodeus"),
    )
)
_STICKY: Final = frozenset(
    (
        *("large mimic", "giant mimic", "couatl", "lichen", "violet fungus", "guardian naga", "python", "owlbear"),
        *("carnivorous ape", "rope golem", "pit fiend", "giant eel", "electric eel", "kraken", "salamander"),
    )
)


def form_of(you: You) -> Species:
    """The species of the hero's current form."""
    return species()[you.umonnum]


def own_species(you: You) -> Species:
    """The species of the hero's race."""
    return species()[races()[you.initrace].male]


def monster_by_id(level: Level, number: int) -> Monster | None:
    """The monster with that id on a level, such as the steed; None if there is none."""
    return next((monster for monster in level.monsters if monster.id == number), None) if number else None


def sticks(you: You) -> bool:
    """Whether the hero's form sticks to what it touches."""
    return form_of(you).name in _STICKY


def hand_word(you: You) -> str:
    """The word for the hero's hand; the first rule that fits the form (section 1.6)."""
    if not you.polymorphed:
        return "hand"
    form = form_of(you)
    name, letter, humanoid = form.name, form.symbol, form.f1 & _HUMANOID
    if letter in "dfY":
        return "paw"
    if humanoid and (name in _CLAWED or letter == "T"):
        return "claw"
    if name == "jellyfish":
        return "tentacle"
    if humanoid:
        return "hand"
    if name == "raven":
        return "wing"
    if letter in "Cu" or name == "rothe":
        return "forehoof"
    if form.f1 & _SLITHY and letter not in "y;":
        return "scale gap"
    if letter in "vE" and name != "stalker":
        return "swirl"
    return _HANDS_BY_LETTER.get(letter, "foreclaw")


_HANDS_BY_LETTER: Final = {
    "y": "ray",
    ";": "pectoral fin",
    "e": "tentacle",
    "j": "grasp",
    "P": "grasp",
    "b": "grasp",
    "F": "strand",
}
