"""A format, an engine and a verb of other packages: they keep our contracts, and are used as ours are."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nhlog.log.file import LogFile
from nhlog.log.log import Log
from tests.corpus import ROOT
from tests.examples.install import EXAMPLES, install
from tests.terminal.pty import NHLOG, Pty

HEADER = '{"version": 2, "width": 80, "height": 5, "timestamp": 1700000000, "title": "building"}\n'
TYPED = '[0.5, "o", "$ make\\r\\n"]\n[2, "o", "cc main.c\\r\\n"]\n[3, "i", "q"]\n'
DONE = '[4.5, "o", "done\\r\\n"]\n[5, "x", "0"]\n'
UP_AND_LEFT = "kh"
MOST_LINES = {"game2048/game2048/__init__.py": 110, "longest/longest": 40, "minicast/minicast": 200}  # of code


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages installed."""
    folder = tmp_path_factory.mktemp("site")
    install(folder)
    return folder


@pytest.fixture
def environment(site: Path, tmp_path: Path) -> dict[str, str]:
    """That of a user who has them installed."""
    return {
        "PYTHONPATH": os.pathsep.join((str(site), str(ROOT))),
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_CONFIG_DIRS": str(tmp_path / "system"),
        "LOGNAME": "ann",
        "TZ": "UTC",
    }


def nhlog(environment: dict[str, str], *arguments: str, code: int = 0) -> str:
    """What the verb prints."""
    done = subprocess.run(
        [*NHLOG, *arguments], env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout


def record(environment: dict[str, str], *arguments: str) -> dict:
    """The same as an object."""
    return json.loads(nhlog(environment, *arguments, "--json"))


@pytest.fixture
def cast(tmp_path: Path) -> Path:
    path = tmp_path / "build.minicast"
    path.write_text(HEADER + TYPED + DONE)
    return path


def play_2048(environment: dict[str, str], *arguments: str) -> Pty:
    return Pty(*(*NHLOG, "play", "--new", "--game", "2048", "--name", "Ann", "--seed", "7", *arguments), **environment)


def the_log(environment: dict[str, str]) -> str:
    [path] = (Path(environment["XDG_DATA_HOME"]) / "nhlog" / "games").glob("*.nhgame")
    return str(path)


@pytest.fixture
def game(environment: dict[str, str]) -> str:
    """The log of a game of eight moves."""
    with play_2048(environment) as pty:
        pty.wait_for("1 turns, on tile")
        pty.send(UP_AND_LEFT * 4 + "S")
        assert pty.end() == 0
    return the_log(environment)


def turns(path: str) -> int:
    with LogFile(path) as file:
        return Log(file).columns.last_turn


# the packages


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_it_keeps_the_contract_that_ships(site: Path, example: Path) -> None:
    options = ("-q", "-c", os.devnull, "--noconftest", "--rootdir", str(example), "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(example)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))},
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b3[0-5] passed" if example.name != "longest" else r"\b1 passed", done.stdout)


@pytest.mark.parametrize("place", MOST_LINES)
def test_it_is_small(place: str) -> None:
    path = Path(__file__).parent / place
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    assert sum(code_lines(file.read_text()) for file in files) < MOST_LINES[place]


def code_lines(text: str) -> int:
    """Lines that are neither empty nor of a docstring."""
    tree = ast.parse(text)
    nodes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef))]
    documented = [node.body[0] for node in nodes if ast.get_docstring(node)]
    told = {line for found in documented for line in range(found.lineno, found.end_lineno + 1)}
    return sum(bool(line.strip()) and number not in told for number, line in enumerate(text.splitlines(), 1))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_it_uses_public_modules_only(example: Path) -> None:
    allowed = {
        "nhlog",
        "nhlog.operations.options",
        "nhlog.testing",
        "nhlog.engines.prompts",
        "nhlog.plots",
        "terminal.views",
    }
    if example.name == "longest":  # a verb, whose tests call the command itself
        allowed |= {"terminal.options", "terminal.output", "terminal.cli"}
    for path in example.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] in ("nhlog", "terminal"):
                assert node.module in allowed, path


# a recording in the format


def test_a_recording_is_listed_told_of_shown_and_searched(environment: dict[str, str], cast: Path) -> None:
    listed = nhlog(environment, "ls", str(cast.parent))
    assert re.search(r"building +terminal recording +0:05 .* finished +build.minicast", listed)
    told = record(environment, "info", str(cast))
    assert (told["title"], told["frames"], told["health"]) == ("building", 5, "sound")
    shown = nhlog(environment, "show", str(cast), "--at", "frame:2")
    assert "$ make" in shown
    assert "cc main.c" in shown
    assert "done" not in shown
    assert nhlog(environment, "events", str(cast)).splitlines()[-1] == "     0:04  done"
    assert "cc main.c" in nhlog(environment, "search", str(cast), "Main|main")
    nhlog(environment, "search", str(cast), "nothing", code=1)


