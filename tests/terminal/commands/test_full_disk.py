"""Where nothing more can be written, the message says which file it was, and what was there stays as it was.

A disk is full (a tiny file system of our own, where one can be mounted), or no file may grow (a limit of the process).
"""

import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nhlog.files.atomic import DRAFT
from tests.corpus import ROOT, SAMPLES

NHLOG = (sys.executable, "-m", "terminal.cli")
MOST = 100  # bytes of a file, where files are limited
FULL = "no space left on device"
NO_ROOM = "what would be cut off cannot be kept, and nothing was done; free some space, or use --no-keep"


class Disk:
    """A folder in which nothing more can be written, once :meth:`fill` was called."""

    def __init__(self, folder: Path, reason: str, limit: Callable[[], None] | None = None) -> None:
        self.folder, self.reason, self._limit = folder, reason, limit

    def fill(self) -> None:
        if self._limit is None:
            room = os.statvfs(self.folder)
            (self.folder / "filler").write_bytes(b"x" * (room.f_bavail * room.f_frsize))

    def run(self, *arguments: object, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*NHLOG, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment},  # not cut short
            input=stdin,
            capture_output=True,
            check=False,
            preexec_fn=self._limit,
        )


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST, MOST))


@pytest.fixture(params=["full", "limited"])
def disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if request.param == "limited":
        yield Disk(folder, "file too large", _limit)
        return
    options = ["-t", "tmpfs", "-o", "size=256k", "nhlog-test", str(folder)]
    if os.getuid() or subprocess.run(["mount", *options], capture_output=True, check=False).returncode:
        pytest.skip("file systems cannot be mounted here")
    yield Disk(folder, FULL)
    subprocess.run(["umount", str(folder)], check=True)


GAME = SAMPLES / "scripted1.nhgame"
TEES = SAMPLES / "coverage.teehistorian"
MAP = SAMPLES / "coverage.map"
ARENA = SAMPLES / "arena.butter"
RUN = SAMPLES / "run.replay"

WRITES = {
    "-o": ("dump", GAME, "--save-at", "end", "-o", "out"),
    "-o --force": ("dump", GAME, "--save-at", "end", "-o", "out", "--force"),
    "convert a map": ("convert", MAP, "out", "--version", "3"),
    "convert a teehistorian": ("convert", TEES, "out", "--compression", "none"),
    "convert a packed teehistorian": ("convert", TEES, "out", "--compression", "xz"),
    "convert a butter": ("convert", ARENA, "out.butter", "--last", "frame:3"),
    "convert a butter to text": ("convert", ARENA, "out.echoreplay", "--last", "frame:3"),
    "convert a replay": ("convert", RUN, "out", "--layout", "4"),
    "compact": ("compact", RUN, "-o", "out"),
}


@pytest.mark.parametrize("arguments", WRITES.values(), ids=WRITES)
def test_the_file_that_cannot_be_written_is_named(disk: Disk, arguments: tuple[object, ...]) -> None:
    disk.fill()
    [name] = [word for word in arguments if str(word).startswith("out")]
    done = disk.run(*arguments)
    assert (done.returncode, done.stdout) == (1, b"")
    shown = name if "--force" not in arguments else disk.folder / name
    assert done.stderr.decode() == f"nhlog: {shown}: {disk.reason}\n"
    assert not [left for left in os.listdir(disk.folder) if left != "filler"]


def ticks() -> bytes:
    """As JSON lines: of so many entities that even packed they fill more than is free."""
    dumped = subprocess.run([*NHLOG, "dump", RUN, "--json"], cwd=ROOT, capture_output=True, check=True)
    return dumped.stdout


def test_a_recorder_names_the_file_that_it_was_at(disk: Disk) -> None:
    disk.fill()
    done = disk.run("record", "made", stdin=ticks())
    assert done.returncode == 1
    if disk.reason == FULL:
        assert done.stderr.decode() in {f"nhlog: made/{name}: {FULL}\n" for name in ("preamble.dat", "segment-000.dat")}
    else:
        assert done.stderr.decode() == f"nhlog: made/preamble.dat: {disk.reason}\n"


def test_a_recorder_of_butter_names_its_file(disk: Disk) -> None:
    frames = subprocess.run([*NHLOG, "dump", ARENA, "--json"], cwd=ROOT, capture_output=True, check=True).stdout
    disk.fill()
    done = disk.run("record", "made.butter", stdin=frames)
    assert (done.returncode, done.stderr.decode()) == (1, f"nhlog: {disk.folder}/made.butter: {disk.reason}\n")
    assert not (disk.folder / "made.butter").exists()


