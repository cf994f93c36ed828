"""The names of objects, without article and condition (perception spec sections 1.3 and 1.4).

A name never reveals more than the hero knows: everything is looked up through :class:`Naming`.
"""

from typing import Final

from nhlog.nethack4.names.english import articled, plural
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.tables import KIND, Class, fork, kinds, kinds_named, roles, species, table

__all__ = ["Naming", "with_properties"]

_NOUNS: Final = {
    Class.RING: "ring",
    Class.POTION: "potion",
    Class.SCROLL: "scroll",
    Class.SPELLBOOK: "spellbook",
    Class.WAND: "wand",
}
_ARMOR_NOUNS: Final = {1: "shield", 2: "hat", 3: "gloves", 4: "boots", 5: "cloak"}  # by subtype
_GLOVES, _BOOTS, _HELMET = 3, 4, 2
_METALS: Final = range(11, 18)
_MINERAL: Final = 21
_GEMSTONE: Final = 20
_POISONABLE: Final = range(-26, -21)
_POISONED: Final = "poisoned "
_DRAGON_SCALES: Final = frozenset(
    number for number, kind in enumerate(kinds()) if f"{kind.name}".endswith("dragon scales")
)
_SHIELDS: Final = range(130, 133)  # elven to orcish: unknown to who does not see them
_BARE_GEMS: Final = ("dilithium crystal", "ruby", "diamond", "sapphire", "black opal", "emerald", "opal")
_SPINACH_SPECIES: Final = -1

_NO_TITLE: Final = 0x80000  # f2: a proper name
_UNIQUE: Final = 0x1000  # geno
_VEGETARIAN_LETTERS: Final = frozenset("bjFvyE'P")
_MEATY: Final = frozenset(("stalker", "flesh golem", "leather golem", "black pudding"))
_VEGETARIAN_GHOSTS: Final = frozenset(("ghost", "shade"))


