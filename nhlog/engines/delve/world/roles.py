"""The roles that can be played, their starting kits, and their rank titles.

Imports nothing of the game.
"""

from typing import Final

from nhlog.values import NamedTuple

__all__ = ["GENDERS", "RACES", "ROLES", "Role"]


class Role(NamedTuple):
    """A role: `stats` are strength to charisma, `kit` reads "2 blessed potion of healing".

    The first weapon is wielded.
    """

    races: tuple[str, ...]
    genders: tuple[str, ...]
    alignments: tuple[str, ...]
    stats: tuple[int, int, int, int, int, int]
    hp: int
    pw: int
    hit_die: int
    pw_die: int
    kit: tuple[str, ...]
    spells: tuple[str, ...]
    powers: tuple[str, ...]
    titles: tuple[str, ...]


BOTH: Final = ("male", "female")

ROLES: Final = {
    "Valkyrie": Role(
        ("human", "dwarven"),
        ("female",),
        ("lawful", "neutral"),
        (18, 13, 18, 8, 9, 10),
        16,
        1,
        8,
        1,
        ("1 +1 long sword", "1 dagger", "1 small shield", "1 leather jerkin", "1 ration", "1 torch"),
        (),
        ("stealth",),
        ("Shieldmaid", "Spear Sister", "Stormer", "Chooser", "Thane"),
    ),
    "Wizard": Role(
        ("human", "elven", "gnomish"),
        BOTH,
        ("neutral", "chaotic"),
        (10, 13, 12, 18, 13, 10),
        14,
        9,
        5,
        4,
        (
            "1 quarterstaff",
            "1 wool cloak",
            "1 wand of striking",
            "1 book of force bolt",
            "1 potion of healing",
            "1 scroll of teleportation",
            "2 apple",
            "1 brass lantern",
        ),
        ("book of force bolt",),
        (),
        ("Candle Bearer", "Conjurer", "Enchanter", "Thaumaturge", "Archmage"),
    ),
    "Rogue": Role(
        ("human", "orcish"),
        BOTH,
        ("chaotic",),
        (13, 18, 12, 11, 9, 10),
        15,
        1,
        7,
        1,
        (
            "1 +1 short sword",
            "9 dagger",
            "1 leather jerkin",
            "1 leather gloves",
            "1 skeleton key",
            "1 smoked fish",
            "1 potion of venom",
            "1 torch",
        ),
        (),
        ("stealth", "searching"),
        ("Footpad", "Cutpurse", "Burglar", "Filcher", "Master Thief"),
    ),
    "Ranger": Role(
        ("human", "elven", "gnomish", "orcish"),
        BOTH,
        ("neutral", "chaotic"),
        (13, 17, 14, 12, 12, 9),
        16,
        2,
        7,
        2,
        ("1 bow", "1 dagger", "40 arrow", "1 wool cloak", "1 leather boots", "3 apple", "1 smoked fish", "1 torch"),
        (),
        ("searching",),
        ("Tenderfoot", "Lookout", "Trailblazer", "Pathfinder", "Huntmaster"),
    ),
    "Priest": Role(
        ("human", "elven"),
        BOTH,
        ("lawful", "neutral", "chaotic"),
        (15, 11, 14, 11, 18, 12),
        17,
        7,
        6,
        3,
        (
            "1 blessed mace",
            "1 leather jerkin",
            "1 small shield",
            "3 potion of healing",
            "1 book of healing",
            "1 scroll of remove curse",
            "1 ration",
            "1 torch",
        ),
        ("book of healing",),
        ("holy",),
        ("Novice", "Acolyte", "Adept", "Lampkeeper", "High Priest"),
    ),
}

RACES: Final = ("human", "elven", "dwarven", "gnomish", "orcish")
GENDERS: Final = ("male", "female", "neuter")
