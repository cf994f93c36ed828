"""The document of the library, run; and the main names that it is about."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import nhlog
from nhlog.formats import format_of, is_recording
from nhlog.log.wire.header import HEADER_LINES
from nhlog.operations import as_record
from tests.corpus import ROOT, SAMPLES
from tests.waiting import PATIENCE, eventually

DOCUMENT = ROOT / "docs" / "library.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The samples, and a game that another process plays."""
    shutil.copytree(SAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    feed = [sys.executable, ROOT / "scripts" / "feed", "all-line-kinds.nhgame", "live.nhgame", "--speed", "0"]
    with subprocess.Popen(feed) as player:
        assert eventually(lambda: begun(tmp_path / "live.nhgame"))
        yield tmp_path
        assert player.wait(PATIENCE) == 0


def begun(path: Path) -> bool:
    """Whether the header and the first save are there; the log is not opened as one, since then the player would ask
    this process to let go, by signals that the test runner's own threads do not know.
    """
    return path.exists() and path.read_bytes().count(b"\n") > HEADER_LINES


def test_the_examples_do_what_they_say(folder: Path) -> None:
    """In a process of their own: a program that follows logs opens the first one before it starts threads."""
    blocks = re.findall(r"^```pycon\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 7
    Path("library.txt").write_text("\n".join(blocks))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = [sys.executable, "-m", "doctest", "library.txt"]
    done = subprocess.run(run, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_main_name_is_where_it_says() -> None:
    tree = ast.parse(Path(nhlog.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module.startswith("nhlog")]
    typed = {alias.name: node.module for node in imports for alias in node.names}
    assert typed == {name: module for module, names in nhlog._HOMES.items() for name in names}
    assert sorted(nhlog.__all__) == sorted(typed)
    for name in nhlog.__all__:
        assert getattr(nhlog, name) is not None
    assert set(nhlog.__all__) <= set(dir(nhlog))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        nhlog.nothing  # noqa: B018


def test_importing_the_package_imports_none_of_its_modules() -> None:
    probe = "import sys, nhlog; print([name for name in sys.modules if name.startswith('nhlog.')])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("path", sorted(filter(is_recording, map(str, SAMPLES.iterdir()))), ids=os.path.basename)
def test_a_description_is_a_record_of_plain_values(path: str) -> None:
    """As msgspec makes it, which need not be imported for it."""
    operations = format_of(path).load()
    for described in (operations.info(path), operations.listing(path)):
        assert as_record(described) == msgspec.to_builtins(described)
