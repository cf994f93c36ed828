"""What changed in folders is found at once, and costs the same however many files there are."""

import errno
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nhlog.players import Players
from terminal.lobby.folders import FEW, LOOKS, Folders
from tests.waiting import PATIENCE

MANY = 1000
ALL = 10_000
LONG_AGO = 1_000_000_000  # seconds since 1970


def fill(folder: Path, count: int) -> Path:
    folder.mkdir(exist_ok=True)
    for number in range(count):
        (folder / f"{number:04}.nhgame").touch()
    os.utime(folder, (LONG_AGO, LONG_AGO))
    return folder


def names(changed: dict[str, os.stat_result | None]) -> dict[str, bool]:
    """The names of the files, and whether each is there."""
    return {os.path.basename(path): status is not None for path, status in changed.items()}


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """How often the system is asked for a file and for the names in a folder, by the code under test."""
    calls = {"stat": 0, "scandir": 0}

    def counting(name: str) -> None:
        real = getattr(os, name)

        def call(*arguments: object, **options: object) -> object:
            calls[name] += 1
            return real(*arguments, **options)

        monkeypatch.setattr(os, name, call)

    with monkeypatch.context():
        for name in calls:
            counting(name)
        yield calls
    monkeypatch.undo()


def settled(folders: Folders) -> Folders:
    """Having seen everything."""
    while folders.look(ALL) or folders.waiting:
        pass
    return folders


def test_all_that_is_there_is_found_in_order_so_many_at_a_time(tmp_path: Path) -> None:
    folders = Folders([fill(tmp_path / "a", 5), fill(tmp_path / "b", 2), tmp_path / "a", tmp_path / "nothing"])
    assert names(folders.look(3)) == {"0000.nhgame": True, "0001.nhgame": True, "0002.nhgame": True}
    assert folders.waiting == 4
    assert list(map(os.path.basename, folders.look(ALL))) == [f"000{number}.nhgame" for number in (3, 4, 0, 1)]
    assert folders.waiting == 0
    assert folders.look(ALL) == {}


def test_an_idle_look_costs_the_same_for_few_files_and_for_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Folders([fill(tmp_path / "games", MANY)]) as folders:
        settled(folders)
        with counted(monkeypatch) as calls:
            assert folders.look(ALL) == {}
        assert calls["scandir"] == 0
        assert calls["stat"] <= FEW + 1


def test_where_nothing_is_told_all_are_looked_at_within_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = settled(Folders([fill(tmp_path / "games", MANY)]))
    with counted(monkeypatch) as calls:
        for _ in range(LOOKS):
            assert folders.look(ALL) == {}
    assert calls["scandir"] == 0
    assert MANY <= calls["stat"] <= MANY + 2 * LOOKS


def test_a_change_is_found_within_a_second_where_nothing_is_told(tmp_path: Path) -> None:
    folder = fill(tmp_path / "games", MANY)
    folders = settled(Folders([folder]))
    (folder / "0777.nhgame").write_text("more")
    found: dict[str, bool] = {}
    for _ in range(LOOKS):
        found |= names(folders.look(ALL))
    assert found == {"0777.nhgame": True}


def test_what_is_told_is_looked_at_first_of_all(tmp_path: Path) -> None:
    """Among so many, its turn would come after twenty looks."""
    folder = fill(tmp_path / "games", MANY)
    with Folders([folder]) as folders:
        settled(folders)
        (folder / "0998.nhgame").write_text("more")
        heard_of(folders)
        assert names(folders.look(ALL)) == {"0998.nhgame": True}


def heard_of(folders: Folders) -> None:
    """Wait until the system told of something."""
    end = time.monotonic() + PATIENCE
    while not folders._told and time.monotonic() < end:
        time.sleep(0)


@pytest.mark.parametrize("told", [True, False])
def test_what_comes_and_goes_is_found_in_the_next_look(tmp_path: Path, told: bool) -> None:
    folder = fill(tmp_path / "games", MANY)
    folders = Folders([folder])
    if told:
        folders.__enter__()
    settled(folders)
    (folder / "0999.nhgame").unlink()
    (folder / "new.nhgame").touch()
    assert names(folders.look(ALL)) == {"0999.nhgame": False, "new.nhgame": True}
    folders.__exit__()


