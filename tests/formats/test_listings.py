"""The rows that are kept of folders: what is not read again, and what is."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from nhlog.cache import Cache, entry_name, fingerprint_of
from nhlog.emulator.declared import VERSION
from nhlog.errors import NhlogError
from nhlog.formats import operation
from nhlog.formats.listings import Listings, Seen, see
from nhlog.formats.ttyrec.wire.frames import format_frame
from nhlog.operations import Listing
from tests.conftest import Done
from tests.corpus import SAMPLES

KEPT = ("died2.nhgame", "delve.nhgame", "coverage.teehistorian", "arena.butter", "dm1.map", "nethack.cast")
LONG = 10_000_000_000  # nanoseconds: longer than any clock of a file system needs for its next time


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "nhlog"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "games"
    found.mkdir()
    for name in KEPT:
        shutil.copy(SAMPLES / name, found)
    return found


def listed(*files: Path) -> list[Listing]:
    """What a program tells of these files that ends then."""
    listings = Listings()
    rows = [listings.known(str(file)) or listings.read(str(file)) for file in files]
    listings.store()
    return rows


def known(file: Path) -> Listing | None:
    """What the next program knows of a file."""
    return Listings().known(str(file))


@pytest.mark.parametrize("name", KEPT)
def test_a_row_is_known_to_the_next_program_as_it_was_read(folder: Path, name: str) -> None:
    assert known(folder / name) is None
    (row,) = listed(folder / name)
    assert known(folder / name) == row == operation(str(folder / name), "listing")(str(folder / name))


def test_ls_reads_no_game_whose_row_is_kept(folder: Path, nhlog: Callable[..., Done]) -> None:
    """Not one byte of it is right any more, and its state, as the system tells it, is the one that is kept."""
    for name in KEPT[1:]:
        (folder / name).unlink()
    file = folder / "died2.nhgame"
    before = nhlog("ls", folder)
    row = see(str(file)).listing
    file.write_bytes(b"?" * file.stat().st_size)
    os.utime(file, ns=(row.changed * 1000, row.changed * 1000))
    state = fingerprint_of(str(file))
    assert state is not None
    listings = Listings()
    listings.keep(str(file), Seen(row, state, state.changed + LONG))
    listings.store()
    assert nhlog("ls", folder) == before


def test_a_game_that_grew_or_was_replaced_is_read_again(folder: Path) -> None:
    file = folder / "died2.nhgame"
    (before,) = listed(file)
    with file.open("ab") as log:
        log.write(b"search\n")
    assert known(file) is None
    (after,) = listed(file)
    assert after.size == before.size + 7
    shutil.copy(SAMPLES / "delve.nhgame", folder / "new")
    (folder / "new").replace(file)
    assert known(file) is None


def test_a_file_of_the_same_length_and_time_of_writing_is_read_again(folder: Path) -> None:
    file = folder / "died2.nhgame"
    listed(file)
    times = file.stat()
    file.write_bytes(file.read_bytes().replace(b"Val", b"Wiz"))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert known(file) is None


@pytest.mark.parametrize(("later", "believed"), [(0, False), (LONG, True)])
def test_one_that_was_read_right_after_it_was_written_is_known_by_its_ends_too(
    folder: Path, later: int, believed: bool
) -> None:
    file = folder / "died2.nhgame"
    listing, state, _ = see(str(file))
    assert state is not None
    other = msgspec.structs.replace(state, digest=state.digest ^ 1)  # as of a write that left no other trace
    listings = Listings()
    listings.keep(str(file), Seen(listing, other, state.changed + later))
    listings.store()
    assert (known(file) is not None) is believed


def test_a_terminal_that_is_recorded_is_read_again_and_again(folder: Path) -> None:
    file = folder / "shell.ttyrec"
    file.write_bytes(b"".join(format_frame((1_700_000_000 + second) * 10**6, b"$ ") for second in range(5)))
    listed(file)
    assert known(file) is not None
    with file.open("ab"):
        assert known(file) is None
        (row,) = listed(file)
        assert row.status == "live"
    assert listed(file)[0].status == "finished"


@pytest.mark.usefixtures("no_emulator")
def test_without_an_emulator_the_row_of_a_terminal_is_not_kept(folder: Path) -> None:
    listed(folder / "nethack.cast")
    assert known(folder / "nethack.cast") is None


def test_a_row_has_the_path_that_was_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed(folder / "died2.nhgame")
    monkeypatch.chdir(folder)
    row = known(Path("died2.nhgame"))
    assert row is not None
    assert row.file == "died2.nhgame"


def test_another_name_is_another_file(folder: Path) -> None:
    listed(folder / "dm1.map")
    (folder / "dm1.map").rename(folder / "ctf1.map")
    assert known(folder / "ctf1.map") is None
    assert listed(folder / "ctf1.map")[0].title == "ctf1"


def test_what_a_link_leads_to_is_read_each_time(folder: Path) -> None:
    (folder / "link.nhgame").symlink_to(folder / "died2.nhgame")
    assert listed(folder / "link.nhgame")[0].title == "Dies2, human Valkyrie"
    assert known(folder / "link.nhgame") is None


def test_an_error_is_told_each_time(folder: Path) -> None:
    (folder / "bad.nhgame").write_bytes(b"?" * 500)
    for _ in range(2):
        with pytest.raises(NhlogError):
            listed(folder / "bad.nhgame")


@pytest.mark.timeout(10)
def test_a_pipe_with_the_name_of_a_game_is_not_waited_for(folder: Path) -> None:
    listed(folder / "died2.nhgame")
    (folder / "died2.nhgame").unlink()
    os.mkfifo(folder / "died2.nhgame")
    assert known(folder / "died2.nhgame") is None


def test_rows_of_what_is_gone_go_and_the_others_stay(folder: Path, cache_home: Path) -> None:
    listed(*(folder / name for name in KEPT))
    (entry,) = (cache_home / "rows").iterdir()
    size = entry.stat().st_size
    (folder / "arena.butter").unlink()
    (folder / "new.nhgame").write_bytes((SAMPLES / "scripted1.nhgame").read_bytes())
    listed(folder / "new.nhgame")
    assert known(folder / "died2.nhgame") is not None
    assert b"arena.butter" not in entry.read_bytes()
    assert 0 < entry.stat().st_size < 2 * size


@pytest.mark.parametrize(
    "value",
    [7, ["?"], {"file": "x"}, {"died2.nhgame": [[1, 2, 3, 4, 5, 6], 0, "nhgame", {}]}, {"died2.nhgame": 1}],
)
def test_an_entry_of_another_shape_is_as_good_as_none(folder: Path, value: object) -> None:
    listed(folder / "died2.nhgame")
    status = folder.stat()
    Cache("rows", 1, object).store(entry_name((status.st_dev, status.st_ino)), [VERSION, value])
    assert known(folder / "died2.nhgame") is None
    assert listed(folder / "died2.nhgame")[0].title == "Dies2, human Valkyrie"


def test_a_row_that_is_none_of_its_format_is_as_good_as_none(folder: Path) -> None:
    file = folder / "died2.nhgame"
    map_row, _, _ = see(str(folder / "dm1.map"))
    _, state, at = see(str(file))
    listings = Listings()
    listings.keep(str(file), Seen(map_row, state, at))
    listings.store()
    assert known(file) is None


def test_a_name_that_is_no_text_is_listed_and_not_kept(folder: Path) -> None:
    file = Path(os.fsdecode(os.fsencode(folder) + b"/\xff.nhgame"))
    shutil.copy(SAMPLES / "died2.nhgame", file)
    first, second = listed(file, folder / "died2.nhgame")
    assert (first.title, known(file)) == (second.title, None)
    assert known(folder / "died2.nhgame") == second
