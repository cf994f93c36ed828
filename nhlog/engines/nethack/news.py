"""What happens to a hero that is worth a marker, besides what numbers tell: states, and deeds as NetHack tells them."""

import re
from collections.abc import Iterable
from typing import Final

from nhlog.engines.nethack.seen import Seen

__all__ = ["deeds_in", "firsts_in", "identified_in", "states_of"]

_STARVING: Final = {"weak": "weak", "fainting": "fainting", "fainted": "fainting", "starved": "fainting"}
"""Who faints wakes up, and faints again: that is one state."""
_USUAL: Final = frozenset({"deaf"})  # as who faints is, again and again

_DEEDS: Final = (
    (re.compile(r"You begin praying to"), "prayer"),
    (re.compile(r"You may wish for an object"), "wish"),
    (re.compile(r"Thou hast angered me"), "anger of a god"),
)
_FIRSTS: Final = (
    (re.compile(r"Welcome(?: again)? to ([\w' -]{1,60}?)!"), "{}"),
    (re.compile(r"You (?:kill|destroy) (?:the |poor )?([\w' -]{1,60}?)!"), "kills {}"),
)
_PLAIN: Final = frozenset({"water", "holy water", "unholy water"})
_IDENTIFIED: Final = re.compile(
    r"(?:an?|the|\d+) (?:(?!called|named|labeled)[a-z0-9+-]+ ){0,6}"
    r"(amulet|potion|ring|scroll|spellbook|wand)s? of ([a-z' -]{1,40}?)(?: named .*| \(.*)?"
)
"""What something is called in the pack whose kind has another appearance in each game, when that kind is known."""


def states_of(seen: Seen) -> tuple[str, ...]:
    """How the hero is, where that is not as it should be, or as it usually is."""
    hungry = _STARVING.get(seen.hunger)
    return (*([hungry] if hungry else ()), *(word for word in seen.conditions if word not in _USUAL))


def deeds_in(message: str) -> tuple[str, ...]:
    """What a message tells that counts each time."""
    return tuple(name for pattern, name in _DEEDS if pattern.search(message))


def firsts_in(message: str) -> tuple[str, ...]:
    """What a message tells that counts the first time: a shop that is entered, a kind of monster that is killed."""
    return tuple(name.format(found) for pattern, name in _FIRSTS for found in pattern.findall(message))


def identified_in(captions: Iterable[str]) -> tuple[str, ...]:
    """The kinds of things that are known for what they are, of what those in the pack are called.

    Not those that are so from the beginning, as water is.
    """
    found = [match.groups() for caption in captions if (match := _IDENTIFIED.fullmatch(caption))]
    return tuple(dict.fromkeys(f"identifies {kind} of {name}" for kind, name in found if name not in _PLAIN))
