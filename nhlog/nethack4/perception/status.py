"""The two status rows at the bottom of the client's screen (perception spec section 4).

FIQHack tells some more conditions, and its later edition tells one in another word and when an illness turns fatal.

`Status` has the values, `draw_status` draws them as an 80-column client does.
"""

from collections.abc import Iterator, Set
from typing import Final

from nhlog.nethack4.hero.body import armor_class, load_of
from nhlog.nethack4.hero.form import form_of, sticks
from nhlog.nethack4.hero.properties import Properties
from nhlog.nethack4.hero.score import score_of
from nhlog.nethack4.names.monsters import rank_title
from nhlog.nethack4.save.objects import Obj
from nhlog.nethack4.save.save import Save
from nhlog.nethack4.save.wire import FIQHACK_18, FIQHACK_21, FIQHACKS, NETHACK4
from nhlog.nethack4.tables import KIND, Class, Kind, fork, kinds, kinds_named, species, table
from nhlog.screen import Screen, Style
from nhlog.values import dataclass

__all__ = ["CLIENT_DEFAULT", "Status", "draw_status", "status_of"]

Word = tuple[str, int]  # a status word and its colour

CLIENT_DEFAULT: Final = Style(fg=7, bg=0)
WIDTH: Final = 80
_NAME: Final = 12  # bytes of the hero's name that are shown
_BAR: Final = 13

_HUNGER: Final = {
    0: ("Satiated", 1),
    2: ("Hungry", 1),
    3: ("Weak", 9),
    4: ("Fainting", 13),
    5: ("Fainted", 13),
    6: ("Starved", 13),
}
_BURDENS: Final = (
    None,
    ("Burdened", 1),
    ("Stressed", 1),
    ("Strained", 9),
    ("Overtaxed", 9),
    ("Overloaded", 9),
)
_TRAPS: Final = (("Beartrap", 15), ("Pit", 1), ("Web", 1), ("Lava", 13), ("Infloor", 1))
_ILL: Final = ((1, ("FoodPois", 13)), (2, ("Ill", 13)))  # bits of the sickness
_WIELDED: Final = 1 << 11
_DIGGERS: Final = kinds_named("pick-axe", "dwarvish mattock")
_PETRIFYING: Final = ("cockatrice", "chickatrice")
_LAUNCHERS: Final = range(22, 25)
_MISSILES: Final = range(-27, -21)


@dataclass(frozen=True, slots=True)
class Status:
    """The values of the status rows; `words` are the status words in the game's order, each with its colour."""

    name: str
    title: str
    hp: int
    hp_max: int
    pw: int
    pw_max: int
    defense: int
    polymorphed: bool
    level: int
    place: str
    gold: int
    score: int
    turn: int
    words: tuple[Word, ...]


def status_of(save: Save, properties: Properties) -> Status:
    """The status of a save."""
    you = save.you
    polymorphed = you.polymorphed
    hp, hp_max = (you.mh, you.mhmax) if polymorphed else (you.uhp, you.uhpmax)
    return Status(
        name=you.name,
        title=_title(save),
        hp=max(hp, 0),
        hp_max=hp_max,
        pw=max(you.uen, 0),
        pw_max=you.uenmax,
        defense=10 - armor_class(save),
        polymorphed=polymorphed,
        level=form_of(you).level if polymorphed else you.ulevel,
        place=save.dungeons.place(save.here),
        gold=next((obj.quantity for obj in save.inventory if obj.cls == Class.COIN), 0),
        score=score_of(save),
        turn=save.moves,
        words=tuple(_words(save, properties)),
    )


def _title(save: Save) -> str:
    you = save.you
    if you.polymorphed:
        return " ".join(word[:1].upper() + word[1:] for word in form_of(you).name.split(" "))
    return rank_title(you.initrole, you.ulevel, female=you.female)


def _words(save: Save, properties: Properties) -> Iterator[Word]:
    you, held = save.you, properties.held
    if you.uhs in _HUNGER:
        yield _HUNGER[you.uhs]
    if "CONFUSION" in held:
        yield "Conf", 12
    if "SICK" in held:
        yield from (word for bit, word in _ILL if you.sick_type & bit)
    if "BLINDED" in held:
        yield "Blind", 12
    if "GLIB" in held:
        yield "Greasy", 12
    if held & {"LWOUNDED_LEGS", "RWOUNDED_LEGS"}:
        yield "Lame", 12
    for name, word in _AILMENTS:
        if name in held:
            yield word if name != "STRANGLED" else _STRANGLED[save.context.edition]
    if "ZOMBIE" in held:
        yield _zombie(save)
    if you.ustuck and not you.swallowed and not sticks(you):
        yield "Held", 1
    burden = _BURDENS[load_of(save, properties).burden()]
    if burden:
        yield burden
    for name, word in _IMPAIRED:
        if name in held:
            yield word
    yield from _above_ground(save, held)
    weapon = next((obj for obj in save.inventory if obj.owornmask & _WIELDED), None)
    yield from _weapon_words(save, weapon)
    if you.utrap:
        yield _TRAPS[you.utraptype]


