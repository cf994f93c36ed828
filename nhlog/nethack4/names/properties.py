"""The properties that things of FIQHack can have, as their names tell them: ``long sword of fire and speed``.

A name tells what the hero knows of them alone; that there are others, it tells with one word.  Weapons and what else is
worn have words of their own for the same property, up to four are told in full, more in short.
"""

from typing import Final

from nhlog.nethack4.tables import fork

__all__ = ["with_properties"]

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
