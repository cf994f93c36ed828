"""The inventory as the game lists it: headings and captions (perception spec section 1).

A caption is a prefix (article, curse state, condition), a name, and suffixes, each composed in the game's order.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from nhlog.nethack4.hero.form import hand_word
from nhlog.nethack4.names.english import plural, possessive
from nhlog.nethack4.names.objects import YENDOR, Naming
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACKS
from nhlog.nethack4.tables import KIND, Class, kinds, kinds_named, species, table
from nhlog.values import dataclass

__all__ = ["Captions", "Heading", "Item"]

_WORN: Final = 0x7FF
_SADDLED: Final = 1 << 14
_WIELDED, _QUIVERED, _ALTERNATE = 1 << 11, 1 << 12, 1 << 13
_LEFT, _RIGHT = 1 << 8, 1 << 9
_BURNING: Final = 3  # the function of a timer
_BALL: Final = 6  # slot of tracked objects
_EGG_KNOWN: Final = 8  # mvitals flag
_EYES_OF_THE_OVERWORLD: Final = 26
_IRON, _LAST_FLESH, _WAX, _COPPER, _PLASTIC = 11, 8, 1, 13, 18
_FIRE_RESISTANCE: Final = 1
_NO_TITLE: Final = 0x80000  # f2: a proper name
_UNIQUE: Final = 0x1000  # geno
_DEGREES: Final = ("", "", "very ", "thoroughly ")
_CANDLES: Final = kinds_named("tallow candle", "wax candle")
_LAMPS: Final = kinds_named("oil lamp", "magic lamp", "brass lantern") | _CANDLES
_FUELLED: Final = kinds_named("brass lantern", "oil lamp", "Candelabrum of Invocation") | _CANDLES
_CONTAINERS: Final = ("large box", "chest", "ice box", "sack", "oilskin sack", "bag of holding", "bag of tricks")
_CONSONANT_LIKE: Final = ("uranium", "unicorn", "eucalyptus")
_PARTLY_USED: Final = 20  # turns of a candle for each zorkmid it costs
_DRAGON_MAIL: Final = frozenset(number for number, kind in enumerate(kinds()) if " dragon scale" in f"{kind.name}")


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a class of carried objects: its name, and the character that it is drawn with."""

    name: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Item:
    """An object in the inventory list; `letter` is its inventory letter, `caption` its name as the hero knows it."""

    letter: str
    caption: str
    obj: Obj


