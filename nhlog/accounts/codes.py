"""Codes that are good for once: whoever types one, or follows a link with it, is who it was made for.

A code is 80 random bits, in letters and digits that are not mistaken for one another.  The store keeps its digest, so
who reads a backup of the store can do nothing with it; digests need no salt, as codes are not guessed.
"""

import re
import secrets
from typing import Final

from nhlog.errors import NhlogError

__all__ = ["CODE_LIFE", "SENT_CODE_LIFE", "BadCode", "digest_of", "is_code", "new_code"]

CODE_LIFE: Final = 600
"""Seconds for which a code is good that a player sees in the lobby."""

SENT_CODE_LIFE: Final = 24 * 60 * 60
"""Seconds for which one is good that an administrator sends to a player."""

_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz023456789"  # 32 of them: no i, l, o, 1
_LETTERS, _PART = 16, 4
_CODE: Final = re.compile(f"[{_ALPHABET}]{{{_LETTERS}}}")
_SHOWN: Final = re.compile(
    f"[{_ALPHABET}]{{{_PART}}}(-[{_ALPHABET}]{{{_PART}}}){{{_LETTERS // _PART - 1}}}", re.IGNORECASE
)


class BadCode(NhlogError):
    """A code that was never made, was used, or is too old."""


def new_code() -> str:
    """A code, as it is shown: in four parts."""
    letters = "".join(secrets.choice(_ALPHABET) for _ in range(_LETTERS))
    return "-".join(letters[at : at + _PART] for at in range(0, _LETTERS, _PART))


def is_code(text: str) -> bool:
    """Whether this is a code as it is shown, and so no name: who types it in the wrong place must not publish it."""
    return _SHOWN.fullmatch(text) is not None


def digest_of(code: str) -> bytes:
    """What the store has of a code, however its letters and parts are written; raises :class:`BadCode`."""
    from hashlib import sha256

    letters = re.sub("[- ]", "", code).lower()
    if not _CODE.fullmatch(letters):
        raise BadCode("not a code", expected="four times four letters and digits")
    return sha256(letters.encode()).digest()
