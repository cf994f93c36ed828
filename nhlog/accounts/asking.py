"""What sessions and pages ask the service of accounts: each a call that returns, or raises what the service refuses."""

import json
import os
import socket
from pathlib import Path
from typing import Any, Final, NamedTuple

from nhlog.accounts.requests import LONGEST, GiveCode, Redeem, Request, encode, socket_of
from nhlog.errors import NhlogError
from nhlog.files import reason

__all__ = ["Code", "Refused", "ask", "give_code", "redeem"]

_PATIENCE: Final = 15.0  # seconds: others may be asked about before us


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