def test_damage_is_found_and_told(environment: dict[str, str], cast: Path) -> None:
    assert "sound" in nhlog(environment, "verify", str(cast))
    cast.write_text(HEADER + TYPED + "[6, 7\n" + DONE)
    found = nhlog(environment, "verify", str(cast), code=3)
    assert f"offset {len(HEADER + TYPED)}: fault: not JSON" in found
    assert "cc main.c" in nhlog(environment, "show", str(cast), "--at", "end")


def test_its_options_are_where_ours_are(environment: dict[str, str], cast: Path) -> None:
    manual = " ".join(nhlog(environment, "dump", "--help").split())
    assert "--from-line N For minicasts: the first line to print, counted from 1." in manual
    assert "--as-reference For .butter files: print what the reference decoder prints." in manual
    assert "--from-line" not in nhlog(environment, "info", "--help")
    asked = {"_NHLOG_COMPLETE": "bash_complete", "COMP_WORDS": "nhlog dump --fr", "COMP_CWORD": "2"}
    assert nhlog(environment | asked).splitlines() == ["plain,--frames", "plain,--from-line"]
    page = "from scripts.manuals.roff import man_pages; print(dict(man_pages('', ''))['nhlog-dump.1'])"
    done = subprocess.run(
        [sys.executable, "-c", page], env={**os.environ, **environment}, cwd=ROOT, capture_output=True, text=True
    )
    assert r"\fB\-\-from\-line\fR" in done.stdout, done.stderr


