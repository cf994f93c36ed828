"""Logging in by keys: a seed, and the credentials that an account has signed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from nhlog.config import Relay
from nhlog.errors import RemoteUnreachable, Usage
from nhlog.relay.connection import connected
from nhlog.relay.login import options_of
from tests.relay.server import nats_server, needs_nats_server

nkeys = pytest.importorskip("nkeys")

from tests.relay.keys import key, name_of, server_of_operator, write_credentials  # noqa: E402 (it needs nkeys)


async def reach(url: str, **settled: Any) -> None:
    async with connected(
        url, options_of(Relay(options={name: str(value) for name, value in settled.items()}))
    ) as there:
        await there.make_stream()


@needs_nats_server
def test_who_has_the_seed_of_a_key_that_the_server_knows_is_let_in(tmp_path: Path) -> None:
    known, unknown = key(nkeys.PREFIX_BYTE_USER), key(nkeys.PREFIX_BYTE_USER)
    for name, pair in (("known", known), ("unknown", unknown)):
        (tmp_path / name).write_bytes(pair.seed)
    (tmp_path / "nats").mkdir()
    users = f"authorization {{ users: [ {{ nkey: {name_of(known)} }} ] }}\n"
    config = f'listen: "127.0.0.1:-1"\njetstream {{ store_dir: "{tmp_path}/nats" }}\n{users}'
    with nats_server(tmp_path / "nats", config) as server:
        asyncio.run(reach(server.url, nkeys_seed=tmp_path / "known"))
        with pytest.raises(RemoteUnreachable, match="Authorization Violation"):
            asyncio.run(reach(server.url, nkeys_seed=tmp_path / "unknown"))


@needs_nats_server
def test_whom_an_account_of_the_server_has_signed_is_let_in(tmp_path: Path) -> None:
    account = key(nkeys.PREFIX_BYTE_ACCOUNT)
    signed = write_credentials(tmp_path / "north.creds", account)
    other = write_credentials(tmp_path / "other.creds", key(nkeys.PREFIX_BYTE_ACCOUNT))
    with nats_server(tmp_path, server_of_operator(tmp_path, account)) as server:
        asyncio.run(reach(server.url, user_credentials=signed))
        with pytest.raises(RemoteUnreachable, match="Authorization Violation"):
            asyncio.run(reach(server.url, user_credentials=other))


def test_files_that_hold_no_secret_are_told(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    for name in ("user_credentials", "nkeys_seed"):
        for file in ("empty", "missing"):
            with pytest.raises(Usage, match=name):
                options_of(Relay(options={name: str(tmp_path / file)}))