class Naming:
    """Names of things for the hero of a save; a `blind` hero does not know the looks of unseen objects."""

    def __init__(self, save: Save, *, blind: bool = False) -> None:
        self.save = save
        self.blind = blind
        role = roles()[save.you.initrole]
        self.role: str = role.file
        self._japanese: dict[str, str] = table("japanese") if self.role == "Sam" else {}

    def actual(self, kind: int) -> str:
        """The true name of a kind."""
        name: str = kinds()[self.save.classes[kind].name_idx].name
        return self._japanese.get(name, name)

    def look(self, kind: int) -> str:
        """The unidentified appearance of a kind; empty if it has none of its own."""
        return kinds()[self.save.classes[kind].descr_idx].look or ""

    def is_known(self, obj: Obj) -> bool:
        """Whether an object's enchantment or charges are known (`known` of section 1.2)."""
        record = self.save.classes[obj.otyp]
        return bool(obj.known) and not (not record.name_known and record.uses_known and record.unique)

    def is_seen(self, obj: Obj) -> bool:
        """Whether an object's appearance is known (`dk`)."""
        return bool(obj.dknown) or not self.blind

    def is_blessing_known(self, obj: Obj) -> bool:
        """Whether an object's curse state is known (`bk`)."""
        return bool(obj.bknown) or self.role == "Pri"

    def has_proper_name(self, obj: Obj) -> bool:
        """Whether an object is an artifact that is called by its name."""
        unique = self.save.classes[obj.otyp].unique
        return bool(self.is_seen(obj) and self.is_known(obj) and obj.name and obj.artifact and not unique)

    def tells_poison_first(self, obj: Obj) -> bool:
        """Whether an object is a missile that its caption calls poisoned; behind a property its name tells that."""
        return self._is_poisoned(obj) and not self.has_proper_name(obj) and self._single(obj).startswith(_POISONED)

    def _is_poisoned(self, obj: Obj) -> bool:
        return obj.cls == Class.WEAPON and bool(obj.trapped) and kinds()[obj.otyp].sub in _POISONABLE

    def name(self, obj: Obj) -> str:
        """The name of an object, in the plural for several, without article or condition."""
        if self.has_proper_name(obj):
            base = obj.name
        else:
            base = self._single(obj).removeprefix(_POISONED)
            if obj.quantity != 1:
                base = plural(base)
            if obj.name and self.is_seen(obj):
                base += f" named {obj.name}"
        return base[4:] if base[:4].lower() == "the " else base

    def of_kind(self, kind: int) -> str:
        """A kind with all that is known of it: ``potion of booze (white)``, ``ring called shiny (wire)``."""
        record, look, cls = self.save.classes[kind], self.look(kind), kinds()[kind].cls
        known, called = record.name_known, f" called {record.uname}" if record.uname else ""
        seen = f" ({look})" if look else ""
        if cls in _NOUNS:
            name = _NOUNS[cls]
            if known:
                name = self.actual(kind) if record.unique else f"{name} of {self.actual(kind)}"
            return name + called + seen
        if cls == Class.AMULET:
            return (self.actual(kind) if known else "amulet") + called + seen
        if known:
            return self.actual(kind) + (" stone" if self._is_gemstone(kind) else "") + called + seen
        rock = f" {self._rock(kind)}" if cls == Class.GEM else ""
        return (look or self.actual(kind)) + rock + called

    def species(self, number: int) -> str:
        """The name of a species by its number."""
        return species()[number].name if 0 <= number < len(species()) else "creature"

    def of(self, obj: Obj) -> str:
        """The name of an object's species."""
        name = self.species(obj.corpsenm)
        return str(fork()["female"].get(name, name)) if obj.female else name

    def _single(self, obj: Obj) -> str:
        kind, cls = obj.otyp, obj.cls
        if cls == Class.RING:
            return self._ring(obj)
        if cls in _NOUNS:
            return self._by_noun(obj, _NOUNS[cls])
        match cls:
            case Class.AMULET:
                return self._amulet(obj)
            case Class.WEAPON | Class.TOOL | Class.VENOM:
                return self._tool(obj)
            case Class.ARMOR:
                return self._armor(obj)
            case Class.FOOD:
                return self._food(obj)
            case Class.GEM:
                return self._gem(obj)
            case Class.ROCK if kind == KIND["statue"]:
                return self._enchanted(obj, self._statue(obj))
            case Class.BALL:
                heavy = obj.weight > self.save.classes[kind].weight
                return self._enchanted(obj, "very heavy iron ball" if heavy else "heavy iron ball")
        return self.actual(kind)

    def _enchanted(self, obj: Obj, base: str, called: str = "") -> str:
        """A name with the object's properties, and what the player called its kind."""
        if obj.oprops:
            is_weapon = obj.cls == Class.WEAPON or (obj.cls == Class.TOOL and kinds()[obj.otyp].sub != 0)
            base = with_properties(base, obj.oprops, obj.oprops_known, is_weapon=is_weapon)
        return f"{base} called {called}" if called else base

    def _ring(self, obj: Obj) -> str:
        record = self.save.classes[obj.otyp]
        is_called = self.is_seen(obj) and not record.name_known and record.uname
        return (
            self._enchanted(obj, "ring", record.uname)
            if is_called
            else self._enchanted(obj, self._by_noun(obj, "ring"))
        )

    def _by_noun(self, obj: Obj, noun: str) -> str:
        """The name of a potion, scroll, wand, ring or spellbook."""
        record = self.save.classes[obj.otyp]
        seen = self.is_seen(obj)
        diluted = "diluted " if obj.cls == Class.POTION and seen and obj.eroded else ""
        if not seen:
            return noun
        if record.name_known:
            actual = self.actual(obj.otyp)
            if obj.otyp == KIND["Book of the Dead"]:
                return actual
            holy = self._holiness(obj) if obj.otyp == KIND["water"] else ""
            return f"{diluted}{noun} of {holy}{actual}"
        if record.uname:
            return f"{diluted}{noun} called {record.uname}"
        look = self.look(obj.otyp)
        if obj.cls == Class.SCROLL and record.magic:
            return f"scroll labeled {look}"
        return f"{diluted}{look} {noun}"

    def _holiness(self, obj: Obj) -> str:
        if not self.is_blessing_known(obj):
            return ""
        return "holy " if obj.blessed else "unholy " if obj.cursed else ""

    def _amulet(self, obj: Obj) -> str:
        record = self.save.classes[obj.otyp]
        if not self.is_seen(obj):
            return self._enchanted(obj, "amulet")
        if obj.otyp in YENDOR:
            return self.actual(obj.otyp) if self.is_known(obj) else self.look(obj.otyp)
        if record.name_known:
            return self._enchanted(obj, self.actual(obj.otyp))
        if record.uname:
            return self._enchanted(obj, "amulet", record.uname)
        return self._enchanted(obj, f"{self.look(obj.otyp)} amulet")

    def _tool(self, obj: Obj) -> str:
        """The name of a weapon, tool or venom."""
        record = self.save.classes[obj.otyp]
        actual = self.actual(obj.otyp)
        base, called = self.look(obj.otyp) or actual, ""
        if self.is_seen(obj):
            base, called = (actual, "") if record.name_known else (base, record.uname)
        if obj.otyp == KIND["lenses"]:
            base = f"pair of {base}"
        if self._is_poisoned(obj):
            base = _POISONED + base
        base = self._enchanted(obj, base, called)
        return f"{base} of {articled(self.of(obj))}" if obj.otyp == KIND["figurine"] else base

    def _armor(self, obj: Obj) -> str:
        kind = obj.otyp
        record = self.save.classes[kind]
        subtype = kinds()[kind].sub
        if kind in _DRAGON_SCALES:
            return f"set of {self.actual(kind)}"
        if not self.is_seen(obj):
            if kind in _SHIELDS:
                return "shield"
            if kind == KIND["shield of reflection"]:
                return "smooth shield"
        pair = "pair of " if subtype in (_GLOVES, _BOOTS) else ""
        if record.name_known:
            return self._enchanted(obj, pair + self.actual(kind))
        if record.uname:
            noun = _ARMOR_NOUNS.get(subtype, "armor")
            if subtype == _HELMET and record.material in _METALS and kind != KIND["dwarvish iron helm"]:
                noun = "helmet"
            return self._enchanted(obj, pair + noun, record.uname)
        return self._enchanted(obj, pair + (self.look(kind) or self.actual(kind)))

    def _food(self, obj: Obj) -> str:
        actual = self.actual(obj.otyp)
        if obj.otyp == KIND["slime mold"]:
            return next((fruit.name for fruit in self.save.fruits if fruit.id == obj.spe), "fruit")
        if obj.otyp != KIND["tin"] or not self.is_known(obj):
            return self._enchanted(obj, actual)
        if obj.spe > 0:
            return "tin of spinach"
        if obj.corpsenm == _SPINACH_SPECIES:
            return "empty tin"
        return f"tin of {self.of(obj)}" + ("" if self._is_vegetarian(obj.corpsenm) else " meat")

    def _is_vegetarian(self, number: int) -> bool:
        name, letter = self.species(number), species()[number].symbol
        return (letter in _VEGETARIAN_LETTERS and name not in _MEATY) or name in _VEGETARIAN_GHOSTS

    def _gem(self, obj: Obj) -> str:
        record, rock = self.save.classes[obj.otyp], self._rock(obj.otyp)
        if not self.is_seen(obj):
            return self._enchanted(obj, rock)
        if record.name_known:
            return self._enchanted(obj, self.actual(obj.otyp) + (" stone" if self._is_gemstone(obj.otyp) else ""))
        if record.uname:
            return self._enchanted(obj, rock, record.uname)
        return self._enchanted(obj, f"{self.look(obj.otyp)} {rock}")

    def _rock(self, kind: int) -> str:
        return "stone" if self.save.classes[kind].material == _MINERAL else "gem"

    def _is_gemstone(self, kind: int) -> bool:
        """Whether the name does not say by itself that it is a stone."""
        name = self.actual(kind)
        return name == "flint" or (self.save.classes[kind].material == _GEMSTONE and name not in _BARE_GEMS)

    def _statue(self, obj: Obj) -> str:
        historic = "historic " if self.role == "Arc" and obj.spe & 1 else ""
        if not 0 <= obj.corpsenm < len(species()):
            return f"{historic}statue"
        of = species()[obj.corpsenm]
        proper = of.f2 & _NO_TITLE
        name = self.of(obj)
        article = "" if proper else "the " if of.geno & _UNIQUE else "an " if name[0] in "aeiouAEIOU" else "a "
        return f"{historic}statue of {article}{name}"