def test_a_folder_that_comes_goes_and_comes_again(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with Folders([folder]) as folders:
        for name in ("first.nhgame", "second.nhgame"):
            assert folders.look(ALL) == {}
            folder.mkdir()
            (folder / name).touch()
            assert names(folders.look(ALL)) == {name: True}
            (folder / name).rename(tmp_path / name)
            folder.rmdir()
            assert names(folders.look(ALL)) == {name: False}


def test_where_the_system_tells_no_more_processes_of_this_user_files_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(errno.EMFILE, "inotify instance limit reached")

    monkeypatch.setattr("watchdog.observers.Observer", refuse)
    fill(tmp_path / "games", 1)
    with Folders((tmp_path / "games",)) as folders:
        assert names(folders.look(ALL)) == {"0000.nhgame": True}


def test_who_rests_hears_of_nothing_and_sees_all_that_changed_at_the_next_look(tmp_path: Path) -> None:
    folder = fill(tmp_path / "games", MANY)
    with Folders([folder]) as folders:
        settled(folders)
        folders.rest()
        before = {*threading.enumerate()}
        changed = sorted(folder.iterdir())
        changed[0].write_text("more")
        changed[-1].unlink()
        (folder / "new.nhgame").touch()
        assert names(folders.look(ALL)) == {changed[0].name: True, changed[-1].name: False, "new.nhgame": True}
        assert {*threading.enumerate()} - before
        changed[1].write_text("more")
        seen = {}
        while not seen:
            seen = names(folders.look(ALL))
        assert seen == {changed[1].name: True}


def test_a_player_who_comes_is_there_in_the_next_look(tmp_path: Path) -> None:
    players = Players(tmp_path)
    players.folder("ann").make()
    with Folders((players.folder("ann").games,), players) as folders:
        assert names(folders.look(ALL)) == {}
        for name in ("ann", "bob"):
            folder = players.folder(name)
            folder.make()
            (folder.games / f"{name}.nhgame").touch()
            (folder.recordings / f"{name}.cast").touch()
            (folder.home / f"{name}-at-home.cast").touch()
        (tmp_path / "no player").mkdir()
        assert names(folders.look(ALL)) == dict.fromkeys(("ann.nhgame", "ann.cast", "bob.nhgame", "bob.cast"), True)


def test_the_logs_that_a_program_begins_to_write_are_there_in_the_next_look_and_no_links(tmp_path: Path) -> None:
    players = Players(tmp_path)
    folder = players.folder("ann")
    folder.make()
    with Folders((), players) as folders:
        assert names(folders.look(ALL)) == {}
        logs = folder.log_folder("it")
        (logs / "a.nhgame").touch()
        (logs / "b.nhgame").symlink_to(folder.home / "b.nhgame")
        (folder.home / "b.nhgame").touch()
        found = {**folders.look(ALL), **folders.look(ALL)}
        assert names(found) == {"a.nhgame": True}


def test_what_a_link_points_to_and_what_a_folder_becomes_is_seen_though_nobody_tells(tmp_path: Path) -> None:
    folder = fill(tmp_path / "games", MANY)
    (tmp_path / "far.nhgame").touch()
    (folder / "link.nhgame").symlink_to(tmp_path / "far.nhgame")
    (folder / "cubes").mkdir()
    with Folders([folder]) as folders:
        settled(folders)
        (tmp_path / "far.nhgame").write_text("more")
        (folder / "cubes" / "preamble.dat").touch()
        assert names(folders.look(ALL)) == {"link.nhgame": True, "cubes": True}


def test_what_is_no_recording_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / ".folder").mkdir()
    os.mkfifo(tmp_path / "pipe.nhgame")
    (tmp_path / "loop.nhgame").symlink_to("loop.nhgame")
    assert set(names(Folders([tmp_path]).look(ALL)).values()) <= {False}


@pytest.mark.skipif(sys.platform != "linux", reason="the system's file events")
def test_nothing_is_left_running(tmp_path: Path) -> None:
    import threading

    before = {*threading.enumerate()}
    with Folders([fill(tmp_path / "games", 3)]) as folders:
        settled(folders)
        assert {*threading.enumerate()} - before
    assert {*threading.enumerate()} - before == set()
