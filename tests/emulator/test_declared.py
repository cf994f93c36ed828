"""Where the emulator's declarations come from: the module made of them, if it is of the very text that is installed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nhlog.emulator import declared
from nhlog.emulator import library as rooms
from nhlog.emulator.emulated import Emulated
from nhlog.errors import Unsupported
from nhlog.vt import VERSION, Grid
from nhlog.vt.rows import Rows

PACKAGE = declared.found()
if PACKAGE is None or not declared.is_made():
    pytest.skip("no module of the emulator's declarations was made here", allow_module_level=True)

SHOW = """
import sys
from nhlog.emulator.emulated import Emulated
from nhlog.vt.rows import Rows
terminal = Emulated(20, 5)
terminal.feed(b"\\x1b[31mhello")
print(Rows().look(terminal.look()).text()[0], *{"cffi", "pycparser", "pyghostty"} & {*sys.modules})
"""


@pytest.fixture(autouse=True)
def _found_anew() -> Iterator[None]:
    rooms.library.cache_clear()
    yield
    rooms.library.cache_clear()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files of another pyghostty, which is found instead."""
    folder = tmp_path / "pyghostty"
    folder.mkdir()
    for name in ("__init__.py", "_cdef.py"):
        shutil.copy(Path(PACKAGE.folder, name), folder)
    (folder / "_lib").symlink_to(Path(PACKAGE.folder, "_lib"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pyghostty", raising=False)
    return folder


def shown() -> Grid:
    terminal = Emulated(20, 5)
    terminal.feed("\x1b[31mhello \x1b[4;58;5;3m漢e\u0301\x1b]2;title\x07".encode())
    return Rows().look(terminal.look())


def imported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The list that gets a name when pyghostty is imported as a whole."""
    asked: list[str] = []
    slowly = rooms._slowly
    monkeypatch.setattr(rooms, "_slowly", lambda: asked.append("pyghostty") or slowly())
    return asked


def test_nothing_is_parsed_to_show_a_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", SHOW], check=True, capture_output=True, text=True)
    assert done.stdout == "hello\n"


def test_both_ways_show_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, quickly = imported(monkeypatch), shown()
    assert asked == []
    rooms.library.cache_clear()
    monkeypatch.setattr(rooms, "load", lambda package: None)
    assert (shown(), asked) == (quickly, ["pyghostty"])


def test_a_package_of_the_same_text_is_as_good(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = imported(monkeypatch)
    assert declared.found() == declared.Package(str(package), VERSION)
    assert (shown().text()[0], asked) == ("hello 漢e\u0301", [])


def test_other_declarations_are_read_anew(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (package / "_cdef.py").read_text()
    (package / "_cdef.py").write_text(text + "\n")
    assert not declared.is_made()
    asked: list[str] = []
    monkeypatch.setattr(rooms, "_slowly", lambda: asked.append("pyghostty"))
    rooms.library()
    assert asked == ["pyghostty"]


def test_where_another_library_is_named_the_package_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = imported(monkeypatch)
    monkeypatch.setenv("PYGHOSTTY_LIB", PACKAGE.library)
    assert (shown().text()[0], asked) == ("hello 漢e\u0301", ["pyghostty"])


def test_another_version_is_refused_before_it_is_loaded(package: Path) -> None:
    (package / "__init__.py").write_text('__version__ = "0.1.4"\nraise AssertionError("imported")\n')
    with pytest.raises(Unsupported, match=r"wrong version .*: expected pyghostty 0\.1\.3 .* found pyghostty 0\.1\.4"):
        Emulated(20, 5)


def test_a_package_that_does_not_say_its_version_is_refused(package: Path) -> None:
    (package / "__init__.py").write_text("")
    with pytest.raises(Unsupported, match=r"wrong version .* found pyghostty $"):
        Emulated(20, 5)


@pytest.mark.parametrize("folder", ["", "pyghostty"], ids=["nothing", "a folder of the name"])
def test_where_no_package_is_installed_it_is_said_so(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "pyghostty", raising=False)
    assert declared.found() is None
    assert not declared.is_made()
    with pytest.raises(Unsupported, match=r"is not installed: .* found no package pyghostty"):
        Emulated(20, 5)


def test_a_package_whose_files_are_gone_is_none(package: Path) -> None:
    os.unlink(package / "_lib")
    with pytest.raises(Unsupported, match="the terminal emulator is not installed"):
        Emulated(20, 5)
