"""Articles and plurals as the game forms them (perception spec section 1.6).

The tables are the game's, with all mistakes in its English.
"""

import re
from typing import Final

__all__ = ["article", "articled", "plural", "possessive"]

_NO_ARTICLE: Final = frozenset(
    ("molten lava", "iron bars", "ice", "solid rock", "eyewear", "boots", "gloves"),
)
_LIKE_CONSONANTS: Final = ("one-", "useful", "unicorn", "uranium", "eucalyptus")
_VOWELS: Final = frozenset("aeiouAEIOU")


def article(text: str) -> str:
    """The article for `text`, ``"a "`` or ``"an "``; empty if it takes none."""
    if text.startswith("the ") or text in _NO_ARTICLE:
        return ""
    return "an " if text[:1] in _VOWELS and not text.startswith(_LIKE_CONSONANTS) else "a "


def articled(text: str) -> str:
    """The text with its article."""
    return article(text) + text


def possessive(text: str) -> str:
    """The possessive: ``Medusa's``, ``Asmodeus'``."""
    return text + ("'" if text.endswith("s") else "'s")


_TAILS: Final = (
    *(" of ", " labeled ", " called ", " named ", " versus ", " from ", " in ", "-in-", " on ", " a la ", " with"),
    *(" de ", " d'", " du "),
)
_LAST_TAIL: Final = " above"

# Endings and what becomes of them, the first that matches; "^" is a whole word.  None: no change.
_ENDINGS: Final[tuple[tuple[str, str | None], ...]] = (
    ("^ya", None),
    *(
        (word, None)
        for word in [
            "ai",
            "fish",
            "tuna",
            "deer",
            "yaki",
            "sheep",
            "ninja",
            "ronin",
            "shito",
            "tengu",
            "manes",
            "ki-rin",
            "Nazgul",
            "gunyoki",
            "shuriken",
        ]
    ),
    ("shaman", "shamans"),
    ("human", "humans"),
    ("man", "men"),
    ("tooth", "teeth"),
    ("foot", "feet"),
    ("erinys", "erinyes"),
    ("mouse", "mice"),
    ("louse", "lice"),
    ("child", "children"),
    ("^ox", "oxen"),
    ("vax", "vaxen"),
    ("goose", "geese"),
    ("ium", "ia"),
    ("alga", "algae"),
    ("hypha", "hyphae"),
    ("larva", "larvae"),
    ("lotus", "lotuses"),
    ("wumpus", "wumpuses"),
    ("^bus", "buses"),
    ("us", "i"),
    ("rtex", "rtices"),
    ("djinni", "djinn"),
    ("efreeti", "efreet"),
    ("mumak", "mumakil"),
    ("sis", "ses"),
    ("matzoh", "matzot"),
    ("matzah", "matzot"),
    ("matzo", "matzot"),
    ("matza", "matzot"),
    ("eau", "eaux"),
    ("fe", "ves"),
    ("lf", "lves"),
    ("rf", "rves"),
    ("af", "aves"),
    ("ef", "eves"),
    ("proof", "proofs"),
    ("of", "oves"),
    ("uf", "uves"),
    ("staff", "staves"),
    ("z", "zes"),
    ("x", "xes"),
    ("s", "ses"),
    ("ch", "ches"),
    ("sh", "shes"),
    ("ato", "atoes"),
    ("ay", "ays"),
    ("ey", "eys"),
    ("iy", "iys"),
    ("oy", "oys"),
    ("uy", "uys"),
    ("y", "ies"),
)


def plural(text: str) -> str:
    """The plural: ``potions of water``, ``knives``, ``pair of boots``."""
    if text.startswith("pair of "):
        return text
    ends = [at for at in (text.find(tail) for tail in _TAILS) if at >= 0]
    if text.endswith(_LAST_TAIL):
        ends.append(len(text) - len(_LAST_TAIL))
    end = min(ends, default=len(text))
    head = text[:end].rstrip(" ")
    return _plural_word(head) + text[end:]


def _plural_word(word: str) -> str:
    if len(word) <= 1 or not re.fullmatch("[A-Za-z]", word[-1]):
        return word + "'s"
    for ending, becomes in _ENDINGS:
        if word == ending[1:] if ending[0] == "^" else word.endswith(ending):
            return word if becomes is None else word[: len(word) - len(ending.lstrip("^"))] + becomes
    return word + "s"
