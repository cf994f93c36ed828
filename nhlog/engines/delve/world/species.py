"""All species of monsters: the numbers that the rules use, and the words for their minds and blows.

A species' number is its index in `SPECIES`, which saves refer to; 0 is none.  Imports nothing of the game.
"""

from typing import Final

from nhlog.values import NamedTuple

__all__ = ["LURKING", "SPECIES", "Attack", "Species", "species_named"]

LURKING: Final = 4  # squares from which one who lurks comes out


class Attack(NamedTuple):
    """A blow: its effect besides damage (see `nhlog.engines.delve.combat.blows`), and its damage dice."""

    how: str
    dice: int
    sides: int


class Species(NamedTuple):
    """A species.

    `speed` is 12 for the hero's own; a lower `armour` is harder to hit.  `mind` is its behaviour (see
    `monsters.minds`).  It is generated from level `depth` on, with frequency `rarity`, in groups of `group`. `traits`
    are words that the rules check for.
    """

    name: str
    symbol: str
    color: int
    level: int
    speed: int
    armour: int
    attacks: tuple[Attack, ...]
    mind: str
    depth: int
    rarity: int
    traits: frozenset[str] = frozenset()
    group: int = 1


def _one(
    name: str,
    symbol: str,
    color: int,
    numbers: tuple[int, int, int],
    attacks: str,
    mind: str,
    found: tuple[int, int],
    traits: str = "",
    group: int = 1,
) -> Species:
    """A species; `numbers` are level, speed, armour; `attacks` reads "hit 1d6, bite 2d4"; `found` depth and rarity."""
    level, speed, armour = numbers
    depth, rarity = found
    blows = []
    for words in attacks.split(", ") if attacks else ():
        how, dice = words.split(" ")
        count, sides = dice.split("d")
        blows.append(Attack(how, int(count), int(sides)))
    return Species(
        name, symbol, color, level, speed, armour, tuple(blows), mind, depth, rarity, frozenset(traits.split()), group
    )


SPECIES: Final = (
    _one("nobody", " ", 0, (0, 0, 10), "", "still", (0, 0)),
    _one("cave rat", "r", 3, (0, 12, 8), "hit 1d3", "hunt", (1, 10)),
    _one("bat", "B", 3, (0, 20, 8), "hit 1d3", "flutter", (1, 8), "flies"),
    _one("tunnel imp", "i", 1, (1, 10, 8), "hit 1d4", "skirmish", (1, 8), "hands darts"),
    _one("pale lichen", "F", 15, (0, 3, 9), "stick 0d1", "hunt", (1, 7), "slow-witted"),
    _one("dust beetle", "a", 3, (1, 8, 4), "hit 1d6", "wander", (1, 8)),
    _one("gaunt hound", "d", 3, (1, 13, 7), "hit 1d3", "pack", (2, 5), "", 2),
    _one("shrieking cap", "F", 5, (1, 1, 9), "", "shriek", (2, 5), "rooted"),
    _one("coin imp", "l", 2, (2, 15, 7), "gold 1d2", "thief", (2, 5), "hands blinks"),
    _one("grey jelly", "j", 8, (3, 3, 8), "", "still", (2, 5), "rooted acid"),
    _one("goblin miner", "o", 2, (1, 9, 8), "hit 1d6", "coward", (1, 7), "hands"),
    _one("cinder mote", "y", 11, (1, 16, 8), "burst 3d6", "flutter", (3, 5), "flies frail fireproof"),
    _one("cave viper", "S", 2, (2, 15, 3), "poison 1d4", "lurk", (3, 6), "swims"),
    _one("glue mimic", "m", 9, (4, 3, 6), "stick 2d4", "mimic", (3, 5), "disguised"),
    _one("packrat", "r", 6, (2, 14, 6), "steal 1d2", "magpie", (3, 5), "collects"),
    _one("dead archer", "Z", 15, (3, 8, 6), "hit 1d4", "archer", (4, 5), "hands arrows dead"),
    _one("lurking ghoul", "Z", 8, (3, 8, 5), "paralyse 1d3, hit 1d4", "hunt", (4, 6), "hands dead"),
    _one("splitting ooze", "P", 10, (4, 5, 7), "hit 1d8", "hunt", (4, 5), "splits slow-witted"),
    _one("rust moth", "y", 3, (3, 16, 4), "rust 0d1", "flutter", (4, 5), "flies"),
    _one("hill orc", "o", 11, (3, 10, 6), "hit 1d8", "pack", (5, 6), "hands", 3),
    _one("blinking hound", "d", 12, (4, 13, 4), "hit 2d4", "blink", (4, 5), "blinks"),
    _one("whisper", "E", 6, (5, 12, 3), "hit 1d8", "hunt", (6, 4), "invisible flies"),
    _one("bone caller", "h", 5, (5, 9, 4), "hit 1d6", "caller", (5, 5), "hands"),
    _one("rattling bones", "Z", 7, (2, 10, 6), "hit 1d6", "hunt", (9, 2), "hands dead"),
    _one("drowned miner", "Z", 4, (4, 10, 5), "hit 1d5, hold 1d3", "swim", (5, 2), "swims dead"),
    _one("blind eel", ";", 4, (4, 10, 3), "drown 1d6", "swim", (4, 3), "swims waterbound"),
    _one("stone toad", "t", 8, (6, 6, 2), "hit 3d6", "sleeper", (5, 5), "sleeps"),
    _one("mender", "h", 11, (4, 10, 6), "hit 1d4", "mender", (5, 4), "hands"),
    _one("berserker", "@", 9, (5, 11, 5), "hit 2d6", "hunt", (6, 5), "hands rages"),
    _one("rock worm", "w", 3, (6, 7, 4), "hit 2d8", "burrow", (6, 4), "digs slow-witted"),
    _one("shade", "G", 8, (6, 6, 0), "chill 1d6", "phase", (6, 4), "phases flies dead"),
    _one("cave ogre", "O", 3, (7, 7, 4), "hit 2d10", "hunt", (6, 5), "hands"),
    _one("stone giant", "H", 7, (9, 5, 3), "hit 3d10", "hurler", (7, 4), "hands boulders"),
    _one("wight", "W", 13, (6, 12, 3), "drain 1d6", "hunt", (7, 4), "hands dead"),
    _one("troll of the deep", "T", 2, (8, 11, 3), "hit 2d6, hit 2d6", "hunt", (8, 4), "hands revives regenerates"),
    _one("ash drake", "D", 1, (8, 10, 1), "hit 2d8", "breather", (8, 4), "flies fireproof"),
    _one("ghost", "G", 15, (7, 5, -2), "chill 1d4", "phase", (0, 0), "phases flies dead"),
    _one("Warden of Ash", "&", 9, (14, 12, -1), "hit 2d8, burn 2d6", "warden", (0, 0), "hands fireproof regenerates"),
    _one("ember hound", "d", 9, (5, 15, 3), "burn 2d4", "pack", (9, 4), "fireproof", 2),
)

_NUMBERS: Final = {species.name: number for number, species in enumerate(SPECIES)}


def species_named(name: str) -> int:
    """The number of the species with this name."""
    return _NUMBERS[name]
