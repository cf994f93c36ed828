"""Who is on a server, who may not come, and what administrators did."""

import json
import os
import stat
from pathlib import Path

import pytest

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.players import PlayerFolder
from nhlog.players.audit import note
from nhlog.players.bans import Ban, Bans, Comer
from nhlog.players.sessions import attending, games_of, present
from tests.players.some_keys import FINGERPRINT


@pytest.fixture
def folder(tmp_path: Path) -> PlayerFolder:
    folder = PlayerFolder("ann", tmp_path / "ann")
    folder.make()
    return folder


def test_a_player_is_there_as_long_as_the_lobby_is(folder: PlayerFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "2001:db8::7 50022 10.0.0.1 22")
    assert present(folder) == []
    with attending(folder):
        [there] = present(folder)
        assert (there.process.pid, there.address) == (os.getpid(), "2001:db8::7")
        assert games_of(folder) == {}
    assert (present(folder), os.listdir(folder.running)) == ([], [])


def test_what_a_killed_lobby_left_is_nobody(folder: PlayerFolder) -> None:
    (folder.running / "1.session").write_text('{"address": "10.0.0.1"}')
    (folder.running / "it.lock").write_text("/somewhere")
    (folder.running / f"{os.getpid()}.session").write_text("of a process that had this number")
    assert (present(folder), games_of(folder)) == ([], {})
    with attending(folder):
        assert [there.address for there in present(folder)] == [""]


@pytest.mark.parametrize("said", ["\x1b[2J 1 2 3", "", "a" * 99 + " 1"])
def test_an_address_that_is_none_is_not_told(folder: PlayerFolder, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("SSH_CONNECTION", said)
    with attending(folder):
        assert [there.address for there in present(folder)] == [""]


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "authorized_keys"


def test_a_ban_holds_for_its_time_under_any_spelling_and_until_it_is_lifted(keys: Path) -> None:
    bans = Bans(keys)
    bans.put(Ban("bob", 100, "floods\n\x1b[2J"))
    bans.put(Ban("cyn", None, ""))
    assert bans.of(Comer("BOB"), 99) == Ban("bob", 100, "floods  [2J")
    assert (bans.of(Comer("bob"), 100), bans.of(Comer("ann"), 1)) == (None, None)
    bans.put(Ban("Bob", None, "again"))
    assert bans.all(1000) == [Ban("cyn", None, ""), Ban("Bob", None, "again")]
    bans.lift("name", "bob")
    assert bans.of(Comer("bob"), 0) is None
    with pytest.raises(Usage, match="bob is not banned"):
        bans.lift("name", "bob")


NEVER = '"until": null, "reason": ""'


@pytest.mark.parametrize(
    "line",
    [
        *("no JSON", "[]", '{"name": "bob"}', '{"name": "bob", "until": "never", "reason": ""}'),
        *(f'{{"key": "SHA256:x", {NEVER}}}', f'{{"network": "10.0.0.1/8", {NEVER}}}', f'{{"game": "x", {NEVER}}}'),
    ],
)
def test_a_damaged_list_of_bans_lets_nobody_in(keys: Path, line: str) -> None:
    keys.with_name("bans").write_text(f"{line}\n")
    with pytest.raises(Damaged, match="not a"):
        Bans(keys).of(Comer("ann"), 0)


@pytest.mark.parametrize(
    ("ban", "told"),
    [
        (Ban("../ann", None, ""), "bad player name"),
        (Ban("bob", None, "", "key"), "not the fingerprint of a key"),
        (Ban("10.0.0.1/8", None, "", "network"), "not a network"),
        (Ban("\x1b[2J", None, "", "network"), "not a network"),
    ],
)
def test_a_ban_is_for_a_name_a_key_or_a_network(keys: Path, ban: Ban, told: str) -> None:
    with pytest.raises(Usage, match=told) as refused:
        Bans(keys).put(ban)
    assert str(refused.value).isprintable()


def test_a_key_and_a_network_are_banned_whatever_the_name_is(keys: Path) -> None:
    bans = Bans(keys)
    bans.put(Ban(FINGERPRINT, None, "", "key"))
    bans.put(Ban("10.1.0.0/16", 100, "floods", "network"))
    bans.put(Ban("2001:db8::/32", None, "", "network"))
    assert bans.of(Comer("ann", FINGERPRINT), 1) == Ban(FINGERPRINT, None, "", "key")
    assert bans.of(Comer("ann", "SHA256:other", "10.1.2.3"), 99) == Ban("10.1.0.0/16", 100, "floods", "network")
    assert bans.of(Comer("", "", "2001:db8:1::7%eth0"), 1) is not None
    for free in (Comer("ann", "", "10.2.0.1"), Comer("ann", "", "no address"), Comer(), Comer("ann", "", "10.1.2.3")):
        assert bans.of(free, 100) is None
    bans.lift("network", "2001:db8::/32")
    assert bans.of(Comer("", "", "2001:db8::7"), 1) is None


def test_what_was_done_is_added_and_never_taken_away(keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDO_USER", "dora")
    note(keys, "kick", "bob")
    note(keys, "ban", "bob", "for \n ever")
    audit = keys.with_name("audit")
    told = [json.loads(line) for line in audit.read_text().splitlines()]
    assert [(act["by"], act["action"], act["player"], act["detail"]) for act in told] == [
        ("dora", "kick", "bob", ""),
        ("dora", "ban", "bob", "for \n ever"),
    ]
    assert stat.S_IMODE(audit.stat().st_mode) == 0o600


def test_an_audit_that_cannot_be_written_is_an_error(keys: Path) -> None:
    keys.with_name("audit").mkdir()
    with pytest.raises(NhlogError, match="not a regular file but a directory"):
        note(keys, "kick", "bob")
