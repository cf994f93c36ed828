"""What becomes a package: one version everywhere, every file that the program needs, and the Debian recipe.

`scripts/release --dry-run` builds the packages and tries them; this is what can be known without building.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from nhlog import __version__
from tests.corpus import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = ("nhlog", "terminal")
DEBIAN = ROOT / "packaging" / "debian"
RULES = (DEBIAN / "rules").read_text()


def files(package: str) -> list[Path]:
    """The files of a package, without what was compiled."""
    every = (path for path in (ROOT / package).rglob("*") if path.is_file())
    return [path for path in every if not {"__pycache__", "compiled"} & set(path.parts)]


def test_the_version_is_written_once() -> None:
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "nhlog.__version__"}


def test_the_changelog_has_a_section_for_the_version() -> None:
    assert f"\n## [{__version__}] - " in (ROOT / "CHANGELOG.md").read_text()


def test_a_checkout_that_is_not_installed_knows_its_version() -> None:
    without_metadata = "import sys; sys.modules['importlib.metadata'] = None; from terminal.cli import main; main()"
    command = [sys.executable, "-c", without_metadata, "--version"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"nhlog {__version__} ")


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_no_module_is_named_as_data(package: str) -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"][package]
    named = {path for pattern in patterns for path in (ROOT / package).glob(pattern)}
    assert {path for path in files(package) if path.suffix != ".py"} <= named


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_of_modules_is_a_package(package: str) -> None:
    folders = {path.parent for path in files(package) if path.suffix == ".py"}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_the_debian_package_has_the_same_version() -> None:
    assert (DEBIAN / "changelog").read_text().startswith(f"nhlog ({__version__}) ")


def test_the_debian_package_has_all_extras_of_users() -> None:
    [extras] = re.findall(r"^EXTRAS := (.*)$", RULES, re.MULTILINE)
    assert {*extras.split(",")} == {*PROJECT["project"]["optional-dependencies"]} - {"dev", "docs", "testing"}


def test_the_debian_package_has_all_units() -> None:
    assert [path.name for path in (ROOT / "docs" / "units").iterdir() if path.name not in RULES] == []


def test_the_examples_of_the_debian_package_are_those_of_the_document() -> None:
    excerpts = [expression.replace("$$", "$") for expression in re.findall(r"sed -n '(.*)' docs/server.md", RULES)]
    config, sshd = (
        subprocess.run(["sed", "-n", excerpt, ROOT / "docs" / "server.md"], capture_output=True, text=True).stdout
        for excerpt in excerpts
    )
    assert tomllib.loads(config)["authorized_keys"] in sshd
    assert sshd.startswith("Match User nhlog\n")
    assert "```" not in config + sshd
