"""Which monsters the hero perceives, by which senses, and how they are shown (perception spec sections 2.5 to 2.7).

Monsters that no sense detects are not shown; senses have the names used by the game.  FIQHack warns of monsters of any
level, and shows those that are displaced where their images are.  Its telepathy in both directions, and that it tells
of all who aggravate others, is not here: which properties a monster has by its kind and its things is in no save.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final
from zlib import crc32

from nhlog.nethack4.hero.form import form_of
from nhlog.nethack4.hero.properties import Properties
from nhlog.nethack4.names.english import plural
from nhlog.nethack4.perception.cells import WARNINGS, Flag
from nhlog.nethack4.perception.sight import Sight, is_on_map
from nhlog.nethack4.save.monsters import Monster
from nhlog.nethack4.save.numbers import numbers_of
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACKS
from nhlog.nethack4.tables import Class, Species, artifacts, kinds, species
from nhlog.values import dataclass

__all__ = ["WORM_TAIL", "Perceived", "Senses", "imagined_danger", "imagined_species"]

WORM_TAIL: Final = 326
_WIELDED: Final = 1 << 11
_EEL: Final = ";"
_MINDLESS: Final = 0x10000  # f1
_INFRAVISIBLE, _KEEN_NOSED, _COVETOUS = 0x200, 0x400, 0x1F  # f3
_COVETED: Final = ("Amulet of Yendor", "Bell of Opening", "Book of the Dead", "Candelabrum of Invocation")
_MONSTER: Final = 3  # it poses as another one
_NEAR, _XRAY_REACH, _TELEPATHY_REACH, _SCENT_REACH, _WARNING_REACH = 2, 9, 64, 5, 100
_DANGEROUS: Final = 4  # level from which warning works, and levels for each digit
_MOST_DANGEROUS: Final = 5
_VISION: Final = frozenset(("normal vision", "see invisible", "infravision", "astral vision"))


@dataclass(frozen=True, slots=True)
class Perceived:
    """A monster that is shown: `mon` and `flags` as the engine tells its client (`mon` 0: the square itself shows it).

    `senses` is empty for a worm's body and for warnings. To a hallucinating hero, `mon` is imagined.
    """

    x: int
    y: int
    mon: int
    flags: int
    senses: tuple[str, ...]
    monster: Monster

    @property
    def how_seen(self) -> str:
        """The kinds of vision by which it is seen, or else the other senses by which it is noticed."""
        if self.flags & Flag.WARNING:
            return "warning"
        seen = [sense for sense in self.senses if sense in _VISION]
        return ", ".join(seen or self.senses) or "worm segment in sight"


class Senses:
    """The senses of a save's hero, applied to monsters."""

    def __init__(self, save: Save, properties: Properties, sight: Sight) -> None:
        self._save, self._sight, self._level = save, sight, save.level
        self._held, self._from_items = properties.held, properties.from_items
        self._form = form_of(save.you)
        self.imagined = Flag.IMAGINED if "HALLUC" in properties.held else 0
        """The flag of all monsters if the hero hallucinates, else 0."""
        weapon = next((obj for obj in save.inventory if obj.owornmask & _WIELDED), None)
        power = artifacts().get(weapon.artifact) if weapon is not None else None
        self._warned_of = power.warns_of if power else 0

    def of_self(self) -> tuple[str, ...]:
        """The senses by which the hero perceives their own body."""
        you = self._save.you
        unhidden = not you.buried and not you.undetected
        found = self._of(you.ux, you.uy, self._form, self._save.inventory, "INVIS" in self._held, unhidden)
        return tuple(found)

    def of(self, monster: Monster) -> tuple[str, ...]:
        """The senses by which the hero perceives a monster (its head, if it is a worm), in the game's order."""
        you, kind = self._save.you, self.species_of(monster)
        submerged = kind.symbol == _EEL and monster.undetected
        unhidden = not (you.buried or monster.buried or monster.undetected) and submerged == you.in_water
        return tuple(self._of(monster.x, monster.y, kind, monster.inventory, monster.invisible, unhidden))

    def species_of(self, monster: Monster) -> Species:
        """The true species of a monster."""
        return species()[monster.species]

    def _of(
        self, x: int, y: int, kind: Species, carried: Sequence[Obj], invisible: bool, unhidden: bool
    ) -> Iterator[str]:
        held, sight, own = self._held, self._sight, self._form.f3
        distance = self._distance(x, y)
        lined_up = sight.could_see[y][x] and unhidden
        visible = lined_up and "BLINDED" not in held
        lit = distance <= _NEAR or self._sight.lit[y][x] or sight.lamplit[y][x]
        warm = "INFRAVISION" in held and kind.f3 & _INFRAVISIBLE
        seen_through = not invisible or "SEE_INVIS" in held
        telepathic = "TELEPAT" in held and not kind.f1 & _MINDLESS
        reached = "BLINDED" in held or ("TELEPAT" in self._from_items and distance <= _TELEPATHY_REACH)
        if visible and not invisible and lit:
            yield "normal vision"
        if visible and invisible and seen_through and (lit or warm):
            yield "see invisible"
        if visible and not invisible and warm:
            yield "infravision"
        if telepathic and reached:
            yield "telepathy"
        if "XRAY_VISION" in held and unhidden and distance <= _XRAY_REACH and (lit or warm) and seen_through:
            yield "astral vision"
        if "DETECT_MONSTERS" in held:
            yield "monster detection"
        if self._warned_of & kind.f2:
            yield "paranoid delusion" if "HALLUC" in held else f"warned of {plural(kind.name)}"
        if own & _COVETOUS and any(self._is_coveted(obj) for obj in carried):
            yield "artifact sense"
        if self._form.name == "xorn" and any(obj.cls == Class.COIN for obj in carried):
            yield "smell of gold"
        if own & _KEEN_NOSED and lined_up and distance <= _SCENT_REACH:
            yield "scent"

    def _is_coveted(self, obj: Obj) -> bool:
        return kinds()[obj.otyp].name in _COVETED or obj.artifact in _QUEST_ARTIFACTS

    def _distance(self, x: int, y: int) -> int:
        you = self._save.you
        return (x - you.ux) ** 2 + (y - you.uy) ** 2

    def taken_for(self, number: int, x: int, y: int) -> int:
        """The species that one of the given number on a square is taken for: any, if the hero hallucinates."""
        return imagined_species(self._save, x, y) if self.imagined else number

    def sees(self, monster: Monster) -> bool:
        """Whether the hero sees a monster with some kind of vision."""
        return any(sense in _VISION for sense in self.of(monster))

    def is_warning(self, monster: Monster) -> bool:
        """Whether the hero is warned of it (sense 11); like the game, uses a polymorphed hero's own level."""
        if "WARNING" not in self._held or monster.peaceful or monster.tame:
            return False
        kind = self._form if self._save.you.polymorphed else self.species_of(monster)
        dangerous = kind.level >= _DANGEROUS or self._save.context.edition in FIQHACKS
        return self._distance(monster.x, monster.y) <= _WARNING_REACH and dangerous

    def shown(self) -> Iterator[Perceived]:
        """All monsters that are shown, except the hero and the steed (section 2.6)."""
        save = self._save
        you = save.you
        if you.swallowed or you.buried:
            return
        images = []
        for monster in self._level.monsters:
            if monster.id == you.usteed or not is_on_map(monster.x, monster.y):
                continue
            yield from self._tail(monster)
            if (monster.x, monster.y) == (you.ux, you.uy):
                continue
            for perceived in self._head(monster):
                if (image := self._image(monster, perceived)) is None:
                    yield perceived
                else:
                    images.append(replace(perceived, x=image[0], y=image[1]))
        yield from images  # over what is really there

    def _tail(self, monster: Monster) -> Iterator[Perceived]:
        worm = self._level.worms.get(monster.wormno)
        if worm is None or (monster.invisible and "SEE_INVIS" not in self._held):
            return
        you = self._save.you
        for x, y in worm.segments[:-1]:
            if is_on_map(x, y) and self._sight.in_sight[y][x] and (x, y) != (you.ux, you.uy):
                yield Perceived(x, y, self.taken_for(WORM_TAIL, x, y) + 1, self._brand(monster), (), monster)

    def _head(self, monster: Monster) -> Iterator[Perceived]:
        x, y = monster.x, monster.y
        senses = self.of(monster)
        seen = any(sense in _VISION for sense in senses)
        sensed = any(sense not in _VISION for sense in senses)
        if senses:
            mon = self._picture(monster, seen=seen, sensed=sensed)
            flags = self._brand(monster) | (0 if seen else Flag.DETECTED)
            yield Perceived(x, y, mon, flags if mon else 0, senses, monster)
        elif self.is_warning(monster):
            yield self._warning(monster)

    def _image(self, monster: Monster, perceived: Perceived) -> tuple[int, int] | None:
        """Where a displaced monster seems to be; None if it is perceived where it is."""
        if (
            monster.image is None
            or monster.tame
            or self.is_warning(monster)
            or not _VISION.issuperset(perceived.senses)
        ):
            return None
        x, y = monster.image
        distance = self._distance(x, y)
        lined_up = self._sight.could_see[y][x]
        lit = distance <= _NEAR or self._sight.lit[y][x] or self._sight.lamplit[y][x]
        warm = "INFRAVISION" in self._held and self.species_of(monster).f3 & _INFRAVISIBLE
        seems = {
            "normal vision": lined_up and lit,
            "see invisible": lined_up and (lit or warm),
            "infravision": lined_up,
            "astral vision": distance <= _XRAY_REACH,
        }
        return monster.image if distance and any(seems[sense] for sense in perceived.senses) else None

    def _warning(self, monster: Monster) -> Perceived:
        x, y = monster.x, monster.y
        true = min(monster.level // _DANGEROUS, _MOST_DANGEROUS)
        digit = imagined_danger(self._save, x, y) if self.imagined else true
        return Perceived(x, y, WARNINGS + digit, Flag.WARNING | self.imagined, (), monster)

    def _picture(self, monster: Monster, *, seen: bool, sensed: bool) -> int:
        """The layer value for a detected monster; 0 if the thing that it mimics is remembered."""
        x, y = monster.x, monster.y
        if sensed or not monster.disguise_kind or "PROT_FROM_SHAPE_CHANGERS" in self._held:
            return self.taken_for(monster.species, x, y) + 1
        if monster.disguise_kind == _MONSTER and seen and self._sight.in_sight[y][x]:
            return self.taken_for(monster.disguise, x, y) + 1
        return 0

    def _brand(self, monster: Monster) -> int:
        """What the hero knows of its manners; a hallucinating one nothing."""
        return self.imagined or (Flag.TAME if monster.tame else Flag.PEACEFUL if monster.peaceful else 0)


_QUEST_ARTIFACTS: Final = range(21, 34)


# What a hallucinating hero takes monsters for: the game draws any species, anew each time, and no save keeps which.
#
# Here it depends on the turn and the square alone: a save always shows the same, and nothing of the true monster.

_MOST_IMAGINED: Final = 5  # the digits of imagined warnings begin at 1


def imagined_species(save: Save, x: int, y: int) -> int:
    """The number of the species that is imagined on a square: any of the game's."""
    numbers = numbers_of(save.context.edition).species
    return numbers[_any(save, x, y) % len(numbers)]


def imagined_danger(save: Save, x: int, y: int) -> int:
    """The digit of a warning that is imagined on a square."""
    return 1 + _any(save, x, y) % _MOST_IMAGINED


def _any(save: Save, x: int, y: int) -> int:
    """A number that looks random, and is the same on every machine."""
    return crc32(f"{save.moves} {x} {y}".encode())
