"""The options of NetHack that a game in a log may have: those that change how it is played and shown.

Options come from a player's file and from logs that anybody may have written, and NetHack is C code that believes them.
So only names of this table are taken, and of their values only those in which nothing is hidden: no option here runs a
program, names a file, or says where something is written.
"""

import re
from typing import Final

from nhlog.errors import Unsupported

__all__ = ["check_words", "fault_of"]

_SWITCHES: Final = frozenset(
    """
    acoustics autodescribe autodig autoopen autopickup autoquiver bones cmdassist color confirm dark_room extmenu fixinv
    force_invmenu goldx help herecmd_menu hilite_pet hilite_pile hitpointbar implicit_uncursed legacy lit_corridor
    lootabc mail mention_walls menu_objsyms menu_overlay menucolors null nudist number_pad perm_invent pickup_thrown
    pushweapon rest_on_space safe_pet showexp showrace showscore silent sortpack sparkle standout status_updates time
    tombstone toptenwin travel use_darkgray use_inverse verbose whatis_menu whatis_moveskip
    """.split()  # noqa: SIM905
)
"""Options that are on or off."""
_VALUED: Final = frozenset(
    """
    align alignment boulder catname disclose dogname fruit gender horsename menustyle msg_window msghistory name
    number_pad packorder paranoid_confirmation pettype pickup_burden pickup_types pile_limit playmode race role
    roguesymset runmode scores sortloot suppress_alert symset whatis_coord whatis_filter
    """.split()  # noqa: SIM905
)
"""Options with a value."""
_NEGATIONS: Final = ("!", "no")
_VALUE: Final = re.compile(r"[A-Za-z0-9 _+.$?!/\"=%()*\[\]{}#;:'`@|^<>&~-]{0,128}")
"""What a value may consist of: printable, and no comma or backslash, by which one option could become another."""


def fault_of(word: str) -> str:
    """What is wrong with an option (``!autopickup``, ``fruit:apple``); empty if nothing is."""
    name, value, text = _split(word)
    if value is None:
        if name in _SWITCHES or _bare(name) in _SWITCHES or (name.startswith("!") and name[1:] in _VALUED):
            return ""
        return f"{name} needs a value" if name in _VALUED else f"no option that a game in a log can have: {name}"
    if name not in _VALUED:
        return f"{name} has no value" if name in _SWITCHES else f"no option that a game in a log can have: {name}"
    return "" if _VALUE.fullmatch(text) else f"no value of {name} that a game in a log can have: {text}"


def _split(word: str) -> tuple[str, str | None, str]:
    """The name of an option in lower case, what stands before its value, if it has one, and the value."""
    found = re.match(r"([^:=]*)([:=]?)(.*)", word, re.DOTALL)
    assert found is not None
    return found[1].strip().lower(), found[2] or None, found[3]


def _bare(name: str) -> str:
    """The name of an option without what switches it off."""
    for negation in _NEGATIONS:
        if name.startswith(negation):
            return name.removeprefix(negation).removeprefix(" ")
    return name


def check_words(text: str) -> str:
    """The options of a game's beginning, with commas between them, as they are.

    Raises :class:`Unsupported` for those that no game in a log has.
    """
    for word in text.split(","):
        if fault := fault_of(word):
            raise Unsupported(fault)
    return text
