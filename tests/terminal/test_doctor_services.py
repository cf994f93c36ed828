"""What `nhlog doctor` finds of the system that a server of players stands on."""

import os
import pwd
import subprocess
from pathlib import Path

import pytest

from nhlog.config import Config, GameProgram, Relay
from terminal.doctor.finding import Health
from terminal.doctor.services import check_services, judge_units

SHOWN = """Id=nhlog-tidy.timer
LoadState=loaded
ActiveState=active

Id=nhlog-serve.service
LoadState={load}
ActiveState={active}
TasksMax=512

Id=user-999.slice
LoadState=loaded
ActiveState=active
TasksMax={tasks}
MemoryMax=12345
"""


@pytest.mark.parametrize(
    ("load", "active", "tasks", "expected"),
    [
        ("loaded", "active", "4000", ["ok", "ok", "ok"]),
        ("loaded", "failed", "4000", ["ok", "broken", "ok"]),
        ("not-found", "inactive", "infinity", ["ok", "limited", "limited"]),
    ],
)
def test_units_are_judged_by_what_systemd_says(load: str, active: str, tasks: str, expected: list[str]) -> None:
    found = [*judge_units(SHOWN.format(load=load, active=active, tasks=tasks), "user-999.slice")]
    assert [str(finding.health) for finding in found] == expected


def test_of_units_that_systemd_says_nothing_of_none_is_there() -> None:
    assert {finding.health for finding in judge_units("\x1b[2J rubbish\n\n=\n", "user-999.slice")} == {Health.LIMITED}


def found(config: Config) -> dict[str, tuple[str, str]]:
    account = pwd.getpwuid(os.geteuid())
    return {finding.checked: (str(finding.health), finding.found) for finding in check_services(config, account)}


def test_a_game_whose_program_is_missing_is_told() -> None:
    games = (
        GameProgram(name="sh", command=("/bin/sh",), title=""),
        GameProgram(name="no", command=("/nowhere/\x1b[2Jgame",), title=""),
    )
    told = found(Config(programs=games))
    assert told["game: sh"] == ("ok", "/bin/sh")
    assert told["game: no"] == ("broken", "there is no program /nowhere/\\x1b[2Jgame")


@pytest.mark.parametrize(("days", "health"), [(1, "broken"), (90, "ok")])
def test_a_certificate_that_ends_soon_is_told(tmp_path: Path, days: int, health: str) -> None:
    made = tmp_path / "made.pem"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=x -days {days} -keyout key -out {made.name}"
    try:
        subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no openssl")
    told = found(Config(relay=Relay(certificate=made, authority=tmp_path / "key")))
    assert (told["tls: certificate"][0], told["tls: authority"][0]) == (health, "broken")
