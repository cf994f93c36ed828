"""What the service of accounts does, and what it refuses: every request is answered by one line."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nhlog.accounts.broker import Broker
from nhlog.accounts.codes import digest_of, new_code
from nhlog.accounts.limits import OF_NETWORK as RULE
from nhlog.accounts.limits import network_of, wait_after
from nhlog.accounts.store import Store
from nhlog.config import Accounts, Config, Registration
from nhlog.players.bans import Ban, Bans
from nhlog.players.keys import KeyLine, parse_key
from tests.players.some_keys import ECDSA, FINGERPRINT, KEY

DATA = " ".join(KEY.split()[:2])
OTHER = " ".join(ECDSA.split()[:2])
PASSWORD = "correct horse battery"


class Server:
    """A store, its service, and a clock that is set."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.store, self.now = store, 1_000_000
        self.door = folder / "accounts.db"
        (folder / "players").mkdir()
        accounts = Accounts(store=self.door, registration=Registration.OPEN, reserved=("Wizard",), a_day_of_network=2)
        self.config = Config(players=folder / "players", accounts=accounts, administrators=("dora",))
        self.broker = Broker(store, lambda: self.config, lambda: self.now)

    def settle(self, **changed: Any) -> None:
        self.config = replace(self.config, accounts=replace(self.config.accounts, **changed))

    def ask(self, do: str, **fields: str) -> dict[str, Any]:
        answer = self.broker.answer(json.dumps({"do": do, "address": "192.0.2.7", **fields}).encode() + b"\n")
        assert answer.endswith(b"\n")
        assert answer.count(b"\n") == 1
        found = json.loads(answer)
        assert isinstance(found, dict)
        return found

    def refused(self, do: str, **fields: str) -> str:
        return str(self.ask(do, **fields)["refused"])

    def audited(self) -> list[tuple[str, str | None]]:
        lines = self.door.with_name("audit").read_text().splitlines()
        return [(act["action"], act["player"]) for act in map(json.loads, lines)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Store(tmp_path / "accounts.db", make=True) as store:
        yield Server(tmp_path, store)


def test_a_stranger_registers_with_a_key(server: Server) -> None:
    assert server.ask("welcome", key=DATA) == {"registration": "open"}
    assert server.ask("register", name="ann", key=DATA) == {"player": "ann"}
    assert server.store.keys == [KeyLine("ann", parse_key(KEY))]
    assert server.audited() == [("register", "ann")]
    assert FINGERPRINT in server.door.with_name("audit").read_text()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "bad player name"),
        ("../ann", "bad player name"),
        ("/etc/passwd", "bad player name"),
        ("a" * 21, "bad player name"),
        ("bones", "bad player name"),
        ("-oProxyCommand", "bad player name"),
        ("a\x1b[2J", "not a request"),
        ("ann\n", "not a request"),
        ("x" * 65, "not a request"),
        ("root", "nobody may be called root"),
        ("wizard", "nobody may be called wizard"),
        ("Dora", "nobody may be called Dora"),
        ("new", "nobody may be called new"),
        ("abcd-efgh-jkmn-pqrs", "must not look like a code"),
        ("Bob", "Bob is too similar to bob"),
        ("bob", "bob is taken"),
        ("old", "old is taken"),
    ],
)
def test_a_name_that_nobody_may_have(server: Server, name: str, why: str) -> None:
    (server.config.players / "OLD").mkdir()  # type: ignore[operator]
    server.store.add(KeyLine("bob", parse_key(ECDSA)), 5)
    assert why in server.refused("register", name=name, key=DATA)
    assert [account.name for account in server.store.accounts] == ["bob"]


def test_a_key_is_one_players(server: Server) -> None:
    server.ask("register", name="ann", key=DATA)
    assert server.refused("register", name="eve", key=DATA) == "this key already belongs to ann"
    assert [account.name for account in server.store.accounts] == ["ann"]


def test_one_registers_by_a_key_or_by_a_password(server: Server) -> None:
    for fields in ({}, {"key": DATA, "password": PASSWORD}):
        assert server.refused("register", name="ann", **fields) == "either a key or a password"
    assert "not a public key" in server.refused("register", name="ann", key="ssh-ed25519 AAAA")
    assert "bad password" in server.refused("register", name="ann", password="short")
    assert server.ask("register", name="ann", password=PASSWORD) == {"player": "ann"}


