"""What a hallucinating hero takes monsters for: the game draws any species, anew each time, and no save keeps which.

Here it depends on the turn and the square alone: a save always shows the same, and nothing of the true monster.
"""

from typing import Final
from zlib import crc32

from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.save import Save

__all__ = ["imagined_danger", "imagined_species"]

_MOST_DANGEROUS: Final = 5  # the digits of imagined warnings begin at 1


def imagined_species(save: Save, x: int, y: int) -> int:
    """The number of the species that is imagined on a square: any of the game's."""
    numbers = numbers_of(save.context.edition).species
    return numbers[_any(save, x, y) % len(numbers)]


def imagined_danger(save: Save, x: int, y: int) -> int:
    """The digit of a warning that is imagined on a square."""
    return 1 + _any(save, x, y) % _MOST_DANGEROUS


def _any(save: Save, x: int, y: int) -> int:
    """A number that looks random, and is the same on every machine."""
    return crc32(f"{save.moves} {x} {y}".encode())
