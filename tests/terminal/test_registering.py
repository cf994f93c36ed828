"""Somebody whose key nobody has answers questions in a terminal, and is in the lobby."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from nhlog.accounts.store import Store
from nhlog.players.asking import Register, ask, give_code, redeem
from nhlog.players.keys import parse_key
from tests.accounts.test_serving import serving
from tests.conftest import Done
from tests.players.some_keys import ECDSA, FINGERPRINT, KEY
from tests.terminal.pty import NHLOG, Pty

DATA = " ".join(KEY.split()[:2])
PASSWORD = "correct horse battery"


class Site:
    """A server in `folder` whose service runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "kept" / "accounts.db"
        for made in ("etc/nhlog", "kept", "players"):
            (folder / made).mkdir(parents=True)
        self.settle("open")

    def settle(self, registration: str) -> None:
        text = f'players = "{self.folder}/players"\n[accounts]\nstore = "{self.store}"\n'
        (self.folder / "etc/nhlog/config.toml").write_text(f'{text}registration = "{registration}"\n')

    def opens(self, *words: str) -> Pty:
        environment = {"XDG_CONFIG_DIRS": str(self.folder / "etc"), "SSH_CONNECTION": "192.0.2.7 5022 10.0.0.1 22"}
        return Pty(*NHLOG, "accounts", *words, size=(100, 28), **environment)

    @property
    def names(self) -> list[str]:
        with Store(self.store) as store:
            return [account.name for account in store.accounts]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with ExitStack() as stack:
        site = Site(tmp_path)
        stack.enter_context(serving(tmp_path))
        yield site


def test_a_stranger_chooses_a_name_and_is_in_the_lobby(site: Site) -> None:
    with site.opens("register", *DATA.split()) as ann:
        ann.wait_for(FINGERPRINT)
        ann.wait_for("Your name or code")
        ann.send("../../etc/passwd\r")
        ann.wait_for("A name is a letter")
        ann.send("root\r")
        ann.wait_for("Play as root?")
        ann.send("y\r")
        ann.wait_for("Nobody may be called root here.")
        ann.send("ann\r")
        ann.wait_for("Play as ann?")
        ann.send("y\r")
        ann.wait_for("no games yet")
        assert (site.folder / "players" / "ann" / "games").is_dir()
        ann.send("L")
        [row] = [row for row in ann.wait_for("(once, within ten minutes)") if "(once" in row]
    assert redeem(site.store, row.split()[0], "192.0.2.7") == "ann"
    assert site.names == ["ann"]


@pytest.mark.parametrize("keys", ["\r", "\x04", "ann\rn\r\r", "\x1b[A\r"])
def test_who_leaves_has_left_nothing(site: Site, keys: str) -> None:
    with site.opens("register", *DATA.split()) as ann:
        ann.wait_for("Your name or code")
        ann.send(keys)
        ann.end()
    assert (site.names, os.listdir(site.folder / "players")) == ([], [])


def test_where_registration_is_closed_a_code_adds_the_key(site: Site) -> None:
    ask(site.store, Register(name="ann", key=" ".join(ECDSA.split()[:2])))
    site.settle("closed")
    with site.opens("register", *DATA.split()) as ann:
        ann.wait_for("No new players can register here now.")
        ann.wait_for("Your name or code")
        ann.send("bob\r")
        ann.wait_for("Play as bob?")
        ann.send("y\r")
        ann.wait_for("Registration is closed here.")
        ann.send(f"{give_code(site.store, 'ann').code}\r")
        ann.wait_for("no games yet")
    with Store(site.store) as store:
        assert {line.name for line in store.keys if line.key == parse_key(KEY)} == {"ann"}


def test_a_password_is_not_shown_and_lets_its_player_in(site: Site) -> None:
    with site.opens("login") as ann:
        ann.wait_for("Name:")
        ann.send("new\r")
        ann.wait_for("The name that you want:")
        ann.send("ann\r")
        ann.wait_for("A password, of at least 10 characters:")
        ann.send(f"{PASSWORD}\r")
        ann.wait_for("Again:")
        ann.send(f"{PASSWORD}\r")
        ann.wait_for("Play as ann?")
        ann.send("y\r")
        ann.wait_for("no games yet")
        assert PASSWORD.encode() not in ann.written
    with site.opens("login") as ann:
        ann.wait_for("Name:")
        ann.send("ann\r")
        ann.wait_for("Password:")
        ann.send("another one\r")
        ann.wait_for("Wrong name or password.")
        ann.wait(lambda rows: rows[[i for i, row in enumerate(rows) if row][-1]].endswith("Name:"))
        ann.send("ann\r")
        ann.wait(lambda rows: rows[[i for i, row in enumerate(rows) if row][-1]].endswith("Password:"))
        ann.send(f"{PASSWORD}\r")
        ann.wait_for("no games yet")
        assert PASSWORD.encode() not in ann.written


def test_without_a_terminal_nothing_is_asked(
    site: Site, nhlog: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(site.folder / "etc"))
    done = nhlog("accounts", "register", *DATA.split())
    assert (done.code, "only questions can be answered here" in done.err) == (2, True)
