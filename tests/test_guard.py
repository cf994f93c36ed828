"""Whatever a format raises is an error of ours that names the file and the format; with NHLOG_DEBUG it stays."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from nhlog.errors import Damaged, NhlogError
from nhlog.guard import DEBUG, ForeignFault, foreign, guarded
from nhlog.operations import Format, Operations
from nhlog.replay import Info
from terminal.cli import main
from terminal.lobby.drawing import draw_lobby
from terminal.lobby.folders import Folders
from terminal.lobby.model import Lobby
from terminal.lobby.reading.jobs import answer
from terminal.lobby.rows import UNREADABLE
from terminal.lobby.visitors import User
from terminal.replay.menu import Menu
from tests.corpus import SAMPLES

RAISED = [ValueError("v"), KeyError("k"), OverflowError("o"), RecursionError("r"), MemoryError(), UnicodeError("u")]


@pytest.fixture(autouse=True)
def _no_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEBUG, raising=False)


@pytest.mark.parametrize("error", RAISED, ids=repr)
def test_what_foreign_code_raises_is_an_error_of_ours(error: Exception) -> None:
    with pytest.raises(ForeignFault) as caught, foreign("toy reader", "x.toy"):
        raise error
    assert caught.value.__cause__ is error
    assert str(caught.value).startswith(f"x.toy: {type(error).__name__}")
    assert "this is a fault of the toy reader (NHLOG_DEBUG=1 shows where)" in str(caught.value)


def test_of_a_message_that_quotes_the_whole_file_the_beginning_is_told() -> None:
    with pytest.raises(ForeignFault) as caught, foreign("toy reader"):
        raise ValueError("x" * 1_000_000)
    assert str(caught.value).startswith("ValueError: xxx")
    assert len(str(caught.value)) < 300


def test_an_exception_that_says_nothing_is_told_by_its_name() -> None:
    with pytest.raises(ForeignFault, match=r"^x\.toy: MemoryError: this is a fault of the toy reader"):
        guarded(raising(MemoryError()), "toy reader")("x.toy")


@pytest.mark.parametrize("first", [7, None, b"bytes"])
def test_what_is_called_without_a_path_names_no_file(first: object) -> None:
    with pytest.raises(ForeignFault, match=r"^ValueError: v: this is a fault") as caught:
        guarded(raising(ValueError("v")), "toy reader")(first)
    assert caught.value.file is None


def raising(error: Exception) -> Callable[..., None]:
    def act(*arguments: object) -> None:
        raise error

    return act


@pytest.mark.parametrize("error", [Damaged("d"), OSError(2, "no"), KeyboardInterrupt()], ids=repr)
def test_what_is_told_in_our_words_or_the_systems_stays(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, foreign("toy reader", "x.toy"):
        raise error
    assert caught.value is error


def test_with_debugging_it_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(KeyError), foreign("toy reader"):
        raise KeyError("k")


def test_a_fault_between_two_records_is_told_behind_the_first() -> None:
    def records(path: str) -> Iterator[int]:
        yield 1
        raise IndexError("i")

    found = guarded(records, "toy reader")("x.toy")
    assert next(found) == 1
    with pytest.raises(ForeignFault, match=r"x\.toy: IndexError: i"):
        next(found)


# a format whose every operation breaks down, as it may come with another package


def broken(*arguments: Any, **asked: Any) -> Any:
    raise KeyError("time")


def broken_records(path: str) -> Iterator[Any]:
    yield {"time": 0, "text": "it begins"}
    raise KeyError("time")


OPERATIONS = Operations(
    open=broken,
    info=broken,
    listing=broken,
    dump=broken_records,
    state=broken,
    verify=broken_records,
    events=broken_records,
    stats=broken_records,
    convert=broken,
    recover=broken,
)


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a recording of such a format and a sound map; the format is known."""
    module = ModuleType("toyformat")
    module.OPERATIONS = OPERATIONS
    monkeypatch.setitem(sys.modules, "toyformat", module)
    module.FORMAT = Format("toy", "toy", "toyformat", (".toy",))
    installed = tmp_path_factory.mktemp("site") / "toy-1.0.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text("[nhlog.formats]\ntoy = toyformat:FORMAT\n")
    monkeypatch.syspath_prepend(str(installed.parent))
    (tmp_path / "a.toy").write_bytes(b"toy")
    (tmp_path / "b.map").write_bytes((SAMPLES / "dm1.map").read_bytes())
    return tmp_path


VERBS = ("info", "events", "stats", "dump", "verify", "state", "show", "recover", "convert")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_ends_with_one_line_that_names_file_and_format(verb: str, folder: Path, capsys: Any) -> None:
    file = str(folder / "a.toy")
    assert main([verb, file, *(["out.toy"] if verb == "convert" else [])]) == ForeignFault.exit_code
    err = capsys.readouterr().err
    assert err.startswith(f"nhlog: {file}: KeyError: ")
    assert err.endswith(": this is a fault of the toy reader (NHLOG_DEBUG=1 shows where)\n")
    assert err.count("\n") == 1


def test_ls_has_a_row_for_it_and_lists_the_rest(folder: Path, nhlog: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEBUG)
    done = nhlog("ls", folder, "--json", "--sort", "file")
    toy, sound = done.records
    assert (done.code, toy["status"], sound["status"]) == (4, "unreadable", "finished")
    assert "fault of the toy reader" in toy["fault"]
    assert "fault" not in sound
    assert "unreadable" in nhlog("ls", folder).out
    assert [row["file"] for row in nhlog("ls", folder, "--json", "--status", "unreadable").records] == [toy["file"]]


def test_the_lobby_has_a_row_for_it_which_says_why(folder: Path) -> None:
    lobby = Lobby(Folders((folder,)), User(os.getuid()))
    while lobby.look():
        pass
    for job in lobby.wanted(lobby.contents.rows):
        lobby.contents.take(job, answer(job))
    *_, last = lobby.contents.rows
    assert (len(lobby.contents.rows), last.section, last.title) == (2, UNREADABLE, "a.toy")
    lobby.choose(last.file)
    lobby.press("enter")
    assert not lobby.wants
    assert "fault of the toy reader" in lobby.message
    assert "a.toy" in "\n".join(draw_lobby(lobby, 100, 30).text())


def test_the_menu_of_recordings_says_why_in_its_row(folder: Path) -> None:
    menu = Menu([str(folder / "a.toy"), str(folder / "b.map")])
    while menu.read_next():
        pass
    assert isinstance(menu.known[menu.files[0]], ForeignFault)
    assert isinstance(menu.known[menu.files[1]], Info)


def test_a_format_whose_module_cannot_be_imported_is_an_error_of_ours() -> None:
    with pytest.raises(NhlogError, match="fault of the none reader"):
        Format("none", "none", "no_such_module_at_all", (".none",)).load()
