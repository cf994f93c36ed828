"""What sessions and pages ask the service, and what it answers: a line of JSON each way.

A request is an object with `do`, which says what is wanted, and texts.  Each text is bounded and printable, so nothing
that is stored, written to the audit or shown to others can do anything to a terminal.  An answer has either `refused`,
which says why, or what was asked for.
"""

import json
from pathlib import Path
from typing import Annotated, Any, Final, cast

import msgspec

from nhlog.decoding import json_decoder
from nhlog.errors import Usage

__all__ = [
    "LONGEST",
    "AddKey",
    "GiveCode",
    "LogIn",
    "Redeem",
    "Register",
    "Request",
    "SetPassword",
    "Welcome",
    "encode",
    "parse_request",
    "socket_of",
]

SOCKET: Final = "accounts.socket"  # the file's name, beside the store

LONGEST: Final = 1 << 15  # bytes of a request with its newline: a key has at most half of that

_Short = Annotated[str, msgspec.Meta(max_length=64)]
_Password = Annotated[str, msgspec.Meta(max_length=1024)]
_Key = Annotated[str, msgspec.Meta(max_length=1 << 14)]


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True):
    """What all have: the address from which whoever asks came by ssh or to the page; empty if that is not known."""

    address: _Short = ""


class Welcome(_Request, frozen=True, tag="welcome"):
    """May somebody with this key, or with none, register?"""

    key: _Key = ""


class Register(_Request, frozen=True, tag="register"):
    """Make an account of this name, to which the key or the password belongs; `code` is an invitation."""

    name: _Short
    key: _Key = ""
    password: _Password = ""
    code: _Short = ""


class LogIn(_Request, frozen=True, tag="log in"):
    """Is this the password of the player of this name?"""

    name: _Short
    password: _Password


class GiveCode(_Request, frozen=True, tag="give code"):
    """Make a code that is good for the player of this name, who has logged in already."""

    name: _Short


class Redeem(_Request, frozen=True, tag="redeem"):
    """Whose is this code, which is used up by asking?"""

    code: _Short


class AddKey(_Request, frozen=True, tag="add key"):
    """Let this key in as whose code it is."""

    code: _Short
    key: _Key


class SetPassword(_Request, frozen=True, tag="set password"):
    """Let whose code it is log in by this password."""

    code: _Short
    password: _Password


Request = Welcome | Register | LogIn | GiveCode | Redeem | AddKey | SetPassword


def socket_of(store: Path) -> Path:
    """Where the service of a store listens."""
    return store.with_name(SOCKET)


def parse_request(line: bytes) -> Request:
    """The request in a line; raises :class:`Usage` for anything else."""
    try:
        found: Request = json_decoder(cast("type[Request]", Request)).decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Usage("not a request") from None
    if not all(getattr(found, name).isprintable() for name in found.__struct_fields__):
        raise Usage("not a request: a character that cannot be shown")
    return found


def encode(value: Request | dict[str, Any]) -> bytes:
    """A request or an answer as a line."""
    return (msgspec.json.encode(value) if isinstance(value, msgspec.Struct) else json.dumps(value).encode()) + b"\n"
