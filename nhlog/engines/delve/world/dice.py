"""The random numbers of the game: PCG32 (O'Neill 2014, XSH RR 64/32), whose state is one word of the save.

Equal states give equal numbers.  Imports nothing of the game.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

__all__ = ["WORD", "Dice"]

WORD: Final = (1 << 64) - 1
_MULTIPLIER: Final = 6364136223846793005
_INCREMENT: Final = 1442695040888963407
T = TypeVar("T")


class Dice:
    """The generator; `state` is a number below 2**64."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    @classmethod
    def seeded(cls, seed: int) -> "Dice":
        """Dice for a seed of any size; seeds that differ in their lowest 64 bits give different numbers."""
        folded = 0
        while seed:
            folded = ((folded ^ seed & WORD) * _MULTIPLIER + _INCREMENT) & WORD
            seed >>= 64
        dice = cls((folded + _INCREMENT) & WORD)
        dice.word()
        dice.word()
        return dice

    def word(self) -> int:
        """A number below 2**32."""
        old = self.state
        self.state = (old * _MULTIPLIER + _INCREMENT) & WORD
        mixed = ((old >> 18 ^ old) >> 27) & 0xFFFFFFFF
        turn = old >> 59
        return (mixed >> turn | mixed << (-turn & 31)) & 0xFFFFFFFF

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1; 0 for a limit below 2."""
        return self.word() * limit >> 32 if limit > 1 else 0

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def roll(self, count: int, sides: int) -> int:
        """The sum of `count` dice with `sides` sides."""
        return sum(1 + self.below(sides) for _ in range(count))

    def one_in(self, number: int) -> bool:
        """True with a probability of 1 in `number`."""
        return self.below(number) == 0

    def percent(self, chance: int) -> bool:
        """True with a probability of `chance` percent."""
        return self.below(100) < chance

    def pick(self, things: Sequence[T]) -> T:
        """A random element."""
        return things[self.below(len(things))]

    def weighed(self, things: Sequence[T], weights: Sequence[int]) -> T:
        """A random element, by weights that are not all 0."""
        left = self.below(sum(weights))
        for thing, weight in zip(things, weights, strict=True):
            if left < weight:
                return thing
            left -= weight
        return things[-1]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """The elements in random order."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
