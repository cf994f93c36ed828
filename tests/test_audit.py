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

PROBE = """
import json, os, stat, sys

told = []

def spy(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        path, _, flags = arguments
        path = os.path.abspath(os.fsdecode(path))
        writes = bool((flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        told.append((path, sys._getframe(1).f_code.co_filename, writes, is_open(path)))
    elif event in ("os.rename", "os.link", "os.symlink"):
        told.append((os.path.abspath(os.fsdecode(arguments[1])), sys._getframe(1).f_code.co_filename, True, False))
    elif event in ("os.truncate", "os.remove", "os.mkdir") and isinstance(arguments[0], (str, bytes)):
        told.append((os.path.abspath(os.fsdecode(arguments[0])), sys._getframe(1).f_code.co_filename, True, False))

def is_open(path):
    "Whether a descriptor of that file is open now."
    try:
        wanted = os.stat(path)
    except OSError:
        return False
    return stat.S_ISREG(wanted.st_mode) and any(same(wanted, int(fd)) for fd in os.listdir("/proc/self/fd"))

def same(wanted, fd):
    try:
        return os.path.samestat(wanted, os.fstat(fd))
    except OSError:  # the listing's own
        return False

sys.addaudithook(spy)
from terminal.cli import main

def replayed(path):
    "What the full-screen client does, less the drawing."
    from nhlog.formats import open_recording
    from nhlog.timeline import parse_position
    from terminal.keys import Controls
    from terminal.player import Player
    from terminal.views import view_of
    from terminal.views.frame import draw_frame
    player = Player(open_recording(path))
    controls = Controls(player)
    for place in ("50%", "start", "end"):
        player.replay.seek(player.timeline.resolve(parse_position(place)))
        draw_frame(controls, view_of(player.info.format), 80, 24)
    for key in (".", ",", "G", "g", "n", "]", "[", "F"):
        controls.press(key)
    player.replay.refresh()
    player.close()

def played(path):
    "A recorded game again, through the append path."
    from nhlog.formats.nhgame import open_log
    from nhlog.log.append import Durability, create_log
    from nhlog.log.lines import Command
    log = open_log(path)
    writer = create_log(path + ".new.nhgame", log.header, log.save(0), Durability.LINES)
    writer.append(Command("search"))
    writer.save(log.save(1), "a turn later")
    writer.finish("quit")

def watched(path):
    "A follower, in each of the three ways."
    from nhlog.log.file import LogFile
    from nhlog.log.notify import Changes, Way
    for way in Way:
        with LogFile(path) as log, Changes(log, way):
            pass

def cheated(path):
    "What is forbidden."
    from nhlog.log.file import LogFile
    with LogFile(path), open(path):
        pass

verb, *arguments = sys.argv[1:]
run = {"replayed": replayed, "played": played, "watched": watched, "cheated": cheated}.get(verb)
code = run(*arguments) if run else main([verb, *arguments])
print(json.dumps([code or 0, told]), file=sys.stderr)
"""


class Opened(NamedTuple):
    """An opening, or another change of a name, and whether a descriptor of that file was open already."""

    path: Path
    module: str
    writes: bool
    again: bool


FILE, ATOMIC = str(ROOT / "nhlog" / "log" / "file.py"), str(ROOT / "nhlog" / "atomic.py")

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
    "replayed game.nhgame",
    "watched game.nhgame",
)
WRITING = {
    "recover torn.nhgame": {"torn.nhgame", "torn.nhgame.cut-00000002"},
    "recover torn.nhgame --no-keep": {"torn.nhgame"},
    "rewind game.nhgame --to 50% --yes": {"game.nhgame", "game.nhgame.cut-00000002"},
    "rewind link.nhgame --to 50% --yes": {"link.nhgame", "link.nhgame.cut-00000002"},
    "played game.nhgame": {"game.nhgame.new.nhgame"},
    "dump game.nhgame --save-at end -o made": {"made"},
    "diff 1.save 2.save -o made": {"made"},
    "patch 1.save 2.diff -o made": {"made"},
}


@pytest.fixture(scope="module", params=[*READING, *WRITING])
def run(request: pytest.FixtureRequest) -> str:
    """A verb with its arguments, or one of the probe's own functions."""
    return request.param


@pytest.fixture(scope="module")
def folder(run: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs, one of them behind a link and one large enough for an index, and saves; for each run anew."""
    games = tmp_path_factory.mktemp("audit") / "games"
    games.mkdir()
    played(2000).write(games / "game.nhgame")
    (games / "real.nhgame").write_bytes((SAMPLES / "scripted1.nhgame").read_bytes())
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
        [sys.executable, "-B", "-c", PROBE, *run.split()],
        cwd=folder,
        env=os.environ | {"XDG_CACHE_HOME": str(folder.parent / "cache"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    code, told = json.loads(done.stderr.splitlines()[-1])
    assert code in (0, 3), done.stderr
    found = [Opened(Path(path), module, writes, again) for path, module, writes, again in told]
    return [one for one in found if one.writes or one.path.is_relative_to(folder.parent)]


def test_a_log_is_opened_in_one_module_and_never_twice_at_once(run: str, opened: list[Opened]) -> None:
    logs = [one for one in opened if one.path.suffix == ".nhgame"]
    assert bool(logs) == ("nhgame" in run or run == "ls .")
    assert {one.module for one in logs} <= {FILE}
    assert [one for one in logs if one.again] == []


def test_nothing_is_written_but_what_was_asked_for_and_the_index(run: str, folder: Path, opened: list[Opened]) -> None:
    written = {one.path: one.module for one in opened if one.writes and not is_draft(one.path)}
    cache = folder.parent / "cache"
    beside = {path: module for path, module in written.items() if not path.is_relative_to(cache)}
    assert beside.keys() == {folder / name for name in WRITING.get(run, ())}
    assert set(beside.values()) <= {FILE, ATOMIC}


@pytest.mark.parametrize("run", ["verify game.nhgame", "ls ."], indirect=True)
def test_an_index_is_written_where_a_whole_log_is_read(run: str, folder: Path, opened: list[Opened]) -> None:
    files = [path for path in (folder.parent / "cache").rglob("*") if path.is_file()]
    assert len(files) == (run != "ls .")
    assert {one.path for one in opened if one.writes} >= set(files)


@pytest.mark.parametrize("run", ["cheated game.nhgame"], indirect=True)
def test_the_probe_sees_what_is_forbidden(opened: list[Opened]) -> None:
    assert [(one.module == FILE, one.again) for one in opened] == [(True, False), (False, True)]


def is_draft(path: Path) -> bool:
    """Whether it is what a file was called until it was whole; by now nothing is."""
    return path.name.startswith(".nhlog-") and not path.exists()