YENDOR: Final = kinds_named("Amulet of Yendor", "cheap plastic imitation of the Amulet of Yendor")


# The properties that things of FIQHack can have, as their names tell them: ``long sword of fire and speed``.
#
# A name tells what the hero knows of them alone; that there are others, it tells with one word.  Weapons and what else
# is worn have words of their own for the same property, up to four are told in full, more in short.

_MOST_TOLD: Final = 4
_FIRST_VERSUS: Final = 11  # the property from which on armor is named versus something, not of it
_NO_SUFFIX: Final = (("pair of", "gauntlets of"), ("set of", ""), ("tin of", ""))
"""Names that have an " of " which introduces no property, unless they have another word."""


def with_properties(base: str, properties: int, known: int, *, is_weapon: bool) -> str:
    """A name with the properties (bit masks by number) of the thing that it names."""
    told = properties & known
    text, number = base, int(bool(properties & ~known))
    if number:
        text = f"magical {base}"
    suffixes = _has_suffix(text)
    word, waiting = " of ", ""
    for bit, _, prefix, _, suffix, of_armor in fork()["object_properties"]:
        if bit == _FIRST_VERSUS and not is_weapon:
            text += f" and {waiting}" if waiting else ""
            suffixes, word, waiting = False, " versus ", ""
        if not told >> bit & 1:
            continue
        number += 1
        if number > _MOST_TOLD:
            return base + _in_short(told, more=told != properties)
        last = of_armor if of_armor and not is_weapon else suffix
        if not last:
            text = f"{prefix} {text}"
        elif suffixes:
            text += f", {waiting}" if waiting else ""
            waiting = last
        else:
            text, suffixes = text + word + last, True
    return text + (f" and {waiting}" if waiting else "")


def _has_suffix(text: str) -> bool:
    return " of " in text and not any(of in text and not (but and but in text) for of, but in _NO_SUFFIX)


def _in_short(told: int, *, more: bool) -> str:
    rows = (row[2:] for row in fork()["object_properties"] if told >> row[0] & 1)
    return f" ({','.join(short or prefix or suffix for prefix, short, suffix, _ in rows)}{'+more' * more})"
