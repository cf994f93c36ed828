"""What a player may be called: a name is always one part of a path, one word of a shell, and printable."""

import re
from typing import Final

from nhlog.errors import Usage

__all__ = ["BONES", "MOST_LETTERS", "PROGRAMS", "checked_name", "is_name"]

BONES: Final = "bones"
"""What lies among the folders of players and is nobody's."""

PROGRAMS: Final = "programs"
"""What lies among the folders of bones and is no engine's: those of programs."""

MOST_LETTERS: Final = 20
_NAME: Final = re.compile(f"[A-Za-z][A-Za-z0-9_-]{{0,{MOST_LETTERS - 1}}}")


def is_name(text: str) -> bool:
    """Whether a player may be called so."""
    return _NAME.fullmatch(text) is not None and text.casefold() != BONES


def checked_name(text: str) -> str:
    """The name; raises :class:`Usage` for what nobody may be called."""
    if not is_name(text):
        raise Usage(
            "bad player name",
            expected=f"a letter, then letters, digits, - and _, at most {MOST_LETTERS} in all, and not {BONES}",
            found=repr(text),
        )
    return text
