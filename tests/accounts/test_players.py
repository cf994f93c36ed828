"""`nhlog players` on a server with a store of accounts: the same verb, and what only a store has."""

import os
import pwd
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from nhlog.accounts.codes import digest_of
from nhlog.accounts.store import Store
from nhlog.players import KeyFile
from nhlog.players.bans import Ban, Bans, Comer
from nhlog.players.keys import KeyLine, parse_key
from terminal.cli import main
from tests.players.some_keys import ECDSA, FINGERPRINT, KEY

Players = Callable[..., tuple[int, str, str]]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store; the account of nobody owns its folder if root runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "etc"))
    folder = tmp_path / "kept"
    for made in (tmp_path / "etc" / "nhlog", folder, tmp_path / "players"):
        made.mkdir(parents=True)
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        for above in (tmp_path, *tmp_path.parents[:-2]):
            above.chmod(0o755)
    path = folder / "accounts.db"
    config = f'players = "{tmp_path}/players"\n[accounts]\nstore = "{path}"\n'
    (tmp_path / "etc" / "nhlog" / "config.toml").write_text(config)
    return path


@pytest.fixture
def players(path: Path, capsys: pytest.CaptureFixture[str]) -> Players:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["players", *words])
        return code, *capsys.readouterr()

    return run


def test_players_are_added_listed_and_removed(players: Players, path: Path) -> None:
    assert players("add", "ann", KEY) == (0, f"ann can log in to play, by {FINGERPRINT}\n", "")
    assert players("add", "ANN", ECDSA)[::2] == (1, "nhlog: ANN is too similar to ann\n")
    assert [line.split()[:2] for line in players()[1].splitlines()[1:]] == [["ann", "play"]]
    assert players("remove", "ann")[0] == 0
    assert players("remove", "ann")[0] == 2
    assert [line.split() for line in players()[1].splitlines()[1:]] == [["ann"]]
    assert {file.name for file in path.parent.iterdir()} == {"accounts.db", "audit"}


def test_all_that_root_makes_beside_the_store_is_its_keepers(players: Players, path: Path) -> None:
    players("add", "ann", KEY)
    players("ban", "--network", "192.0.2.0/24")
    keeper = path.parent.stat().st_uid
    assert {file.name: file.stat().st_uid for file in path.parent.iterdir()} == dict.fromkeys(
        ("accounts.db", "audit", "bans"), keeper
    )


def test_a_file_of_keys_is_imported_once_with_its_bans(players: Players, path: Path, tmp_path: Path) -> None:
    old = tmp_path / "authorized_keys"
    KeyFile(old).add(KeyLine("ann", parse_key(KEY)), "/usr/bin/nhlog")
    KeyFile(old).add(KeyLine("guest", parse_key(ECDSA), spectator=True), "/usr/bin/nhlog")
    Bans(old).put(Ban("bob", None, "floods"))
    assert players("import", str(old))[:2] == (0, "2 keys of 2 and 1 ban are new in the store\n")
    assert players("import", str(old))[:2] == (0, "0 keys of 2 and 1 ban are new in the store\n")
    with Store(path) as store:
        assert store.keys == KeyFile(old).keys
    assert Bans(path).of(Comer("bob"), 0) == Ban("bob", None, "floods")


def test_a_backup_is_for_nobody_else_and_replaces_nothing(players: Players, tmp_path: Path) -> None:
    players("add", "ann", KEY)
    copy = tmp_path / "copy.db"
    assert players("backup", str(copy))[0] == 0
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert players("backup", str(copy))[0] == 2
    with Store(copy) as store:
        assert store.keys == [KeyLine("ann", parse_key(KEY))]


def test_a_code_and_an_invitation_are_printed_and_kept_as_digests(players: Players, path: Path) -> None:
    players("add", "ann", KEY)
    code, invitation = (players(*words)[1].split()[0] for words in (("code", "ann"), ("invite", "--uses", "2")))
    with Store(path) as store:
        assert store.take_code(digest_of(code), 0) == "ann"
        assert [store.use_invitation(digest_of(invitation), 0) for _ in range(3)] == [True, True, False]
    assert all(text.encode() not in path.read_bytes() for text in (code, invitation))
    assert players("code", "bob")[0] == 2


def test_a_player_who_was_taken_over_from_another_server_is_given_a_code(players: Players, path: Path) -> None:
    (path.parent.parent / "players" / "Cyn").mkdir()
    code = players("code", "Cyn")[1].split()[0]
    assert players("code", "cynthia")[0] == 2
    with Store(path) as store:
        assert store.take_code(digest_of(code), 0) == "Cyn"
        assert [account.name for account in store.accounts] == ["Cyn"]


def test_a_key_and_a_network_are_banned_until_they_are_not(players: Players, path: Path) -> None:
    assert players("ban", "--key", FINGERPRINT, "--for", "7d", "--reason", "sold")[0] == 0
    assert players("ban", "--network", "192.0.2.0/24")[0] == 0
    assert Bans(path).of(Comer("ann", FINGERPRINT), 0) is not None
    assert Bans(path).of(Comer("ann", "", "192.0.2.7"), 0) is not None
    assert players("unban", "--key", FINGERPRINT)[0] == 0
    assert players("unban", "--network", "192.0.2.0/24")[0] == 0
    assert Bans(path).all(0) == []


@pytest.mark.parametrize(
    "words",
    [
        ("ban",),
        ("ban", "bob", "--key", FINGERPRINT),
        ("ban", "--network", "192.0.2.7/24"),
        ("ban", "--key", "../x"),
        ("kick", "--network", "192.0.2.0/24"),
        ("code",),
        ("invite", "bob"),
        ("add", "bob"),
        ("list", "bob"),
    ],
)
def test_what_cannot_be_meant_is_refused(players: Players, words: tuple[str, ...]) -> None:
    code, out, err = players(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
