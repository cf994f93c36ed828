"""What sessions ask the service of accounts: every line is answered by one, and nobody gets what is somebody else's.

A case is a line for each request, which are asked one after the other.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

from nhlog.accounts.broker import Broker
from nhlog.accounts.codes import digest_of
from nhlog.accounts.store import Store
from nhlog.config import Accounts, Config, Registration
from nhlog.errors import Usage
from nhlog.players.keys import KeyLine, parse_key
from nhlog.players.names import is_name
from scripts.fuzzing.mutants.change import TEXTS, bend_bytes, bend_json, json_bytes, rarely
from scripts.fuzzing.rules import Begin, Broken, check_text

__all__ = ["act", "mutant"]

_ANNS: Final = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPrhTazTv/gsVFcw6YUZPl8HxGACQ2U9M0TxaXO0fwgl"
_OTHER: Final = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO02w7i3TdWwPtRSyQ8lFcptiMC9tTyUEKTDyuJweQEV"
_CODE: Final = "abcd-efgh-jkmn-pqrs"
_REQUESTS: Final[tuple[Mapping[str, Any], ...]] = (
    {"do": "welcome", "key": _OTHER, "address": "192.0.2.7"},
    {"do": "register", "name": "bob", "key": _OTHER, "password": "", "code": "", "address": "192.0.2.7"},
    {"do": "register", "name": "Ann", "key": _ANNS, "code": _CODE, "address": "2001:db8::7"},
    {"do": "give code", "name": "ann"},
    {"do": "redeem", "code": _CODE, "address": ""},
    {"do": "add key", "code": _CODE, "key": _OTHER, "address": "::ffff:192.0.2.7"},
    {"do": "set password", "code": _CODE, "password": "short", "address": "fe80::1%eth0"},
)


def mutant(chance: Random) -> Mapping[str, bytes]:
    """Some requests, bent as values or as bytes."""
    lines = []
    for _ in range(chance.choice((1, 3, 9))):
        value: Any = dict(chance.choice(_REQUESTS))
        if rarely(chance, 3):
            value[chance.choice((*value, "more"))] = chance.choice(TEXTS)
        for _ in range(chance.choice((0, 0, 1, 2))):
            value = bend_json(chance, value)
        data = json_bytes(chance, value).replace(b"\n", b" ")
        lines.append(bend_bytes(chance, data).replace(b"\n", b" ") if rarely(chance, 3) else data)
    return {"case/requests": b"\n".join(lines)}


def act(case: Path, chance: Random, begin: Begin) -> None:
    """Ask them of a service on whose server Ann is."""
    store = case / "accounts.db"
    registration = chance.choice(list(Registration))
    config = Config(players=case, accounts=Accounts(store=store, registration=registration))
    ann = KeyLine("ann", parse_key(_ANNS))
    with Store(store, make=True) as accounts:
        accounts.add(ann, 1)
        accounts.keep_code("ann", digest_of(_CODE), 100, 1)
        broker = Broker(accounts, lambda: config, lambda: 50)
        for number, line in enumerate((case / "requests").read_bytes().split(b"\n")):
            begin(f"request {number}")
            _check_answer(broker.answer(line))
        begin("accounts")
        if accounts.owner_of(ann.key) != ann:
            raise Broken("Ann's key is not hers")
        if not all(is_name(account.name) for account in accounts.accounts):
            raise Broken("a name that nobody may have")
        for account in accounts.accounts:
            if account.name != "ann" and registration is Registration.CLOSED:
                raise Broken("somebody registered where nobody may")
        for key in accounts.keys:
            try:
                parse_key(f"{key.key.kind} {key.key.data}")
            except Usage:
                raise Broken("a key that is none") from None


def _check_answer(answer: bytes) -> None:
    """An answer is a line, with either what was asked for, or why that is refused."""
    found = json.loads(answer)
    if answer.count(b"\n") != 1 or not answer.endswith(b"\n") or not isinstance(found, dict):
        raise Broken("not one line")
    if "refused" in found:
        check_text(found["refused"])
    elif [*found] not in (["player"], ["registration"], ["code", "until"]):
        raise Broken("an answer to nothing")
