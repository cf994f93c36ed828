"""The names of things, as far as the hero knows them.

A name never reveals more than the hero has seen.  Imports only tables and records.
"""

from typing import Final

from nhlog.engines.delve.world.kinds import (
    AMULET,
    BOOK,
    FOOD,
    GOLD,
    KINDS,
    POTION,
    RING,
    SCROLL,
    TOOL,
    UNTOLD,
    WAND,
    WEAPON,
    Kind,
    number_of,
)
from nhlog.engines.delve.world.species import SPECIES
from nhlog.engines.delve.world.state import (
    BLESSED,
    CURSED,
    KNOWN,
    LIGHTED,
    PACK_PLACE,
    QUIVERED,
    UNCURSED_KNOWN,
    WIELDED,
    WORN,
    Item,
    Lore,
    World,
)

__all__ = [
    "LOOKS",
    "appearance",
    "article",
    "call_monster",
    "caption",
    "gold",
    "kind_name",
    "letter_of",
    "name_of",
    "one_of",
    "plural",
]

LOOKS: Final = {
    POTION: [
        "murky",
        "ruby",
        "amber",
        "smoky",
        "silver",
        "golden",
        "milky",
        "violet",
        "azure",
        "black",
        "fizzy",
        "emerald",
    ],
    SCROLL: [
        "ORM UTH",
        "VELA KESH",
        "TARN",
        "OSS OSS IL",
        "FENN DUR",
        "AKRA",
        "HUM BALIR",
        "NIX ETA",
        "SOLM",
        "QUER VAI",
        "ILLO MEK",
        "ZAN",
    ],
    BOOK: ["leather", "vellum", "mouldy", "slate", "linen", "copper", "ragged", "ash-grey"],
    WAND: ["oak", "ash", "bone", "iron", "crystal", "copper", "yew", "glass", "thorn", "clay"],
    RING: ["jade", "opal", "garnet", "onyx", "amber", "pearl", "jet", "quartz"],
    AMULET: ["round", "square", "star-shaped"],
}
"""The possible appearances of the kinds of a class."""

CORPSE: Final = number_of("corpse")
_PLURALS: Final = {"smoked fish": "smoked fish"}


def letter_of(slot: int) -> str:
    """The letter of a slot of the pack."""
    return chr(97 + slot) if slot < 26 else chr(39 + slot)


def article(name: str) -> str:
    """The name with "a" or "an" before it."""
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def plural(name: str) -> str:
    """The plural of a name."""
    if name in _PLURALS:
        return _PLURALS[name]
    head, of, rest = name.partition(" of ")
    return f"{head}es{of}{rest}" if head.endswith(("s", "ch")) else f"{head}s{of}{rest}"


def appearance(lore: Lore, number: int) -> str:
    """The appearance of an unidentified kind in this game: "murky potion"."""
    kind = KINDS[number]
    look = LOOKS[kind.symbol][lore.looks[number]]
    if kind.symbol == SCROLL:
        return f"scroll labelled {look}"
    return f"{look} {kind.name.partition(' ')[0]}"


def kind_name(lore: Lore, number: int) -> str:
    """The name of a kind, its true name if the hero knows it."""
    kind = KINDS[number]
    if kind.symbol not in UNTOLD or lore.known[number]:
        return kind.name
    if called := lore.called.get(number):
        return f"{kind.name.partition(' ')[0]} called {called}"
    return appearance(lore, number)


def one_of(lore: Lore, number: int) -> str:
    """A thing of a kind, with its article: "a murky potion", "a pair of leather boots"."""
    name = kind_name(lore, number)
    return f"the {name}" if name[0].isupper() else article(_counted(KINDS[number], name))


def _counted(kind: Kind, name: str) -> str:
    return f"pair of {name}" if kind.slot in ("hands", "feet") else name


def name_of(lore: Lore, item: Item, count: int = 0) -> str:
    """`count` of the item (0: the whole stack), with article or number: "a cursed -1 dagger", "2 murky potions"."""
    kind = KINDS[item.kind]
    number = count or item.count
    name = kind_name(lore, item.kind)
    if item.kind == CORPSE:
        name = f"{SPECIES[item.extra].name} corpse"
    words = []
    if item.flags & UNCURSED_KNOWN:
        if item.flags & (CURSED | BLESSED):
            words.append("cursed" if item.flags & CURSED else "blessed")
        elif not item.flags & KNOWN or kind.symbol not in (WEAPON, "["):
            words.append("uncursed")
    if kind.symbol == FOOD and item.charges:
        words.append("partly eaten")
    if item.flags & KNOWN and (kind.symbol in (WEAPON, "[") or (kind.symbol == RING and item.bonus)):
        words.append(f"{item.bonus:+d}")
    words.append(_counted(kind, name if number == 1 else plural(name)))
    text = " ".join(words)
    if kind.symbol == WAND and item.flags & KNOWN:
        text += f" ({item.charges})"
    if kind.name[0].isupper():
        return f"the {text}"
    return article(text) if number == 1 else f"{number} {text}"


def caption(lore: Lore, item: Item) -> str:
    """The item as in an inventory list: "a +1 long sword (wielded)"."""
    kind = KINDS[item.kind]
    notes = []
    if item.flags & WIELDED:
        notes.append("wielded")
    if item.flags & WORN:
        notes.append("on hand" if kind.symbol == RING else "being worn")
    if item.flags & QUIVERED and item.place == PACK_PLACE:
        notes.append("ready")
    if item.flags & LIGHTED and kind.symbol == TOOL:
        notes.append("lit")
    return name_of(lore, item) + "".join(f" ({note})" for note in notes)


def call_monster(world: World, species: int, *, seen: bool, an: bool = False) -> str:
    """The name of a monster in a message: "the cave rat", or "it" if it is not seen."""
    if not seen:
        return "it"
    name = SPECIES[species].name
    if species == _GHOST and world.level.grave:
        return f"{world.level.grave}'s ghost"
    if an and not name[0].isupper():
        return article(name)
    return f"the {name}"


_GHOST: Final = next(number for number, kind in enumerate(SPECIES) if kind.name == "ghost")


def gold(amount: int) -> str:
    """An amount of gold as text."""
    return f"{amount} {KINDS[GOLD].name if amount == 1 else plural(KINDS[GOLD].name)}"
