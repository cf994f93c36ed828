"""Passwords as they are kept: by argon2id, with the parameters of argon2-cffi (RFC 9106, low memory: 64 MB, 40 ms).

A name that nobody has takes as long to refuse as a password that is wrong.
"""

from functools import cache
from typing import Any, Final

from nhlog.errors import Unsupported, Usage

__all__ = ["LEAST", "MOST", "checked_password", "hash_password", "is_password"]

LEAST, MOST = 10, 200  # characters
_NOBODYS: Final = "nobody has this password, and nobody can have it, as it is never compared"


def checked_password(text: str) -> str:
    """The password; raises :class:`Usage` for one that is not to be used."""
    if not LEAST <= len(text) <= MOST or not text.isprintable():
        raise Usage("bad password", expected=f"{LEAST} to {MOST} characters that can be shown")
    return text


def hash_password(text: str) -> str:
    """What is kept of a password."""
    return str(_hasher().hash(text))


def is_password(text: str, kept: str | None) -> bool:
    """Whether this is the password of which `kept` is kept; never if none is, which takes as long to say."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return bool(_hasher().verify(_dummy() if kept is None else kept, text)) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> Any:
    try:
        from argon2 import PasswordHasher
    except ModuleNotFoundError:
        raise Unsupported("passwords need argon2-cffi", expected="pip install 'nhlog[server]'") from None
    return PasswordHasher()


@cache
def _dummy() -> str:
    return hash_password(_NOBODYS)
