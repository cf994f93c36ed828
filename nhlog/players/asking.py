"""What sessions and pages ask the service, and what it answers: a line of JSON each way.

A request is an object with `do`, which says what is wanted, and texts.  Each text is bounded and printable, so nothing
that is stored, written to the audit or shown to others can do anything to a terminal.  An answer has either `refused`,
which says why, or what was asked for.
"""

import json
import os
import socket
from pathlib import Path
from typing import Annotated, Any, Final, cast

import msgspec

from nhlog.decoding import json_decoder
from nhlog.errors import NhlogError, Usage
from nhlog.files import reason
from nhlog.values import NamedTuple

__all__ = [
    "LONGEST",
    "AddKey",
    "Code",
    "GiveCode",
    "LogIn",
    "Redeem",
    "Refused",
    "Register",
    "Request",
    "SetPassword",
    "Welcome",
    "ask",
    "encode",
    "give_code",
    "parse_request",
    "redeem",
    "socket_of",
]

SOCKET: Final = "accounts.socket"  # the file's name, beside the store

LONGEST: Final = 1 << 15  # bytes of a request with its newline: a key has at most half of that
_PATIENCE: Final = 15.0  # seconds: others may be asked about before us

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


class Refused(NhlogError):
    """What the service of accounts does not do, in its words."""


class Code(NamedTuple):
    """A code that makes whoever has it a player, once, before `until`, in seconds since 1970."""

    code: str
    until: int


def give_code(store: Path, name: str) -> Code:
    """Make a code for the player of this name, who has logged in: a link with it opens the player's page.

    It is good for ten minutes, and an earlier one is no more.  Raises :class:`NhlogError`.
    """
    answer = ask(store, GiveCode(name=name))
    return Code(str(answer["code"]), int(answer["until"]))


def redeem(store: Path, code: str, address: str) -> str:
    """The name of the player whose code this is, which is used up: of all who ask, one gets it.

    `address` is the IP address from which it was sent.  Raises :class:`Refused` for any other code, and after too many
    such of an address until some time is over; :class:`NhlogError` where no service answers.
    """
    return str(ask(store, Redeem(code=code[:64], address=address[:64]))["player"])


def ask(store: Path, request: Request) -> dict[str, Any]:
    """The answer of the service of this store; raises :class:`Refused`, and :class:`NhlogError` if there is none."""
    path = os.fspath(socket_of(store))
    try:
        with socket.socket(socket.AF_UNIX) as service:
            service.settimeout(_PATIENCE)
            service.connect(path)
            service.sendall(encode(request))
            with service.makefile("rb") as answered:
                line = answered.readline(LONGEST)
        answer = json.loads(line) if line.endswith(b"\n") else None
    except (OSError, ValueError, RecursionError) as error:
        why = reason(error) if isinstance(error, OSError) else "not an answer"
        raise NhlogError(f"the service of accounts does not answer: {why}", file=path) from None
    if not isinstance(answer, dict):
        raise NhlogError("the service of accounts does not answer", file=path)
    if "refused" in answer:
        raise Refused(str(answer["refused"]))
    return answer