def test_where_registration_is_closed_nobody_registers(server: Server) -> None:
    server.settle(registration=Registration.CLOSED)
    assert server.ask("welcome", key=DATA) == {"registration": "closed"}
    assert server.refused("register", name="ann", key=DATA) == "registration is closed here"


def test_an_invitation_lets_so_many_register(server: Server) -> None:
    server.settle(registration=Registration.INVITED, a_day_of_network=9)
    server.store.invite(digest_of(code := new_code()), 1, server.now + 9, server.now)
    for wrong in ("", "code", new_code()):
        assert server.refused("register", name="ann", key=DATA, code=wrong).startswith("this is no invitation")
    assert "root" in server.refused("register", name="root", key=DATA, code=code)  # which does not use it up
    assert server.ask("register", name="ann", key=DATA, code=code) == {"player": "ann"}
    assert server.refused("register", name="bob", key=OTHER, code=code).startswith("this is no invitation")


def test_an_invitation_that_another_process_used_up_meanwhile_lets_nobody_register(tmp_path: Path) -> None:
    door = tmp_path / "accounts.db"

    class Late(Store):
        def has_invitation(self, digest: bytes, now: int) -> bool:
            found = super().has_invitation(digest, now)
            with Store(door) as other, other.change():
                assert other.use_invitation(digest, now)
            return found

    with Late(door, make=True) as store:
        server = Server(tmp_path, store)
        server.settle(registration=Registration.INVITED)
        store.invite(digest_of(code := new_code()), 1, server.now + 9, server.now)
        assert server.refused("register", name="ann", key=DATA, code=code).startswith("this is no invitation")
        assert store.accounts == []


def test_a_network_registers_so_many_a_day(server: Server) -> None:
    for name in ("ann", "bob"):
        assert server.ask("register", name=name, password=PASSWORD) == {"player": name}
    assert "too many have registered" in server.refused("register", name="cyn", password=PASSWORD)
    assert server.ask("register", name="cyn", password=PASSWORD, address="192.0.2.8") == {"player": "cyn"}
    server.now += 24 * 60 * 60
    assert server.ask("register", name="dan", password=PASSWORD) == {"player": "dan"}


def test_all_networks_together_register_so_many_a_day(server: Server) -> None:
    server.settle(a_day=2)
    for number, name in enumerate(("ann", "bob")):
        assert server.ask("register", name=name, password=PASSWORD, address=f"10.0.0.{number}") == {"player": name}
    assert "too many have registered" in server.refused("register", name="c", password=PASSWORD, address="10.0.0.9")


@pytest.mark.parametrize(
    ("ban", "fields"),
    [
        (Ban("ann", None, "no floods"), {"name": "ann", "key": DATA}),
        (Ban(FINGERPRINT, None, "no floods", "key"), {"name": "eve", "key": DATA}),
        (Ban("192.0.2.0/24", None, "no floods", "network"), {"name": "eve", "key": OTHER}),
    ],
)
def test_who_is_banned_does_not_register_and_is_told_why(server: Server, ban: Ban, fields: dict[str, str]) -> None:
    Bans(server.door).put(ban)
    assert server.refused("register", **fields) == "you may not play here: no floods"
    assert server.store.accounts == []


def test_a_password_is_its_players(server: Server) -> None:
    server.ask("register", name="ann", password=PASSWORD)
    server.store.add(KeyLine("bob", parse_key(KEY)), 5)
    assert server.ask("log in", name="Ann", password=PASSWORD) == {"player": "ann"}
    for name, password in (("ann", "another password"), ("bob", PASSWORD), ("nobody", PASSWORD), ("bob", "")):
        assert server.refused("log in", name=name, password=password) == "wrong name or password"
    assert PASSWORD.encode() not in server.door.read_bytes()


def test_who_has_failed_too_often_waits_and_others_do_not(server: Server) -> None:
    server.ask("register", name="ann", password=PASSWORD)
    for _ in range(5):
        assert server.refused("log in", name="ann", password="wrong") == "wrong name or password"
    assert server.refused("log in", name="ann", password=PASSWORD) == "too many failures: try again in 1 s"
    assert server.refused("redeem", code=new_code()) == "too many failures: try again in 1 s"
    assert server.ask("log in", name="ann", password=PASSWORD, address="10.0.0.1") == {"player": "ann"}
    server.now += 1
    assert server.ask("log in", name="ann", password=PASSWORD) == {"player": "ann"}
    assert ("too many failures", "ann") in server.audited()


