"""A wheel as somebody gets it: installed where nothing is, used for a minute, tested, and uninstalled again."""

import os
from collections.abc import Iterator
from pathlib import Path

from nhlog import __version__
from scripts.releasing import NotReady, run
from terminal.cli import VERBS
from tests.terminal.pty import Pty

__all__ = ["try_wheel"]

_TESTS = (
    "tests/contract",
    "tests/log",
    "tests/terminal/commands",
    "tests/terminal/test_cli.py",
    "tests/test_library.py",
    "tests/test_plugins.py",
)
"""What a user of the package relies on; those that look at its source need the checkout."""
_FOR_TESTS = ("hypothesis", "pexpect", "pyte", "pytest", "pytest-timeout")
_BESIDE_TESTS = ("tests", "samples", "docs", "scripts", "README.md", "CHANGELOG.md", "pyproject.toml")


def try_wheel(python: Path, wheel: Path, work: Path, *, extras: str = "", tree: Path | None = None) -> str:
    """Try it with this Python, in a new folder; what came of the tests of this tree, if one is given."""
    work.mkdir()
    run(python, "-m", "venv", work / "venv", cwd=work)
    empty = _files(work / "venv")
    programs = work / "venv" / "bin"
    run(programs / "pip", "install", "--quiet", f"{wheel}{extras}", cwd=work)
    _spend_a_minute(programs / "nhlog", work, compiled=not wheel.name.endswith("-none-any.whl"))
    told = _test(programs, work, tree) if tree else ""
    run(programs / "pip", "uninstall", "--quiet", "--yes", "nhlog", cwd=work)
    if left := _files(work / "venv") - empty - set(_of_others(work / "venv")):
        raise NotReady(f"pip uninstall leaves behind: {sorted(left)}")
    return told


def _spend_a_minute(nhlog: Path, work: Path, *, compiled: bool) -> None:
    """Follow the README: the version, the samples, looking at them, a game, the man pages."""
    home = {"HOME": str(work / "home"), "LANG": "C.UTF-8", "TZ": "UTC"}
    (work / "home").mkdir()

    def nhlog_says(wanted: str, *arguments: str) -> None:
        said = run(nhlog, *arguments, cwd=work, **home)
        if wanted not in said:
            raise NotReady(f"nhlog {' '.join(arguments)} does not say {wanted!r}:\n{said}")

    kernels = "compiled" if compiled else "plain Python"
    nhlog_says(f"nhlog {__version__} (kernels: {kernels})", "--version")
    nhlog_says("samples/delve.nhgame", "samples")
    nhlog_says("Echo VR recording", "ls", "samples")
    nhlog_says("health      sound", "info", "samples/scripted1.nhgame")
    nhlog_says("Dies2, Stripling", "show", "samples/died2.nhgame", "--at", "end")
    nhlog_says(f"nhlog {__version__}", "doctor")
    for name in ("nhlog", *(f"nhlog-{verb}" for verb in VERBS)):
        if not (nhlog.parents[1] / "share" / "man" / "man1" / f"{name}.1").is_file():
            raise NotReady(f"man {name} finds no page")
    _begin_a_game(nhlog, work, home)


def _begin_a_game(nhlog: Path, work: Path, home: dict[str, str]) -> None:
    """From the lobby into delve, a step, and out again."""
    home = home | {"PYTHONPATH": "", "XDG_CACHE_HOME": str(work / "home" / "cache")}
    with Pty(str(nhlog), "lobby", str(work / "samples"), size=(80, 24), **home) as terminal:
        terminal.wait_for("Enter open")
        terminal.send("n")
        terminal.wait_for("What is your name?")
        terminal.send("Ada\r")
        terminal.wait_for("Who are you?")
        terminal.send("b")
        terminal.wait_for("HP:")
        terminal.send("s")
        terminal.send("S")
        terminal.wait_for("Enter open")
        terminal.send("q")
        if code := terminal.end():
            raise NotReady(f"the lobby ends with {code}")
    if not list((work / "home").rglob("*.nhgame")):
        raise NotReady("a game was played, and there is none")


def _test(programs: Path, work: Path, tree: Path) -> str:
    """The last line of pytest, whose tests are where the checkout is not."""
    beside = work / "beside"
    beside.mkdir()
    run("git", "-C", tree, "archive", "--output", work / "beside.tar", "HEAD", *_BESIDE_TESTS, cwd=work)
    run("tar", "--extract", "--file", work / "beside.tar", cwd=beside)
    run(programs / "pip", "install", "--quiet", *_FOR_TESTS, cwd=work)
    found = run(programs / "python", "-P", "-c", "import nhlog; print(nhlog.__file__)", cwd=beside)
    if not Path(found).is_relative_to(work / "venv"):
        raise NotReady(f"the tests would look at {found}")
    quick = ("-k", "not big_recording and not many_processes")  # of what takes longest
    pytest = (programs / "python", "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    said = run(*pytest, *quick, *_TESTS, cwd=beside, PYTHONDONTWRITEBYTECODE="1")  # pytest's would stay behind
    return said.splitlines()[-1]


def _files(folder: Path) -> set[Path]:
    return {Path(place, name) for place, _, names in os.walk(folder) for name in names}


def _of_others(folder: Path) -> Iterator[Path]:
    """The files of all packages that are installed, and what Python compiled of their modules."""
    for record in folder.glob("lib/python*/site-packages/*.dist-info/RECORD"):
        for line in record.read_text().splitlines():
            path = Path(os.path.normpath(record.parents[1] / line.rsplit(",", 2)[0].strip('"')))
            yield path
            if path.suffix == ".py":
                yield from (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc")
