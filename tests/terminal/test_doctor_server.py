"""`nhlog doctor` as root, on a server of players: its accounts, folders, keys and sshd, and nothing of root's own."""

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from nhlog.config import Accounts, Config, Registration
from nhlog.players import KeyFile
from nhlog.players.keys import KeyLine, parse_key
from nhlog.players.maintenance import Maintenance
from terminal.doctor.accounts import check_accounts
from terminal.doctor.finding import Finding, Health
from terminal.doctor.machine import check_kernels
from terminal.doctor.server import check_server, judge_common, judge_sshd

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a server")
ACCOUNT = 65534  # nobody
KEYS = Path("/etc/nhlog/authorized_keys")
ANNS = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO02w7i3TdWwPtRSyQ8lFcptiMC9tTyUEKTDyuJweQEV"
SSHD = f"""port 22
authenticationmethods publickey
disableforwarding yes
permituserrc no
authorizedkeysfile {KEYS}
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    for name in ("players", "finished"):
        (tmp_path / name).mkdir()
        os.chown(tmp_path / name, ACCOUNT, ACCOUNT)
    return Config(players=tmp_path / "players", finished=tmp_path / "finished")


def healths(found: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.checked, str(finding.health)) for finding in found]


@needs_root
def test_a_server_by_the_book_is_in_order(config: Config) -> None:
    assert healths([*check_server(config)])[:3] == [
        ("players", "ok"),
        ("folder: finished", "ok"),
        ("folder: players", "ok"),
    ]


@needs_root
def test_what_is_not_the_accounts_or_is_anybodys_is_told(config: Config) -> None:
    assert config.players
    assert config.finished
    os.chown(config.finished, 0, 0)
    config.players.chmod(0o777)
    assert healths([*check_server(config)])[1:3] == [("folder: finished", "broken"), ("folder: players", "limited")]
    config.finished.rmdir()
    assert healths([*check_server(config)])[1] == ("folder: finished", "broken")
    os.chown(config.players, 0, 0)
    assert healths([*check_server(config)])[0] == ("players", "broken")
    config.players.rmdir()
    assert healths([*check_server(config)]) == [("players", "broken")]


@needs_root
@pytest.mark.parametrize("spoilt", ["file", "folder", "owner"])
def test_who_else_could_add_a_key_is_told(config: Config, tmp_path: Path, spoilt: str) -> None:
    folder = Path(os.path.realpath(tmp_path)) / "etc"
    folder.mkdir()
    keys = folder / "authorized_keys"
    keys.touch(0o644)
    for place in tmp_path.parents:
        if place.stat().st_mode & 0o022 and not place.stat().st_mode & 0o1000:
            pytest.skip(f"others may write {place}")
    asked = Config(players=config.players, finished=config.finished, authorized_keys=keys)
    [found] = [finding for finding in check_server(asked) if finding.checked == "keys"]
    assert found.health is Health.OK
    {"file": lambda: keys.chmod(0o666), "folder": lambda: folder.chmod(0o777), "owner": lambda: os.chown(keys, 1, 1)}[
        spoilt
    ]()
    [found] = [finding for finding in check_server(asked) if finding.checked == "keys"]
    assert found.health is Health.BROKEN


@needs_root
def test_a_program_that_the_account_cannot_run_is_told(config: Config) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # pytest's own folders are out of the account's reach
        program, keys = Path(folder, "nhlog"), Path(folder, "authorized_keys")
        Path(folder).chmod(0o755)
        program.write_text("#!/bin/sh\necho nhlog 1, as $(id -u)\n")
        program.chmod(0o755)
        KeyFile(keys).add(KeyLine("ann", parse_key(ANNS)), str(program))
        asked = Config(players=config.players, finished=config.finished, authorized_keys=keys)
        assert told(asked, "lobby") == [("ok", f"nobody can run {program}: nhlog 1, as {ACCOUNT}")]
        program.chmod(0o700)
        assert told(asked, "lobby") == [("broken", f"nobody cannot run {program}: permission denied")]
        program.chmod(0o755)
        program.write_text("#!/bin/sh\nexit 1\n")
        assert told(asked, "lobby") == [("broken", f"nobody cannot run {program}: it does not say its version")]


def told(config: Config, checked: str) -> list[tuple[str, str]]:
    return [(str(finding.health), finding.found) for finding in check_server(config) if finding.checked == checked]


@needs_root
def test_maintenance_is_told(config: Config, tmp_path: Path) -> None:
    keys = tmp_path / "authorized_keys"
    keys.touch(0o644)
    server = replace(config, authorized_keys=keys)
    assert told(server, "maintenance") == [("ok", "games may begin")]
    Maintenance(1_800_000_000, "new disks").begin(keys)
    assert told(server, "maintenance") == [
        ("limited", "no new games: maintenance from 2027-01-15 08:00 UTC: new disks")
    ]
    keys.with_name("maintenance").write_text("?\n")
    [(health, found)] = told(server, "maintenance")
    assert (health, "not a time of maintenance" in found) == ("broken", True)


@needs_root
def test_administrators_without_an_account_of_their_own_are_told(config: Config) -> None:
    def asked(*names: str) -> list[tuple[str, str]]:
        return told(replace(config, administrators=names), "administrators")

    assert asked() == []
    assert asked("root", "daemon") == [("ok", "may take back any game: root, daemon")]
    assert asked("root", "no-such", "nor\x1bthis") == [("broken", "no account on this machine: no-such, nor\\x1bthis")]
    assert asked("nobody") == [("broken", "nobody is the account of all players")]


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ("disableforwarding yes", "disableforwarding no", "disableforwarding no"),
        ("permituserrc no\n", "", "permituserrc unset"),
        (str(KEYS), ".ssh/authorized_keys", "authorizedkeysfile .ssh/authorized_keys"),
        ("methods publickey", "methods any", "authenticationmethods any"),
    ],
)
def test_what_sshd_has_otherwise_is_told(line: str, instead: str, says: str) -> None:
    server = Config(authorized_keys=KEYS)
    assert judge_sshd(SSHD, "nhlog", server).health is Health.OK
    found = judge_sshd(SSHD.replace(line, instead), "nhlog", server)
    assert (found.health, says in found.found) == (Health.BROKEN, True)


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ("sfile none", f"sfile {KEYS}", f"authorizedkeysfile {KEYS}"),
        ("nhlog-keys /gone", "nhlog-keys /other", "authorizedkeyscommand /opt/nhlog/bin/nhlog-keys /other"),
        ("user nhlog-accounts", "user nhlog", "authorizedkeyscommanduser nhlog"),
        ("permituserrc no\n", "", "permituserrc unset"),
    ],
)
def test_what_sshd_has_otherwise_than_for_a_store_is_told(line: str, instead: str, says: str) -> None:
    server = Config(accounts=Accounts(store=Path("/gone/accounts.db")))
    sshd = SSHD.replace(
        f"authorizedkeysfile {KEYS}",
        "authorizedkeysfile none\n"
        "authorizedkeyscommand /opt/nhlog/bin/nhlog-keys /gone/accounts.db %t %k\n"
        "authorizedkeyscommanduser nhlog-accounts",
    )
    assert judge_sshd(sshd, "nhlog", server).health is Health.OK
    found = judge_sshd(sshd.replace(line, instead), "nhlog", server)
    assert (found.health, says in found.found) == (Health.BROKEN, True)


@needs_root
def test_a_store_is_an_accounts_of_its_own(config: Config, tmp_path: Path) -> None:
    def found() -> tuple[str, str]:
        [store, *_] = check_accounts(accounts, ACCOUNT)
        return store.health.value, store.found

    accounts = Accounts(store=tmp_path / "kept" / "accounts.db")
    assert found() == ("broken", f"{tmp_path}/kept: no such file or directory")
    (tmp_path / "kept").mkdir()
    accounts.store.touch(0o600)  # type: ignore[union-attr]
    for user in (0, ACCOUNT):
        for path in (tmp_path / "kept", accounts.store):
            os.chown(path, user, user)  # type: ignore[arg-type]
        assert found()[0] == "broken"
    for path in (tmp_path / "kept", accounts.store):
        os.chown(path, 1, 1)  # type: ignore[arg-type]
    assert found() == ("ok", f"daemon alone can read {accounts.store}")
    accounts.store.chmod(0o644)  # type: ignore[union-attr]
    assert found() == ("broken", f"others can read {accounts.store} or write beside it")


def test_a_service_that_does_not_run_is_told(tmp_path: Path) -> None:
    for registration, health in ((Registration.OPEN, Health.BROKEN), (Registration.CLOSED, Health.LIMITED)):
        *_, service = check_accounts(Accounts(store=tmp_path / "accounts.db", registration=registration), ACCOUNT)
        assert (service.health, "no such file or directory" in service.found) == (health, True)


def test_a_server_without_compiled_kernels_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminal.doctor.machine.COMPILED", False)
    monkeypatch.delenv("NHLOG_KERNELS", raising=False)
    assert (check_kernels(serves=True).health, check_kernels().health) == (Health.BROKEN, Health.LIMITED)


LOOK = """
import sys
from pathlib import Path
from nhlog.config import Config
from terminal.doctor.checks import check_places
print(*check_places(Config(players=Path(sys.argv[1]), finished=Path(sys.argv[2]))), sep="\\n")
"""


@needs_root
def test_nothing_is_told_of_roots_own_folders(config: Config) -> None:
    command = [sys.executable, "-c", LOOK, str(config.players), str(config.finished)]
    environment = os.environ | {"HOME": "/root", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    told = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert f"other processes see them in {config.players}" in told
    assert "/root" not in told


@needs_root
def test_what_is_nearly_used_up_by_all_players_is_told(config: Config) -> None:
    assert [judge_common(used, 1000).health for used in (0, 899)] == [Health.OK] * 2
    near, full = judge_common(900, 1000), judge_common(1000, 1000)
    assert (near.health, full.health) == (Health.LIMITED, Health.LIMITED)
    assert "dumps and bones of all players have 900 B of 1.0 kB: nearly all" in near.found
    assert "stays with their players" in full.found
    assert config.finished is not None
    (config.finished / "ann.it.one.txt").write_bytes(b"x" * 95)
    [found] = [one for one in check_server(replace(config, quota_common=100)) if one.checked == "quota_common"]
    assert found.health is Health.LIMITED


RULES = """
title = "November"
begin = 2026-11-01T00:00:00Z
end = 2026-12-01T00:00:00Z
[[trophies]]
title = "Most points"
most = "points"
"""


@needs_root
@pytest.mark.parametrize(
    ("rules", "mode", "health", "told"),
    [
        (RULES, 0o644, "ok", "November"),
        (RULES, 0o600, "broken", "the players' account cannot read"),
        ("title = 1", 0o644, "broken", "rules.toml"),
        (None, 0, "broken", "rules.toml"),
    ],
)
def test_a_tournament_that_the_lobby_cannot_read_is_told(
    config: Config, tmp_path: Path, rules: str | None, mode: int, health: str, told: str
) -> None:
    file = tmp_path / "rules.toml"
    if rules is not None:
        file.write_text(rules)
        file.chmod(mode)
    *_, found = check_server(replace(config, tournaments=(file,)))
    assert (found.checked, str(found.health)) == ("tournament: rules.toml", health)
    assert told in found.found
