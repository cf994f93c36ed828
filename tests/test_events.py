"""What the system tells of folders: what is written, comes and goes, and nothing of what is read."""

import os
import queue
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nhlog.files.events import FolderEvents
from tests.waiting import PATIENCE


@pytest.fixture
def told() -> "queue.Queue[str]":
    return queue.Queue()


@pytest.fixture
def events(told: "queue.Queue[str]") -> Iterator[FolderEvents]:
    events = FolderEvents(told.put)
    yield events
    events.stop()


def next_of(told: "queue.Queue[str]", path: Path) -> None:
    """Wait until it is told of this path."""
    while told.get(timeout=PATIENCE) != str(path):
        pass


@pytest.mark.parametrize(
    "act",
    [
        lambda path: path.write_text("more"),
        lambda path: path.unlink(),
        lambda path: path.rename(path.with_name("other")),
        lambda path: path.with_name("new").rename(path),
        lambda path: path.touch(),
        lambda path: path.chmod(0o600),
    ],
    ids=["write", "remove", "move", "replace", "touch", "permit"],
)
def test_whatever_happens_to_a_file_is_told(
    tmp_path: Path, events: FolderEvents, told: "queue.Queue[str]", act: Callable[[Path], object]
) -> None:
    path = tmp_path / "game"
    path.write_text("a game")
    path.with_name("new").write_text("another")
    events.watch(str(tmp_path))
    act(path)
    next_of(told, path)


def test_that_a_file_is_read_is_not_told(tmp_path: Path, events: FolderEvents, told: "queue.Queue[str]") -> None:
    (tmp_path / "read").write_text("a game")
    events.watch(str(tmp_path))
    (tmp_path / "read").read_text()
    (tmp_path / "last").touch()
    assert told.get(timeout=PATIENCE) == str(tmp_path / "last")


def test_a_folder_is_told_of_by_the_name_it_was_given(
    tmp_path: Path, events: FolderEvents, told: "queue.Queue[str]"
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    events.watch(str(tmp_path / "link"))
    (tmp_path / "folder" / "game").touch()
    next_of(told, tmp_path / "link" / "game")


def test_another_folder_of_that_name_is_told_of_when_it_is_watched_again(
    tmp_path: Path, events: FolderEvents, told: "queue.Queue[str]"
) -> None:
    folder = tmp_path / "games"
    for name in ("first", "second"):
        folder.mkdir()
        events.watch(str(folder))
        (folder / name).touch()
        next_of(told, folder / name)
        folder.rename(tmp_path / f"was {name}")


def test_a_folder_that_is_not_there_cannot_be_watched(tmp_path: Path, events: FolderEvents) -> None:
    with pytest.raises(FileNotFoundError):
        events.watch(str(tmp_path / "nothing"))


def test_a_name_that_is_no_text_is_told(tmp_path: Path, events: FolderEvents, told: "queue.Queue[str]") -> None:
    events.watch(str(tmp_path))
    with open(os.path.join(os.fsencode(tmp_path), b"caf\xe9"), "wb"):
        pass
    assert told.get(timeout=PATIENCE) == os.fsdecode(os.path.join(os.fsencode(tmp_path), b"caf\xe9"))
