"""What the process really opens, told by the interpreter itself: logs in one module only, one descriptor at a time."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from nhlog.mdiff.reference import encode
from tests.builders import played
from tests.corpus import ROOT, SAMPLES


class Opened(NamedTuple):
    """What `tests.audited` tells of one file."""

    path: Path
    module: str
    writes: bool
    again: bool


FILE, ATOMIC = str(ROOT / "nhlog" / "log" / "file.py"), str(ROOT / "nhlog" / "files" / "atomic.py")

OTHERS = {"scores over.nhgame": [str(ROOT / "nhlog" / "cache.py")]}
"""Who else opens a log: where its entry is in the cache, that is known by the file's fingerprint alone."""

READING = (
    "info game.nhgame link.nhgame torn.nhgame",
    "ls .",
    "dump game.nhgame",
    "dump game.nhgame --saves --json",
    "verify game.nhgame torn.nhgame",
    "search game.nhgame search",
    "show real.nhgame --at 50%",
    "show link.nhgame --at end --json",
    "state real.nhgame --at 50%",
    "watchers game.nhgame",
    "recover torn.nhgame --dry-run",
    "rewind game.nhgame --to 50% --dry-run",
    "events game.nhgame",
    "stats real.nhgame",
    "plot real.nhgame",
    "scores over.nhgame",
    "listed torn.nhgame",
    "replayed real.nhgame",
    "viewed real.nhgame",
    "viewed own.nhgame",
    "relayed real.nhgame",
    "watched game.nhgame",
)
WRITING = {
    "recover torn.nhgame": {"torn.nhgame", "torn.nhgame.cut-00000002"},
    "recover torn.nhgame --no-keep": {"torn.nhgame"},
    "rewind game.nhgame --to 50% --yes": {"game.nhgame", "game.nhgame.cut-00000002"},
    "rewind link.nhgame --to 50% --yes": {"game.nhgame", "link.nhgame.cut-00000002"},
    "played game.nhgame": {"game.nhgame.new.nhgame"},
    "dump game.nhgame --save-at end -o made": {"made"},
    "convert real.nhgame made.cast": {"made.cast"},
    "diff 1.save 2.save -o made": {"made"},
    "patch 1.save 2.diff -o made": {"made"},
}


TAKEN: dict[str, list[str]] = {}
"""By run: the calls that take a lock on a log, or send a signal."""
LOCKERS = {run for run in (*READING, *WRITING) if run.split()[0] in ("recover", "rewind", "played", "watched")}
LOCKERS -= {run for run in LOCKERS if run.endswith("--dry-run")}
"""What writes a log, or rests in a lock."""


@pytest.fixture(scope="module", params=[*READING, *WRITING])
def run(request: pytest.FixtureRequest) -> str:
    """A verb with its arguments, or an act of `tests.audited`."""
    return request.param


@pytest.fixture(scope="module")
def folder(run: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs, one of them behind a link and one large enough for an index, and saves; for each run anew."""
    games = tmp_path_factory.mktemp("audit") / "games"
    games.mkdir()
    played(2000).write(games / "game.nhgame")
    (games / "real.nhgame").write_bytes((SAMPLES / "scripted1.nhgame").read_bytes())
    (games / "own.nhgame").write_bytes((SAMPLES / "delve.nhgame").read_bytes())
    (games / "over.nhgame").write_bytes((SAMPLES / "died2.nhgame").read_bytes())
    (games / "link.nhgame").symlink_to("game.nhgame")
    (games / "torn.nhgame").write_bytes(played(5).data + b"sear")
    old, new = played(1).saves
    for name, data in (("1.save", old), ("2.save", new), ("2.diff", encode(old, new))):
        (games / name).write_bytes(data)
    return games


@pytest.fixture(scope="module")
def opened(run: str, folder: Path) -> list[Opened]:
    """What it opens in the folder and the cache, and whatever it writes anywhere."""
    done = subprocess.run(
        [sys.executable, "-B", "-m", "tests.audited", *run.split()],
        cwd=folder,
        env=os.environ | {"XDG_CACHE_HOME": str(folder.parent / "cache"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    code, told, taken = json.loads(done.stderr.splitlines()[-1])
    assert code in (0, 3), done.stderr
    TAKEN[run] = taken
    found = [Opened(Path(path), module, writes, again) for path, module, writes, again in told]
    return [one for one in found if one.writes or one.path.is_relative_to(folder.parent)]


def test_a_log_is_opened_in_one_module_and_never_twice_at_once(run: str, opened: list[Opened]) -> None:
    logs = [one for one in opened if one.path.suffix == ".nhgame"]
    assert bool(logs) == ("nhgame" in run or run == "ls .")
    assert {one.module for one in logs} <= {FILE, *OTHERS.get(run, ())}
    assert [one for one in logs if one.again] == []


def test_nothing_is_written_but_what_was_asked_for_and_the_index(run: str, folder: Path, opened: list[Opened]) -> None:
    written = {one.path: one.module for one in opened if one.writes and not is_draft(one.path)}
    cache = folder.parent / "cache"
    beside = {path: module for path, module in written.items() if not path.is_relative_to(cache)}
    assert beside.keys() == {folder / name for name in WRITING.get(run, ())}
    assert set(beside.values()) <= {FILE, ATOMIC}


def test_whoever_only_reads_a_log_takes_no_lock_and_sends_no_signal(run: str, opened: list[Opened]) -> None:
    assert bool(TAKEN[run]) is (run in LOCKERS)


@pytest.mark.parametrize(("run", "kept"), [("verify game.nhgame", ["logs"]), ("ls .", ["rows"])], indirect=["run"])
def test_an_index_is_written_where_a_whole_log_is_read(kept: list[str], folder: Path, opened: list[Opened]) -> None:
    cache = folder.parent / "cache" / "nhlog"
    files = {path for path in cache.rglob("*") if path.is_file()}
    assert [path.parent.name for path in files - {cache / "swept", cache / "key"}] == kept
    assert {one.path for one in opened if one.writes} >= files


@pytest.mark.parametrize("run", ["cheated game.nhgame"], indirect=True)
def test_what_is_forbidden_would_be_seen(opened: list[Opened]) -> None:
    assert [(one.module == FILE, one.again) for one in opened] == [(True, False), (False, True)]


def is_draft(path: Path) -> bool:
    """Whether it is what a file was called until it was whole; by now nothing is."""
    return path.name.startswith(".nhlog-") and not path.exists()