def test_a_recorder_names_its_segment(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = Disk(tmp_path, "file too large", limit).run("record", "made", "--segment-size", "1M", stdin=ticks())
    assert (done.returncode, done.stderr) == (1, b"nhlog: made/segment-000.dat: file too large\n")
    assert (tmp_path / "made" / "preamble.dat").exists()


def test_a_ring_names_what_it_saves_to(disk: Disk) -> None:
    disk.fill()
    done = disk.run("record", "made", "--ring", "60s", stdin=ticks())
    assert (done.returncode, done.stderr.decode()) == (1, f"nhlog: made: {disk.reason}\n")


def test_metadata(disk: Disk) -> None:
    shutil.copy(RUN, disk.folder / "run.replay")
    disk.fill()
    done = disk.run("meta", "run.replay", "set", "note", json.dumps("x" * 9000))
    assert (done.returncode, done.stderr.decode()) == (1, f"nhlog: {disk.folder}/run.replay: {disk.reason}\n")
    assert (disk.folder / "run.replay").read_bytes() == RUN.read_bytes()


@pytest.mark.parametrize(
    "arguments", [("recover", "game.nhgame"), ("rewind", "game.nhgame", "--to", "-5 turns", "--yes")]
)
def test_what_is_cut_off_a_log(disk: Disk, arguments: tuple[str, ...]) -> None:
    """The file that keeps it is named, and nothing was cut."""
    data = GAME.read_bytes() + (b"x" * 2 * MOST if arguments[0] == "recover" else b"")
    (disk.folder / "game.nhgame").write_bytes(data)
    disk.fill()
    done = disk.run(*arguments)
    assert done.returncode == 1
    told = disk.reason + (f": {NO_ROOM}" if disk.reason == FULL else "")
    assert done.stderr.decode() == f"nhlog: game.nhgame.cut-00000002: {told}\n"
    assert (disk.folder / "game.nhgame").read_bytes() == data


def test_a_log_that_may_not_be_rewritten(tmp_path: Path) -> None:
    """Past what the process may write lies the pointer at the newest backup."""
    (tmp_path / "game.nhgame").write_bytes(GAME.read_bytes())
    limited = Disk(tmp_path, "file too large", _limit)
    done = limited.run("rewind", "game.nhgame", "--to", "-5 turns", "--yes", "--no-keep")
    assert (done.returncode, done.stderr) == (1, b"nhlog: game.nhgame: file too large\n")


def test_what_is_unpacked_to_look_around_in(tmp_path: Path) -> None:
    """Of temporary files the folder is named: they have no names."""
    packed = tmp_path / "packed.teehistorian.gz"
    packed.write_bytes(gzip.compress(TEES.read_bytes()))
    done = Disk(tmp_path, "file too large", _limit).run("show", packed, TMPDIR=str(tmp_path))
    assert (done.returncode, done.stderr.decode()) == (1, f"nhlog: {tmp_path}: file too large\n")


def test_a_cache_that_cannot_be_kept_is_done_without(disk: Disk) -> None:
    disk.fill()
    for _ in range(2):
        done = disk.run("info", GAME, "--json", XDG_CACHE_HOME=str(disk.folder))
        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout)["health"] == "sound"
    assert not list(disk.folder.rglob(f"{DRAFT}*"))


@pytest.mark.parametrize(
    "arguments",
    [("info", GAME), ("info", "--json", GAME), ("dump", GAME), ("show", GAME), ("dump", GAME, "--save-at", "end")],
)
def test_standard_output(arguments: tuple[object, ...]) -> None:
    buffered = os.environ | {"PYTHONUNBUFFERED": ""}
    with open("/dev/full", "wb") as full:
        command = [*NHLOG, *map(str, arguments)]
        done = subprocess.run(
            command, cwd=ROOT, env=buffered, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, f"nhlog: standard output: {FULL}\n")


def test_a_device(tmp_path: Path) -> None:
    done = Disk(tmp_path, FULL).run("dump", GAME, "--save-at", "end", "-o", "/dev/full")
    assert (done.returncode, done.stderr.decode()) == (1, f"nhlog: /dev/full: {FULL}\n")


TAKEN_BACK = {"a game": (SAMPLES / "died2.nhgame", "turn:20"), "a teehistorian": (TEES, "tick:200")}


@pytest.mark.parametrize("disk", ["full"], indirect=True)
@pytest.mark.parametrize(("sample", "place"), TAKEN_BACK.values(), ids=TAKEN_BACK)
def test_what_cannot_be_kept_is_not_cut_off_and_the_way_out_that_is_named_works(
    disk: Disk, sample: Path, place: str
) -> None:
    path = Path(shutil.copy(sample, disk.folder))
    before = path.read_bytes()
    disk.fill()
    rewind = ("rewind", path.name, "--to", place, "--yes", *(["--force"] if sample.suffix == ".nhgame" else []))
    done = disk.run(*rewind)
    kept = f"{path.name}.cut-0000000{2 if sample.suffix == '.nhgame' else 1}"
    assert done.returncode == 1
    assert done.stderr.decode().endswith(f"{kept}: {disk.reason}: {NO_ROOM}\n")
    assert path.read_bytes() == before
    assert [left for left in os.listdir(disk.folder) if left != "filler"] == [path.name]
    done = disk.run(*rewind, "--no-keep")
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(path.read_bytes()) < len(before)
    assert disk.run("verify", path.name).returncode == 0
