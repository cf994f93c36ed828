"""The names of monsters, with articles (perception spec section 5).

As the game names them to an observer: by title, by given name, or by species; to a hallucinating one by a species that
the caller imagines, and as imagined.
"""

from collections.abc import Set
from typing import Final

from nhlog.nethack4.names.english import article, articled, possessive
from nhlog.nethack4.names.gods import UNALIGNED, god_name
from nhlog.nethack4.save.monsters import Monster
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACKS
from nhlog.nethack4.tables import Species, fork, roles, species

__all__ = ["assumed_name", "distant_name", "rank_title", "steed_name"]

_PROPER: Final = 0x80000  # f2: its species is a proper name
_UNIQUE: Final = 0x1000  # geno
_SADDLE: Final = 1 << 14
_ADJACENT: Final = 2  # square of the distance up to which a high priest is recognised
_TOP_LEVEL, _TOP_RANK = 30, 8
_GENDER_MARKS: Final = "-_+|"  # a shopkeeper's name may begin with one


def rank_title(role: int, level: int, *, female: bool) -> str:
    """The rank title of a hero or player monster, by role and experience level."""
    rank = 0 if level <= 2 else (level + 2) // 4 if level <= _TOP_LEVEL else _TOP_RANK
    male_title, female_title = roles()[role].ranks[rank]
    return str(female_title if female_title and female else male_title)


def distant_name(save: Save, monster: Monster, held: Set[str]) -> str:
    """The name of a distant monster, for a hero who has the properties `held` and does not hallucinate."""
    kind = species()[monster.species]
    if kind.name == "high priest" and _is_concealed(save, monster):
        return "high priestess" if monster.female else "high priest"
    if monster.is_priest or monster.is_minion:
        return _title(save, monster, kind)
    shopkeeper = monster.shopkeeper
    if monster.is_shopkeeper and shopkeeper is not None:
        return _shopkeeper(monster, kind, shopkeeper.name.lstrip(_GENDER_MARKS))
    named = f"{kind.name} called {monster.name}" if monster.name else _species(save, monster, kind)
    is_proper = bool(kind.f2 & _PROPER)
    if kind.name == "ghost" and monster.name:
        named, is_proper = f"{possessive(monster.name)} ghost", True
    words = _adjectives(monster, held)
    if is_proper and not words:
        return f"the {named}" if kind.name == "Wizard of Yendor" else named
    return ("the " if kind.geno & _UNIQUE else article(words + named)) + words + named


def assumed_name(monster: Monster, kind: int, held: Set[str]) -> str:
    """The name of a monster that is taken for a species of the number `kind`."""
    return articled(_adjectives(monster, held) + species()[kind].name)


def steed_name(monster: Monster, kind: int, held: Set[str]) -> str:
    """The name of the steed, for its rider, who takes it for a species of the number `kind`."""
    words = ("imagined " if "HALLUC" in held else "") + ("invisible " if monster.invisible else "")
    given = "" if "HALLUC" in held else monster.name
    if given and (monster.tame or not words):
        return words + given
    return f"{'your' if monster.tame else 'the'} {words}{given or species()[kind].name}"


def _adjectives(monster: Monster, held: Set[str]) -> str:
    """The adjectives before a monster's species, each followed by a space."""
    invisible = "invisible " if monster.invisible else ""
    if "HALLUC" in held:
        return f"imagined {invisible}"
    manners = "tame " if monster.tame else "peaceful " if monster.peaceful else ""
    saddled = "saddled " if monster.worn & _SADDLE and "BLINDED" not in held else ""
    return manners + invisible + saddled


def _species(save: Save, monster: Monster, kind: Species) -> str:
    """The species; for player monsters their rank, except on the last levels."""
    role = next((n for n, role in enumerate(roles()) if monster.species in (role.male, role.female)), None)
    if role is None or save.dungeons.is_endgame(save.here):
        of_female = monster.female and save.context.edition in FIQHACKS
        return str(fork()["female"].get(kind.name, kind.name)) if of_female else kind.name
    return rank_title(role, monster.level, female=monster.female).lower()


def _shopkeeper(monster: Monster, kind: Species, name: str) -> str:
    invisible = "invisible " if monster.invisible else ""
    return name if kind.name == "shopkeeper" and not invisible else f"{name} the {invisible}{kind.name}"


def _is_concealed(save: Save, monster: Monster) -> bool:
    """Whether a high priest's god is concealed: on the Astral Plane, unless the hero is next to it."""
    you = save.you
    near = (monster.x - you.ux) ** 2 + (monster.y - you.uy) ** 2 <= _ADJACENT
    return save.here == save.dungeons.topology.astral and _alignment(monster) != UNALIGNED and not near


def _alignment(monster: Monster) -> int:
    """The alignment of a priest or a minion: the first byte of either's extension."""
    return int.from_bytes(monster.extension[:1], "little", signed=True)


def _title(save: Save, monster: Monster, kind: Species) -> str:
    """The title: ``the priest of Tyr``, ``the guardian Angel of Odin``, ``the fire elemental of Loki``."""
    if kind.name == "Angel" and monster.tame:
        words = ["guardian", kind.name]
    elif kind.name == "aligned priest" or (monster.is_priest and kind.name != "Angel"):
        words = _priesthood(monster, kind)
    else:
        words = [kind.name]
    if monster.invisible:
        words.insert(0, "invisible")
    return f"the {' '.join(words)} of {god_name(save, _alignment(monster))}"


def _priesthood(monster: Monster, kind: Species) -> list[str]:
    """The words for a priest; one without a temple may be a renegade."""
    renegade = not monster.is_priest and monster.extension[1:2] not in (b"", b"\0")
    rank = {"high priest": ["high"], "aligned priest": []}.get(kind.name, [kind.name])
    return [*(["renegade"] if renegade else []), *rank, "priestess" if monster.female else "priest"]