def test_a_name_that_many_networks_try_makes_its_player_wait_for_a_minute_at_most(server: Server) -> None:
    server.ask("register", name="ann", password=PASSWORD)
    for number in range(28):
        server.now += 60 if number > 20 else 0
        assert server.refused("log in", name="ann", password="wrong", address=f"10.0.{number}.1") != ""
    assert server.refused("log in", name="ann", password=PASSWORD) == "too many failures: try again in 60 s"
    server.now += 60
    assert server.ask("log in", name="ann", password=PASSWORD) == {"player": "ann"}


def test_a_code_lets_its_player_in_once(server: Server) -> None:
    server.ask("register", name="ann", key=DATA)
    code = server.ask("give code", name="ann")["code"]
    assert server.ask("redeem", code=code.upper()) == {"player": "ann"}
    assert server.refused("redeem", code=code).startswith("this code is wrong")
    code = server.ask("give code", name="ann")["code"]
    server.now += 600
    assert server.refused("redeem", code=code).startswith("this code is wrong")
    assert server.refused("give code", name="eve") == "eve was removed"


def test_whoever_is_removed_or_banned_does_not_come_back_by_a_code(server: Server) -> None:
    server.ask("register", name="ann", key=DATA)
    code = server.ask("give code", name="ann")["code"]
    Bans(server.door).put(Ban("ann", None, "floods"))
    assert server.refused("add key", code=code, key=OTHER) == "you may not play here: floods"
    assert server.refused("give code", name="ann") == "you may not play here: floods"
    Bans(server.door).lift("name", "ann")
    code = server.ask("give code", name="ann")["code"]
    server.store.remove("ann")
    assert server.refused("redeem", code=code).startswith("this code is wrong")
    assert server.refused("give code", name="ann") == "ann was removed"


def test_a_code_adds_a_key_and_sets_a_password(server: Server) -> None:
    server.ask("register", name="ann", key=DATA)
    code = server.ask("give code", name="ann")["code"]
    assert server.refused("add key", code=code, key=DATA) == "this key already belongs to ann"  # and is not used up
    assert server.ask("add key", code=code, key=OTHER) == {"player": "ann"}
    code = server.ask("give code", name="ann")["code"]
    assert "bad password" in server.refused("set password", code=code, password="short")
    assert server.ask("set password", code=code, password=PASSWORD) == {"player": "ann"}
    assert server.ask("log in", name="ann", password=PASSWORD) == {"player": "ann"}
    assert {line.key for line in server.store.keys} == {parse_key(KEY), parse_key(ECDSA)}
    assert server.audited() == [("register", "ann"), ("add key", "ann"), ("set password", "ann")]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"null\n",
        b"[]\n",
        b'{"do": "drop tables"}\n',
        b'{"do": "register"}\n',
        b'{"do": "register", "name": 5}\n',
        b'{"do": "register", "name": "ann", "more": ""}\n',
        b'{"do": "redeem", "code": "\\u001b[2J"}\n',
        b'{"do": "redeem", "code": "\\ud800"}\n',
        b'{"do": "welcome", "key": "' + b"A" * 30_000 + b'"}\n',
        b"[" * 30_000,
        b'{"do": "redeem", "code": "\xff"}\n',
    ],
)
def test_hostile_lines_are_answered_by_one(server: Server, line: bytes) -> None:
    answer = server.broker.answer(line)
    found = json.loads(answer)
    assert [*found] == ["refused"]
    assert found["refused"].isprintable()
    assert answer.count(b"\n") == 1


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2::7", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("", "nowhere"),
        ("'; DROP TABLE players", "nowhere"),
    ],
)
def test_a_network_is_what_a_household_has(address: str, network: str) -> None:
    assert network_of(address) == network


def test_each_failure_doubles_the_wait() -> None:
    def waits(failures: int, later: int) -> int:
        return wait_after([100] * failures, 100 + later, RULE)

    assert [waits(number, 0) for number in (0, 4, 5, 6, 7, 99)] == [0, 0, 1, 2, 4, 900]
    assert [waits(7, later) for later in (3, 4)] == [1, 0]