class Captions:
    """The captions of objects, for the hero of a save."""

    def __init__(self, save: Save, *, blind: bool = False) -> None:
        self.save = save
        self.naming = Naming(save, blind=blind)

    def inventory(self) -> Iterator[Heading | Item]:
        """The inventory list, in the game's order (section 1.1)."""
        carried = self.save.inventory
        if not self.save.flags.sortpack:
            yield from map(self._item, carried)
            return
        for cls in self.save.flags.inv_order:
            items = [self._item(obj) for obj in carried if obj.cls == cls]
            if items:
                yield Heading(table("class_headings")[cls], table("obj_class_syms")[cls])
                yield from items

    def _item(self, obj: Obj) -> Item:
        return Item(chr(obj.invlet), self.caption(obj), obj)

    def caption(self, obj: Obj) -> str:
        """The caption of one object (section 1.5)."""
        base = self.naming.name(obj)
        contained = self._contained(obj)
        empty = "empty " if contained == 0 else ""
        if contained:
            base += f" containing {contained} item{'' if contained == 1 else 's'}"
        prefix = self._article(obj) + empty + self._curse(obj) + ("greased " if obj.greased else "")
        condition, suffix = self._of_class(obj)
        if obj.otyp == KIND["corpse"] and self._is_unique(obj.corpsenm):
            prefix = condition
        else:
            prefix += condition
        suffix += self._use(obj)
        after = prefix[2:] or base
        keeps_a = len(prefix) == 2 and base.startswith(_CONSONANT_LIKE)
        if prefix.startswith("a ") and after[:1] in set("aeiouAEIOU") and not keeps_a:
            prefix = "an " + prefix[2:]
        return prefix + base + suffix

    def _article(self, obj: Obj) -> str:
        naming = self.naming
        if obj.quantity != 1:
            return f"{obj.quantity} "
        known = naming.is_known(obj)
        fake = obj.otyp in YENDOR and not kinds()[obj.otyp].name.startswith("Amulet")
        real = obj.otyp in YENDOR and not fake
        unique = self.save.classes[obj.otyp].unique and (known or real)
        if naming.has_proper_name(obj) or (naming.is_seen(obj) and ((fake and not known) or unique)):
            return "the "
        return "" if obj.artifact == _EYES_OF_THE_OVERWORLD else "a "

    def _contained(self, obj: Obj) -> int | None:
        """The number of things remembered in a container; None if its name does not tell (NetHack 4's never do)."""
        state, name = self.save.state, kinds()[obj.otyp].name
        if name == "magic chest":
            return len(state.parts.chest)
        is_told = obj.cknown and name in _CONTAINERS
        if not is_told or (name == "bag of tricks" and obj.dknown and self.save.classes[obj.otyp].name_known):
            return None
        memory = state.remembered.get(obj.mem_o_id)
        return len(memory.contents) if memory else None

    def _curse(self, obj: Obj) -> str:
        naming = self.naming
        record = self.save.classes[obj.otyp]
        if not naming.is_blessing_known(obj) or obj.cls == Class.COIN:
            return ""
        if obj.otyp == KIND["water"] and record.name_known and (obj.cursed or obj.blessed):
            return ""
        if obj.cursed or obj.blessed:
            return "cursed " if obj.cursed else "blessed "
        telling = not naming.is_known(obj) or not record.charged or obj.cls in (Class.ARMOR, Class.RING)
        said = telling and obj.otyp not in YENDOR and naming.role != "Pri"
        shown = self.save.flags.show_uncursed or self.save.context.edition in FIQHACKS  # there the client's default
        return "uncursed " if shown or said else ""

    def _of_class(self, obj: Obj) -> tuple[str, str]:
        """The prefix and the suffix that depend on the object's class."""
        worn = obj.owornmask & _WORN
        match obj.cls:
            case Class.AMULET:
                return "", " (being worn)" if worn else ""
            case Class.WEAPON:
                poisoned = "poisoned " if self.naming.tells_poison_first(obj) else ""
                return poisoned + self._erosion(obj) + self._plus(obj), ""
            case Class.ARMOR:
                return self._erosion(obj) + self._plus(obj), self._worn_armor(obj) if worn else ""
            case Class.TOOL:
                return self._tool(obj)
            case Class.WAND:
                return self._erosion(obj), self._charges(obj)
            case Class.POTION:
                return "", " (lit)" if obj.otyp == KIND["oil"] and obj.lamplit else ""
            case Class.RING:
                return self._erosion(obj) + self._charged_plus(obj), self._ring(obj)
            case Class.FOOD:
                return self._food(obj)
            case Class.BALL | Class.CHAIN:
                chained = obj.id == self.save.tracked_objects[_BALL].id
                return self._erosion(obj), " (chained to you)" if chained else ""
        return "", ""

    def _plus(self, obj: Obj) -> str:
        return f"{obj.spe:+d} " if self.naming.is_known(obj) else ""

    def _charged_plus(self, obj: Obj) -> str:
        return self._plus(obj) if self.save.classes[obj.otyp].charged else ""

    def _charges(self, obj: Obj) -> str:
        return f" ({obj.recharged}:{obj.spe})" if self.naming.is_known(obj) else ""

    def _worn_armor(self, obj: Obj) -> str:
        you = self.save.you
        if obj.otyp in _DRAGON_MAIL and you.umonnum != you.umonster:
            form = species()[you.umonnum].name
            color = kinds()[obj.otyp].name.partition(" ")[0]
            if form == f"{color} dragon":
                return " (embedded in your skin)"
        return " (being worn)"

    def _ring(self, obj: Obj) -> str:
        hand = hand_word(self.save.you)
        if obj.owornmask & _RIGHT:
            return f" (on right {hand})"
        return f" (on left {hand})" if obj.owornmask & _LEFT else ""

    def _tool(self, obj: Obj) -> tuple[str, str]:
        if obj.owornmask & (_WORN | _SADDLED):
            return ("" if kinds()[obj.otyp].sub else self._tool_state(obj)), " (being worn)"
        if kinds()[obj.otyp].sub:
            return self._erosion(obj) + self._plus(obj), ""
        return self._tool_state(obj), self._tool_use(obj)

    def _tool_state(self, obj: Obj) -> str:
        used = obj.otyp in _CANDLES and obj.age < _PARTLY_USED * kinds()[obj.otyp].cost
        return self._erosion(obj) + ("partly used " if used else "")

    def _tool_use(self, obj: Obj) -> str:
        known = self.naming.is_known(obj)
        if obj.otyp == KIND["leash"] and obj.corpsenm:
            return " (in use)"
        told = ""
        if obj.otyp == KIND["Candelabrum of Invocation"]:
            number = str(obj.spe) if obj.spe else "no"
            told = f" ({number} candle{'' if obj.spe == 1 else 's'}{', lit' if obj.lamplit else ' attached'})"
        elif obj.otyp in _LAMPS and obj.lamplit:
            told = " (lit)"
        if obj.otyp in _FUELLED:
            return told + (f" ({obj.recharged}:{self._fuel(obj)})" if known else "")
        return told + (self._charges(obj) if self.save.classes[obj.otyp].charged else "")

    def _fuel(self, obj: Obj) -> int:
        if not obj.lamplit:
            return obj.age
        timers = (*self.save.timers, *self.save.level.timers)
        end = next((timer.timeout for timer in timers if timer.function == _BURNING and timer.arg == obj.id), 0)
        return obj.age + end - self.save.moves if end else obj.age

    def _food(self, obj: Obj) -> tuple[str, str]:
        eaten = "partly eaten " if obj.oeaten else ""
        if obj.otyp == KIND["corpse"]:
            name = self.naming.of(obj)
            if self._is_unique(obj.corpsenm):
                the = "" if species()[obj.corpsenm].f2 & _NO_TITLE else "the "
                return f"{the}{possessive(name)} {eaten}", ""
            return f"{eaten}{name} ", ""
        if obj.otyp == KIND["egg"] and self._is_egg_known(obj):
            laid = " (laid by you)" if obj.spe else ""
            return f"{eaten}{self.naming.of(obj)} ", laid
        if obj.otyp == KIND["meat ring"]:
            return eaten + self._charged_plus(obj), self._ring(obj)
        return eaten, ""

    def _is_egg_known(self, obj: Obj) -> bool:
        flags = self.save.mvitals[obj.corpsenm].flags if obj.corpsenm >= 0 else 0
        return obj.corpsenm >= 0 and bool(self.naming.is_known(obj) or flags & _EGG_KNOWN)

    def _is_unique(self, number: int) -> bool:
        return 0 <= number < len(species()) and bool(species()[number].geno & _UNIQUE)

    def _erosion(self, obj: Obj) -> str:
        """The erosion words (section 1.5.1)."""
        record = self.save.classes[obj.otyp]
        material = record.material
        crysknife = obj.otyp == KIND["crysknife"]
        rots = material <= _LAST_FLESH and material != _WAX
        rusts, corrodes = material == _IRON, material in (_IRON, _COPPER)
        burns = (rots or material == _PLASTIC) and record.prop != _FIRE_RESISTANCE
        burns = burns and not (obj.cls == Class.WAND and obj.otyp == FIRE_WAND)
        if not (rusts or corrodes or burns or rots or crysknife):
            return ""
        words = ""
        if not crysknife:
            if obj.eroded:
                words += _DEGREES[obj.eroded] + ("rusty " if rusts else "burnt ")
            if obj.eroded2:
                words += _DEGREES[obj.eroded2] + ("corroded " if corrodes else "rotted ")
        if obj.rknown and obj.oerodeproof:
            proofs = ((crysknife, "fixed "), (rusts, "rustproof "), (corrodes, "corrodeproof "), (burns, "fireproof "))
            words += next((word for holds, word in proofs if holds), "")
        return words

    def _use(self, obj: Obj) -> str:
        """How the object is worn, wielded or used, and its price if unpaid."""
        mask, told = obj.owornmask, ""
        hand = hand_word(self.save.you)
        if mask & _WIELDED:
            two_handed = kinds()[obj.otyp].bulk and obj.cls in (Class.WEAPON, Class.TOOL)
            held = f"weapon in {plural(hand) if two_handed else hand}"
            told += " (wielded)" if obj.quantity != 1 else f" ({held})"
        if mask & _ALTERNATE:
            told += f" (wielded in other {hand})" if self.save.you.twoweap else " (alternate weapon; not wielded)"
        if mask & _QUIVERED:
            told += " (in quiver)"
        if obj.unpaid:
            owed = obj.quantity * self._prices.get(obj.id, 0)
            told += f" (unpaid, {owed} zorkmid{'' if owed == 1 else 's'})"
        return told

    @cached_property
    def _prices(self) -> dict[int, int]:
        """The prices that the shopkeepers of this level ask, by object number."""
        return {entry.id: entry.price for monster in self.save.level.monsters for entry in monster.bill}


FIRE_WAND: Final = next(number for number, kind in enumerate(kinds()) if kind.name == "fire" and kind.cls == Class.WAND)
