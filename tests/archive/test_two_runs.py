"""Two runs of `nhlog archive` at once, in two processes: nothing that one did is lost by the other."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nhlog.archive.catalogue import CATALOGUE, listings
from nhlog.archive.reading import INDEXES
from nhlog.errors import NhlogError
from nhlog.remote.store import Store
from tests.archive.conftest import Asked
from tests.archive.run import archive_all
from tests.corpus import ROOT, SAMPLES
from tests.starter import Started

pytest.importorskip("fsspec")

GAMES = 6  # of each run, which merges after each of them


def run_both(address: str, games: list[list[str]]) -> None:
    """One run here, the other in a process of its own."""
    here, there = games
    command = [sys.executable, "-m", "tests.archive.run", address, *there]
    with Started(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        assert other.stdin is not None
        other.stdin.write(b"go\n")
        other.stdin.close()
        archive_all(address, here)
    assert other.returncode == 0


def games_in(folder: Path, names: list[str]) -> list[str]:
    folder.mkdir()
    return [shutil.copy(SAMPLES / "all-line-kinds.nhgame", str(folder / name)) for name in names]


def test_no_row_is_lost(tmp_path: Path) -> None:
    names = [[*(f"{run}-{number}.nhgame" for number in range(GAMES)), "of-both.nhgame"] for run in "ab"]
    address = f"file://{tmp_path}/museum"
    run_both(address, [games_in(tmp_path / f"of{run}", found) for run, found in zip("ab", names, strict=True)])
    store = Store(address)
    shutil.rmtree(tmp_path / "museum" / INDEXES)  # it is listed from the catalogue alone
    rows = [one for one in listings(store) if not isinstance(one, NhlogError)]
    assert [os.path.basename(one.file) for one in rows] == sorted({*names[0], *names[1]})
    assert len([*(tmp_path / "museum").glob("of-both*")]) == 1
    assert all(name.startswith("rows-") for name in store.names(CATALOGUE))


def test_nor_in_s3(s3: Asked, tmp_path: Path) -> None:
    names = [[f"{run}-{number}.nhgame" for number in range(3)] for run in "ab"]
    run_both(s3.address, [games_in(tmp_path / f"of{run}", found) for run, found in zip("ab", names, strict=True)])
    rows = [*listings(Store(s3.address))]
    assert [os.path.basename(one.file) for one in rows if not isinstance(one, NhlogError)] == sorted(
        [*names[0], *names[1]]
    )
