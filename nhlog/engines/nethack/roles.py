"""Who can be played: the roles of NetHack, with their races, genders and alignments."""

from collections.abc import Mapping
from typing import Final

__all__ = ["ROLES", "allows", "hero_of"]

_BOTH: Final = ("male", "female")
_RACES: Final = {
    "human": ("lawful", "neutral", "chaotic"),
    "elf": ("chaotic",),
    "dwarf": ("lawful",),
    "gnome": ("neutral",),
    "orc": ("chaotic",),
}

ROLES: Final = {
    "Archeologist": (("human", "dwarf", "gnome"), _BOTH, ("lawful", "neutral")),
    "Barbarian": (("human", "orc"), _BOTH, ("neutral", "chaotic")),
    "Caveman": (("human", "dwarf", "gnome"), _BOTH, ("lawful", "neutral")),
    "Healer": (("human", "gnome"), _BOTH, ("neutral",)),
    "Knight": (("human",), _BOTH, ("lawful",)),
    "Monk": (("human",), _BOTH, ("lawful", "neutral", "chaotic")),
    "Priest": (("human", "elf"), _BOTH, ("lawful", "neutral", "chaotic")),
    "Ranger": (("human", "elf", "gnome", "orc"), _BOTH, ("neutral", "chaotic")),
    "Rogue": (("human", "orc"), _BOTH, ("chaotic",)),
    "Samurai": (("human",), _BOTH, ("lawful",)),
    "Tourist": (("human",), _BOTH, ("neutral",)),
    "Valkyrie": (("human", "dwarf"), ("female",), ("lawful", "neutral")),
    "Wizard": (("human", "elf", "gnome", "orc"), _BOTH, ("neutral", "chaotic")),
}
"""For each role its races, genders and alignments; of these a race has its own alignments only (`allows`)."""


def allows(role: str, race: str, gender: str, alignment: str) -> bool:
    """Whether there is such a hero."""
    races, genders, alignments = ROLES.get(role, ((), (), ()))
    return race in races and gender in genders and alignment in alignments and alignment in _RACES[race]


def hero_of(told: Mapping[str, str]) -> dict[str, str]:
    """The hero that a player's options tell of, in whole words; without what they leave to chance, or misspell."""
    words = {"role": [*ROLES], "race": [*_RACES], "gender": [*_BOTH], "alignment": ["lawful", "neutral", "chaotic"]}
    found = {"name": told.get("name", "").partition("-")[0].strip()}
    for field, known in words.items():
        start = told.get(field, "").lower()
        found[field] = next((word for word in known if start and word.lower().startswith(start)), "")
    return {field: word for field, word in found.items() if word}