def _above_ground(save: Save, held: Set[str]) -> Iterator[Word]:
    """Whether the hero levitates or flies; FIQHack tells both, and that neither helps in water."""
    if save.context.edition not in FIQHACKS:
        yield from [word for name, word in _ABOVE.items() if name in held][:1]
        return
    useless = save.here == save.dungeons.topology.water
    for name, (word, color) in _ABOVE.items():
        if name in held:
            yield (f"-{word}", 1) if useless else (word, color)


def _zombie(save: Save) -> Word:
    """How far the illness has come that makes a zombie of FIQHack's hero."""
    left = save.you.intrinsics[fork()["properties"]["ZOMBIE"]] & _ZOMBIE_TIMER
    return next((word for most, word in _ZOMBIE[save.context.edition] if left <= most), ("Zombie", 9))


_ABOVE: Final = {"LEVITATION": ("Lev", 3), "FLYING": ("Fly", 2)}
_IMPAIRED: Final = (("CANCELLED", ("Cancelled", 12)), ("SLOW", ("Slow", 12)))
_STRANGLED: Final = dict.fromkeys((NETHACK4, FIQHACK_18), ("Strangle", 13)) | {FIQHACK_21: ("Breath", 13)}
_ZOMBIE_TIMER: Final = 0xFFFF
_ZOMBIE: Final = {  # by the number of turns that are left
    FIQHACK_18: ((40, ("Zombie!", 13)),),
    FIQHACK_21: ((24, ("Zombie!!!", 13)), (50, ("Zombie!", 5))),
}
_AILMENTS: Final = (
    ("STUNNED", ("Stun", 12)),
    ("HALLUC", ("Hallu", 12)),
    ("STRANGLED", ("Strangle", 13)),
    ("SLIMED", ("Slime", 13)),
    ("STONED", ("Petrify", 13)),
)


def _weapon_words(save: Save, weapon: Obj | None) -> Iterator[Word]:
    if weapon is None:
        yield "Unarmed", 5
        return
    kind = kinds()[weapon.otyp]
    if weapon.otyp in _DIGGERS:
        yield "Dig", 3
    elif weapon.cls == Class.WEAPON and kind.sub in _LAUNCHERS:
        yield "Ranged", 2
    elif weapon.otyp == KIND["corpse"] and species()[weapon.corpsenm].name in _PETRIFYING:
        yield "cWielded", 11
    elif not _is_melee(weapon, kind, riding=bool(save.you.usteed)):
        yield "NonWeap", 9


def _is_melee(weapon: Obj, kind: Kind, *, riding: bool) -> bool:
    if weapon.cls == Class.TOOL:
        return kind.sub != 0
    missile = kind.sub in _LAUNCHERS or kind.sub in _MISSILES
    return weapon.cls == Class.WEAPON and not missile and (riding or kind.sub not in table("sk_pole"))


def draw_status(status: Status) -> Screen:
    """The two status rows, 80 columns wide."""
    screen = Screen(WIDTH, 2)
    for y in range(2):
        screen.put(0, y, " " * WIDTH, CLIENT_DEFAULT)
    x = _draw_bar(screen, 0, "HP:", status.hp, status.hp_max, _hp_color(status.hp, status.hp_max))
    label = "HD" if status.polymorphed else "Xp"
    screen.put(x, 0, f" Def:{status.defense} {label}:{status.level} {status.place}", CLIENT_DEFAULT)
    name = f"{status.name[:_NAME]}, {status.title}"
    screen.put(WIDTH - len(name), 0, name, CLIENT_DEFAULT)
    x = _draw_bar(screen, 1, "Pw:", status.pw, status.pw_max, _pw_color(status.pw, status.pw_max))
    screen.put(x, 1, f" ${status.gold} S:{status.score} T:{status.turn}", CLIENT_DEFAULT)
    x = WIDTH + 1
    for word, color in status.words:
        x -= len(word) + 1
        screen.put(x, 1, word, Style(fg=color, bg=0))
    return screen


def _draw_bar(screen: Screen, y: int, label: str, value: int, most: int, color: int) -> int:
    """Draw a bar with its label; returns the column after it."""
    text = f"{value:>5} / {most:<5}"
    filled = 0 if value <= 0 or most <= 0 else _BAR * value // most
    empty = Style(fg=color, bg=0)
    full = Style(fg=0 if color < 8 else color, bg=color & 7)
    x = screen.put(0, y, label, empty)
    x = screen.put(x, y, "[", CLIENT_DEFAULT)
    x = screen.put(x, y, text[:filled], full)
    x = screen.put(x, y, text[filled:], empty)
    return screen.put(x, y, "]", CLIENT_DEFAULT)


def _hp_color(value: int, most: int) -> int:
    return _color(value, most, 2, 3, 1)


def _pw_color(value: int, most: int) -> int:
    return _color(value, most, 6, 4, 5)


def _color(value: int, most: int, high: int, middle: int, low: int) -> int:
    """The colour of a bar, by its fullness; nearly empty and brown bars are bright."""
    if value == most:
        color = 7
    elif value * 3 > most * 2:
        color = high
    else:
        color = middle if value * 3 > most else low
    return color + 8 if value * 7 <= most or color == 3 else color