def test_its_options_are_given_to_its_operation(environment: dict[str, str], cast: Path) -> None:
    records = [json.loads(line) for line in nhlog(environment, "dump", str(cast), "--json").splitlines()]
    assert [record["text"] for record in records] == ["$ make", "cc main.c", "q", "done", "0"]
    some = nhlog(environment, "dump", str(cast), "--from-line=4", "--raw", "--json").splitlines()
    assert [json.loads(line)["text"] for line in some] == ["done\n", "0"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--from-line", "0"], "--from-line: '0' is not a whole number from 1 on"),
        (["--from-line", "x"], "--from-line: 'x' is not a whole number from 1 on"),
        (["--saves"], "--saves does not apply to a terminal recording"),
        (["--raww"], "No such option '--raww'. Did you mean '--raw'?"),
    ],
    ids=" ".join,
)
def test_a_wrong_option_is_refused(environment: dict[str, str], cast: Path, options: list[str], told: str) -> None:
    done = subprocess.run(
        [*NHLOG, "dump", str(cast), *options],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_its_option_is_refused_for_our_formats(environment: dict[str, str]) -> None:
    nhlog(environment, "dump", "samples/dm1.map", "--from-line", "2", code=2)


def test_what_the_format_cannot_do_is_said(environment: dict[str, str], cast: Path) -> None:
    nhlog(environment, "stats", str(cast), code=4)


def test_a_recording_that_grows_is_watched(environment: dict[str, str], cast: Path) -> None:
    cast.write_text(HEADER + TYPED)
    with Pty(*NHLOG, "watch", str(cast), **environment) as pty:
        pty.wait_for("cc main.c")
        with cast.open("a") as file:
            file.write(DONE[:20])
            file.flush()
            file.write(DONE[20:])
        pty.wait_for("done")
        pty.send("g")
        pty.wait(lambda rows: not any("make" in row for row in rows))
        pty.send("..")
        pty.wait_for("cc main.c")
        pty.send("q")
        assert pty.end() == 0


# a verb


def test_a_verb_is_listed_explained_completed_and_meant(environment: dict[str, str], cast: Path) -> None:
    listed = record(environment, "longest", str(cast.parent))
    assert listed == {"file": str(cast), "duration": 5_000_000}
    assert "longest  List the longest recordings in a folder." in nhlog(environment, "--help")
    explained = nhlog(environment, "help", "longest")
    assert "--most INTEGER" in explained
    assert "--log-file FILE" in explained
    asked = {"_NHLOG_COMPLETE": "bash_complete", "COMP_WORDS": "nhlog lon", "COMP_CWORD": "1"}
    assert "plain,longest" in nhlog(environment | asked)
    with pytest.raises(AssertionError, match="Did you mean longest"):
        nhlog(environment, "longset")


def test_a_verb_that_cannot_be_loaded_costs_itself_alone(environment: dict[str, str], tmp_path: Path) -> None:
    metadata = tmp_path / "broken-1.dist-info"
    metadata.mkdir()
    (metadata / "entry_points.txt").write_text("[nhlog.verbs]\nbroken = nowhere:command\nls = longest:command\n")
    broken = environment | {"PYTHONPATH": f"{tmp_path}:{environment['PYTHONPATH']}"}
    assert "broken   the plugin broken cannot be loaded: ModuleNotFoundError" in nhlog(broken, "--help")
    with pytest.raises(AssertionError, match="the plugin broken cannot be loaded"):
        nhlog(broken, "broken")
    assert "nethack.cast" in nhlog(broken, "ls", "samples")  # it stays ours


# a game of the engine


def test_a_game_is_played_left_and_gone_on_with(environment: dict[str, str], game: str) -> None:
    assert turns(game) > 4
    with Pty(*NHLOG, "play", "--game", "2048", "--name", "Ann", **environment) as pty:
        pty.wait_for(f"{turns(game)} turns")
        pty.send("#quit\r")
        pty.wait_for("Really quit?")
        pty.send("y")
        pty.wait_for("The game is over: quit with")
        pty.send("q")
        assert pty.end() == 0


def test_a_game_is_listed_told_of_shown_and_searched(environment: dict[str, str], game: str) -> None:
    assert re.search(rf"Ann +human Pla +{turns(game)} +tile \d", nhlog(environment, "ls", os.path.dirname(game)))
    assert record(environment, "info", game)["engine"] == "2048"
    assert record(environment, "info", game)["health"] == "sound"
    assert f"{turns(game)} turns, on tile" in nhlog(environment, "show", game, "--at", "end")
    assert record(environment, "state", game, "--at", "turn:3")["turn"] == 3
    assert nhlog(environment, "events", game).count("moves north") == 4
    assert "moves west" in nhlog(environment, "search", game, "west")
    assert "sound" in nhlog(environment, "verify", game)


def test_a_game_is_watched_while_it_is_played(environment: dict[str, str]) -> None:
    with play_2048(environment) as player:
        player.wait_for("1 turns, on tile")
        with Pty(*NHLOG, "watch", the_log(environment), **environment) as watcher:
            watcher.wait_for("1 turns, on tile")
            player.send("kh")
            player.wait_for("3 turns")
            watcher.wait_for("3 turns")
            watcher.send("g")
            watcher.wait_for("1 turns")
            watcher.send("q")
            assert watcher.end() == 0
        player.send("rh")
        player.wait(lambda rows: not any(" 3 turns" in row for row in rows))
        player.send("S")
        assert player.end() == 0
    assert "sound" in nhlog(environment, "verify", the_log(environment))


def test_a_game_is_rewound_under_its_player(environment: dict[str, str]) -> None:
    with play_2048(environment) as player:
        player.wait_for("1 turns, on tile")
        player.send("khkh")
        player.wait_for(" 5 turns")
        nhlog(environment, "rewind", the_log(environment), "--to", "turn:3", "--yes", "--force")
        assert "3 turns, on tile" in record(environment, "info", the_log(environment))["state"]
        player.wait_for(" 3 turns")
        player.send("R")
        player.wait_for("watching again")
        player.send("g")
        player.wait_for(" 1 turns")
        player.send("F")
        player.wait_for(" 3 turns")
        player.send("S")
        assert player.end() == 0
    assert turns(the_log(environment)) == 3


def test_the_lobby_asks_which_game(environment: dict[str, str]) -> None:
    with Pty(*NHLOG, **environment) as pty:
        pty.wait_for("There are no games yet")
        pty.send("n")
        rows = pty.wait_for("Which game?")
        pty.send(re.search(r"(\w) - 2048", "\n".join(rows))[1])
        pty.wait_for("What is your name?")
        pty.send("\r")
        pty.wait_for("1 turns, on tile")
        pty.send("S")
        pty.wait_for("your games")
        pty.send("q")
        assert pty.end() == 0


def test_a_game_whose_engine_is_gone_can_be_watched_and_says_so(environment: dict[str, str], game: str) -> None:
    without = environment | {"PYTHONPATH": str(ROOT)}
    assert "moves north" in nhlog(without, "events", game)
    with Pty(*NHLOG, "play", game, **without) as pty:
        pty.wait_for("no engine for")
        pty.send("q")
        assert pty.end() == 0


def test_an_engine_that_is_not_there_is_named(environment: dict[str, str]) -> None:
    with Pty(*NHLOG, "play", "--new", "--game", "chess", **environment) as pty:
        pty.wait_for("no engine for chess")
        assert pty.end() == 4
