"""Who is on a server, who may not come, and what administrators did."""

import json
import os
import stat
from pathlib import Path

import pytest

from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.players import PlayerFolder
from nhlog.players.audit import note
from nhlog.players.bans import Ban, Bans
from nhlog.players.sessions import attending, games_of, present


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
    assert bans.of("BOB", 99) == Ban("bob", 100, "floods  [2J")
    assert (bans.of("bob", 100), bans.of("ann", 1)) == (None, None)
    bans.put(Ban("Bob", None, "again"))
    assert bans.all(1000) == [Ban("cyn", None, ""), Ban("Bob", None, "again")]
    bans.lift("bob")
    assert bans.of("bob", 0) is None
    with pytest.raises(Usage, match="bob is not banned"):
        bans.lift("bob")


@pytest.mark.parametrize(
    "line", ["no JSON", "[]", '{"name": "bob"}', '{"name": "bob", "until": "never", "reason": ""}']
)
def test_a_damaged_list_of_bans_lets_nobody_in(keys: Path, line: str) -> None:
    keys.with_name("bans").write_text(f"{line}\n")
    with pytest.raises(Damaged, match="not a"):
        Bans(keys).of("ann", 0)


def test_a_ban_is_for_a_name(keys: Path) -> None:
    with pytest.raises(Usage, match="bad player name"):
        Bans(keys).put(Ban("../ann", None, ""))


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
