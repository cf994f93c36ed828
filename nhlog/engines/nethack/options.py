"""The options of NetHack that a game in a log may have: those that change how it is played and shown.

Options come from a player's file and from logs that anybody may have written, and NetHack is C code that believes
them.  So only names of these tables are taken, and of their values only those in which nothing is hidden: no option
here runs a program, names a file, or says where something is written.

As text, a game's options are words with commas between them, of which the first one of a name counts; a statement of a
player's file that is no option (`MENUCOLOR`) follows on a line of its own.
"""

import re
from collections.abc import Iterator
from typing import Final

from nhlog.errors import Unsupported
from nhlog.values import NamedTuple

__all__ = ["OptionsFile", "check_options", "first_of_each", "number_pad", "read_options"]

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
    align alignment boulder catname disclose dogname fruit gender hilite_status horsename menustyle msg_window
    msghistory name number_pad packorder paranoid_confirmation pettype pickup_burden pickup_types pile_limit playmode
    race role roguesymset runmode scores sortloot statushilites statuslines suppress_alert symset whatis_coord
    whatis_filter
    """.split()  # noqa: SIM905
)
"""Options with a value."""
_HERO: Final = {"name", "role", "race", "gender", "align", "alignment", "playmode", "character"}
"""Who is played, which the log's header says, too."""
_OURS: Final = {"bones", "mail"}
"""What no game in a log has."""
_STATEMENTS: Final = {
    "OPTIONS": 4,
    "AUTOCOMPLETE": 5,
    "AUTOPICKUP_EXCEPTION": 5,
    "BINDINGS": 4,
    "BOULDER": 3,
    "CATNAME": 3,
    "DOGNAME": 3,
    "HILITE_STATUS": 6,
    "MENUCOLOR": 9,
    "MSGTYPE": 7,
    "ROGUESYMBOLS": 4,
    "SYMBOLS": 4,
    "WARNINGS": 5,
    "NAME": 4,
    "ROLE": 4,
    "CHARACTER": 4,
}
"""The statements of a player's file that are taken, and how many letters of them NetHack needs."""
_NEGATIONS: Final = ("!", "no")
_VALUE: Final = re.compile(r"[A-Za-z0-9 _+.$?!/\"=%()*\[\]{}#;:'`@|^<>&~-]{0,128}")
"""What a value may consist of: printable, and no comma or backslash, by which one option could become another."""
_STATEMENT: Final = re.compile(r"([A-Za-z_]+) *[=:] *([ -~]{1,250})")
"""A statement: all that is printable, and shorter than what NetHack reads of a line."""
_CONTINUED: Final = re.compile(r"\\\r?\n[ \t]*")
_SHOWN: Final = 30  # characters of what is wrong


class OptionsFile(NamedTuple):
    """What a player's file says: who is to be played, words and statements for NetHack, and what is left out."""

    hero: dict[str, str]
    words: list[str]
    statements: list[str]
    faults: list[str]


def read_options(text: str) -> OptionsFile:
    """What the text of a `.nethackrc` says, of all that a game in a log can have; later lines come before earlier ones,
    as with NetHack.
    """
    found = OptionsFile({}, [], [], [])
    for number, line in _lines(text):
        if fault := _take(line, found):
            found.faults.append(f"line {number}: {fault}")
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; one that ends with a backslash goes on in the next."""
    joined = _CONTINUED.sub(lambda found: "\v", text)
    number = 1
    for line in joined.split("\n"):
        stripped = line.replace("\v", "").strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped
        number += 1 + line.count("\v")


def _take(line: str, found: OptionsFile) -> str:
    """Take a line of a file; returns what is wrong with it, or with some of its options."""
    parsed = _STATEMENT.fullmatch(line)
    if parsed is None:
        return "no statement that NetHack has"
    name, value = _statement_of(parsed[1]), parsed[2]
    if not name:
        return f"no statement that a game in a log can have: {parsed[1][:_SHOWN]}"
    if name in ("NAME", "ROLE", "CHARACTER"):
        found.hero["name" if name == "NAME" else "role"] = value
    elif name != "OPTIONS":
        found.statements.append(f"{name}={value}")
    else:
        words = [stripped for word in value.split(",") if (stripped := word.strip())]
        faults = [fault for word in reversed(words) if (fault := _take_word(word, found))]
        return "; ".join(reversed(faults))
    return ""


def _take_word(word: str, found: OptionsFile) -> str:
    if fault := _fault_of(word):
        return fault
    name, _, value = _split(word)
    if name in _HERO:
        found.hero["alignment" if name == "align" else "role" if name == "character" else name] = value.strip()
    elif _bare(name) not in _OURS:
        found.words.insert(0, word)
    return ""


def _statement_of(name: str) -> str:
    """The whole name of a statement; empty for one that is not taken."""
    upper = name.upper()
    return next((whole for whole, least in _STATEMENTS.items() if len(name) >= least and whole.startswith(upper)), "")


def _fault_of(word: str) -> str:
    """What is wrong with an option (``!autopickup``, ``fruit:apple``); empty if nothing is."""
    name, value, text = _split(word)
    told = name[:_SHOWN]
    if value is None:
        if name in _SWITCHES or _bare(name) in _SWITCHES or (name.startswith("!") and name[1:] in _VALUED):
            return ""
        return f"{told} needs a value" if name in _VALUED else f"no option that a game in a log can have: {told}"
    if name not in _VALUED:
        return f"{told} has no value" if name in _SWITCHES else f"no option that a game in a log can have: {told}"
    return "" if _VALUE.fullmatch(text) else f"no value of {name} that a game in a log can have: {text[:_SHOWN]}"


def _split(word: str) -> tuple[str, str | None, str]:
    """The name of an option in lower case, what stands before its value, if it has one, and the value."""
    found = re.match(r"([^:=]*)([:=]?)(.*)", word, re.DOTALL)
    assert found is not None
    return found[1].strip().lower(), found[2] or None, found[3]


def _bare(name: str) -> str:
    """The name of an option without what switches it off."""
    for negation in _NEGATIONS:
        if name.startswith(negation) and name not in _SWITCHES:
            return name.removeprefix(negation).removeprefix(" ")
    return name


def first_of_each(words: list[str]) -> list[str]:
    """The words without those whose option an earlier one has: NetHack complains of these."""
    found: dict[str, str] = {}
    for word in words:
        found.setdefault(_bare(_split(word)[0]) if "hilite_status" not in word else word, word)
    return [*found.values()]


def check_options(text: str) -> str:
    """The options of a game's beginning, as they are; raises :class:`Unsupported` for what no game in a log has."""
    words, *statements = text.split("\n")
    for word in words.split(","):
        if fault := _fault_of(word):
            raise Unsupported(fault)
    for line in statements:
        parsed = _STATEMENT.fullmatch(line)
        if parsed is None or not _statement_of(parsed[1]):
            raise Unsupported("no statement that a game in a log can have", found=line[:_SHOWN])
    return text


def number_pad(text: str) -> int:
    """What these options say of the number pad, as NetHack has it: 0 without, 1 to 4 with, -1 for a German keyboard."""
    for word in text.partition("\n")[0].split(","):
        name, value, number = _split(word)
        if _bare(name) == "number_pad":
            told = re.fullmatch(r"-1|[0-4]", number.strip())
            return int(told[0]) if told else int(value is None and name == "number_pad")
    return 0
