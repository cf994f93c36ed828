"""What answers at once imports little: counted, not timed."""

import json
import os
import pty
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nhlog.emulator.declared import is_made
from terminal.cli import VERBS
from tests.corpus import SAMPLES

HEAVY = {
    "asyncio",
    "blessed",
    "cffi",
    "concurrent",
    "curses",
    "fsspec",
    "http",
    "hypothesis",
    "multiprocessing",
    "numpy",
    "pycparser",
    "pyte",
    "ssl",
    "tcod",
    "unittest",
    "watchdog",
    "wcwidth",
    "xml",
    "zstandard",
}

MOST_MODULES = 150  # of others: the interpreter's own at start are 70, click's 40

PROBE = """
import json, sys
from terminal.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def modules_after(*arguments: str) -> list[str]:
    """All that is imported when `nhlog` was run with these arguments."""
    done = subprocess.run([sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stderr.splitlines()[0]
    return modules


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("ls", "GAMES"),
        ("info", str(SAMPLES / "scripted1.nhgame")),
        ("info", "--json", str(SAMPLES / "scripted1.nhgame")),
        ("show", str(SAMPLES / "died2.nhgame")),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_answers_at_once_imports_nothing_heavy(arguments: tuple[str, ...], tmp_path: Path) -> None:
    for game in SAMPLES.glob("*.nhgame"):  # of some other recordings a part has to be unpacked
        shutil.copy(game, tmp_path)
    modules = modules_after(*(argument.replace("GAMES", str(tmp_path)) for argument in arguments))
    assert HEAVY & {module.partition(".")[0] for module in modules} == set()
    assert sum(not module.startswith(("nhlog", "terminal")) for module in modules) <= MOST_MODULES


CACHE = (
    "msgspec",
    "nhlog.cache",
    "nhlog.log.kept.index",
    "nhlog.log.kept.chains",
    "nhlog.formats.butter.reading.index",
)
"""What short recordings have no need of."""

SHOWN = {  # how many modules of ours, and those that such a recording has nothing to do with
    "arena.butter": (86, (*CACHE, "nhlog.nethack4", "nhlog.log", "nhlog.mdiff", "nhlog.vt", "nhlog.engines")),
    "died2.nhgame": (
        149,
        (*CACHE, "nhlog.vt", "nhlog.session", "nhlog.engines.prompts", "nhlog.nethack4.perception.farlook"),
    ),
}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_to_show_a_recording_only_its_own_reader_and_view_are_imported(name: str) -> None:
    most, unwanted = SHOWN[name]
    modules = modules_after("show", str(SAMPLES / name))
    own = [module for module in modules if module.startswith(("nhlog", "terminal"))]
    assert [module for module in modules if module.startswith(unwanted)] == []
    formats = {module.split(".")[2] for module in own if module.startswith("nhlog.formats.")}
    assert formats == {"nhgame" if name.endswith("nhgame") else "butter"}
    assert len(own) <= most


COMPILED = """
import sys
compiled = []
sys.addaudithook(lambda event, _: compiled.append(event) if event == "compile" else None)
from terminal.cli import main
main(sys.argv[1:])
print(len(compiled), file=sys.stderr)
"""


@pytest.mark.parametrize(("verb", "name", "most"), [("info", "died2.nhgame", 70), ("show", "died2.nhgame", 140)])
def test_of_the_classes_that_are_imported_few_methods_are_compiled(verb: str, name: str, most: int) -> None:
    """Each takes as long as importing a small module, and `dataclasses` and `typing` would compile 130 and 350."""
    command = [sys.executable, "-c", COMPILED, verb, str(SAMPLES / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stderr.splitlines()[-1]) <= most


def test_to_describe_a_game_what_lists_and_draws_games_is_not_imported() -> None:
    modules = modules_after("info", str(SAMPLES / "died2.nhgame"))
    unwanted = (*CACHE, "nhlog.formats.nhgame.listing", "nhlog.nethack4.save.head", "nhlog.screen", "terminal.views")
    assert [module for module in modules if module.startswith(unwanted)] == []
    assert sum(module.startswith(("nhlog", "terminal")) for module in modules) <= 75


def test_to_list_a_folder_no_recording_is_opened_as_a_replay() -> None:
    modules = modules_after("ls", str(SAMPLES))
    replays = ("nhlog.screencast.replay", "nhlog.screencast.screens", "nhlog.formats.nhgame.replay", "terminal.views")
    assert [module for module in modules if module.startswith(replays)] == []
    assert sum(module.startswith(("nhlog", "terminal")) for module in modules) <= 208  # nothing is in the cache yet


def test_to_list_a_folder_again_what_reads_its_games_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("died2.nhgame", "nethack.cast", "dm1.map", "coverage.teehistorian", "arena.butter"):
        shutil.copy(SAMPLES / name, tmp_path)
    grain = 2_000_000_000  # nanoseconds in which a file system may not tell two writes apart: what is younger is read
    while time.time_ns() - max(path.stat().st_ctime_ns for path in tmp_path.iterdir()) < grain:
        time.sleep(0.05)
    modules_after("ls", str(tmp_path))
    modules = modules_after("ls", str(tmp_path))
    readers = ("nhlog.log", "nhlog.vt", "nhlog.mdiff", "nhlog.nethack4", "nhlog.kernels")
    assert [module for module in modules if module.startswith(readers)] == []
    assert sum(module.startswith(("nhlog", "terminal")) for module in modules) <= 49


@pytest.mark.skipif(not is_made(), reason="the emulator's declarations were made no module here")
def test_to_show_a_terminal_no_declarations_are_parsed() -> None:
    modules = modules_after("events", str(SAMPLES / "nethack.cast"))
    assert {"_cffi_backend", "cffi", "pycparser", "pyghostty"} & {*modules} == set()  # all that is in another process


def test_who_keeps_a_program_has_little_in_memory() -> None:
    """There is one for each player: 13 MB, and 18 with what reads logs."""
    probe = "import sys, terminal.hosting.host; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    own = [module for module in done.stdout.split() if module.startswith(("nhlog", "terminal"))]
    readers = ("nhlog.log.", "nhlog.session", "nhlog.mdiff", "nhlog.nethack4", "nhlog.engines", "nhlog.formats.")
    assert [module for module in own if module.startswith(readers)] == []
    assert HEAVY & {module.partition(".")[0] for module in done.stdout.split()} == set()
    assert len(own) <= 88


def test_nothing_is_looked_through_for_garbage_when_the_process_ends() -> None:
    probe = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count()))"  # runs behind those of `main`
    run = f"{probe}; from terminal.cli import main; main(['--help'])"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    assert int(done.stdout.splitlines()[-1]) > 0


def test_help_imports_no_verb() -> None:
    own = {module for module in modules_after("--help") if module.startswith(("nhlog", "terminal"))}
    assert own == {"nhlog", "nhlog.errors", "nhlog.plugins", "terminal", "terminal.cli"}


@pytest.mark.parametrize("verb", ["convert", "dump", "record"])
def test_to_list_the_options_of_all_formats_none_of_their_readers_is_imported(verb: str) -> None:
    modules = {module for module in modules_after(verb, "--help") if module.startswith(("nhlog.", "msgspec"))}
    readers = {module for module in modules if module.startswith("nhlog.formats.") and module.count(".") > 2}
    assert {module.rpartition(".")[2] for module in readers} == {"operations"}
    assert [module for module in modules if module.startswith((*CACHE, "nhlog.screencast.events", "nhlog.vt"))] == []


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_only_the_client_draws(verb: str) -> None:
    assert "blessed" not in modules_after(verb, "--help")


def test_the_lobby_imports_nothing_of_playing_recording_and_asking_before_it_is_wanted(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "died2.nhgame", tmp_path)
    keyboard, terminal = pty.openpty()
    found = tmp_path / "modules"
    probe = PROBE.replace("file=sys.stderr", f"file=open({str(found)!r}, 'w')")
    environment = os.environ | {"TERM": "xterm-256color"}
    command = [sys.executable, "-c", probe, "lobby", str(tmp_path)]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment):
        os.close(terminal)
        drawn = _read_until(keyboard, b"leave")
        os.write(keyboard, b"q")
        _read_until(keyboard, b"")
    os.close(keyboard)
    assert b"1 game" in drawn
    code, modules = json.loads(found.read_text())
    assert code == 0
    unwanted = ("nhlog.session", "nhlog.recorder", "nhlog.vt", "terminal.prompts.menus", "terminal.hosting.playing")
    assert [module for module in modules if module.startswith(unwanted)] == []


def _read_until(descriptor: int, text: bytes) -> bytes:
    """What a terminal is sent until there is this text in it; without a text, until nobody has the terminal."""
    found = b""
    while not text or text not in found:
        try:
            found += os.read(descriptor, 1 << 16)
        except OSError:  # EIO: all who had it are gone
            break
    return found
