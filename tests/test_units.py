"""The units of `docs/units`: systemd takes them, they let nothing be done without need, and nhlog knows their verbs."""

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from tests.corpus import ROOT

UNITS = ROOT / "docs" / "units"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
MOST_EXPOSED = {  # tenths of systemd's measure, of 10 at most
    "nhlog-accounts.service": 6,
    "nhlog-serve.service": 15,
    "nhlog-tidy.service": 8,
    "nhlog-webplay.service": 50,  # games build their sandboxes below it
}
STARTS = re.compile(r"^ExecStart=/usr/local/bin/nhlog (\w+)(.*)$", re.MULTILINE)


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The units, of a program that is on this machine."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    for path in UNITS.iterdir():
        (tmp_path / path.name).write_text(path.read_text().replace("/usr/local/bin/nhlog", "/bin/true"))
    return tmp_path


def analyzed(*arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["systemd-analyze", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def test_systemd_takes_them(units: Path) -> None:
    names = [*SERVICES, "nhlog-accounts.socket", "nhlog-tidy.timer"]
    done = analyzed("verify", "--man=no", *(units / name for name in names))
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("name", SERVICES)
def test_they_are_hardened(units: Path, name: str) -> None:
    done = analyzed("security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED[name]}", units / name)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SERVICES)
def test_nhlog_knows_what_they_start(name: str) -> None:
    [(verb, arguments)] = STARTS.findall((UNITS / name).read_text())
    import_module(f"terminal.commands.{verb}").command.make_context(verb, arguments.split())


def test_the_document_installs_all_of_them() -> None:
    document = (ROOT / "docs" / "server.md").read_text()
    installed = {word for line in document.splitlines() if line.startswith("install ") for word in line.split()}
    assert {path.name for path in UNITS.iterdir()} <= installed
