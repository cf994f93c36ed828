"""Keys and credentials of a NATS server's users, made here as the tool `nsc` makes them."""

import base64
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import nkeys

__all__ = ["key", "name_of", "server_of_operator", "write_credentials"]

_ALL = dict.fromkeys(
    (
        "subs",
        "data",
        "payload",
        "imports",
        "exports",
        "conn",
        "leaf",
        "mem_storage",
        "disk_storage",
        "streams",
        "consumer",
    ),
    -1,
)


def key(prefix: int) -> Any:
    """A pair of keys, of an operator, an account or a user."""
    return nkeys.from_seed(nkeys.encode_seed(os.urandom(32), prefix))


def name_of(pair: Any) -> str:
    """The public key."""
    return str(pair.public_key.decode())


def server_of_operator(folder: Path, account: Any) -> str:
    """The configuration of a server that lets in whom this account has signed."""
    operator, system = key(nkeys.PREFIX_BYTE_OPERATOR), key(nkeys.PREFIX_BYTE_ACCOUNT)
    accounts = {
        name_of(account): _signed(operator, account, "account", limits=_ALL | {"wildcards": True}),
        name_of(system): _signed(operator, system, "account", limits=_ALL | {"mem_storage": 0, "disk_storage": 0}),
    }
    return (
        f'listen: "127.0.0.1:-1"\njetstream {{ store_dir: "{folder}" }}\n'
        f"operator: {_signed(operator, operator, 'operator')}\nsystem_account: {name_of(system)}\n"
        f"resolver: MEMORY\nresolver_preload {json.dumps(accounts)}\n"
    )


def write_credentials(file: Path, account: Any) -> Path:
    """The `.creds` file of a user whom this account signs."""
    user = key(nkeys.PREFIX_BYTE_USER)
    signed = _signed(account, user, "user", pub={}, sub={}, subs=-1, data=-1, payload=-1)
    file.write_text(
        f"-----BEGIN NATS USER JWT-----\n{signed}\n------END NATS USER JWT------\n\n"
        f"-----BEGIN USER NKEY SEED-----\n{user.seed.decode()}\n------END USER NKEY SEED------\n"
    )
    return file


def _signed(issuer: Any, subject: Any, kind: str, **claims: Any) -> str:
    """What an issuer says of somebody, as a JWT."""
    told = {"iat": int(time.time()), "iss": name_of(issuer), "name": kind, "sub": name_of(subject)}
    told["nats"] = {**claims, "type": kind, "version": 2}
    told["jti"] = base64.b32encode(hashlib.sha256(_json(told)).digest()).rstrip(b"=").decode()
    text = b".".join(_base64(_json(part)) for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, told))
    return b".".join((text, _base64(issuer.sign(text)))).decode()


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _base64(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")
