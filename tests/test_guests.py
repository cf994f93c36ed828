"""Guests come by the front door: the core knows none of them, they know none of each other, and each can be gone."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.corpus import SAMPLES
from tests.doses import SIZE, dose, seeded
from tests.guests import GUESTS, HOW, fresh_guests, guest_of, house_without
from tests.imports import nodes, own_imports, sources

ASKED = {
    "nhlog": ("Hollow Cube", "`nhlog.Recorder`, which others use by this name"),
    "terminal.commands.lobby": ("relay", "`--relay`"),
    "terminal.commands.ls": ("archive", "the catalogue of an archive, where an address has one"),
    "terminal.commands.verify": ("archive", "an address of an archive"),
    "terminal.doctor.checks": ("NetHack 3.6 accounts relay", "its findings, where it is installed"),
    "terminal.input": ("relay", "addresses that begin with nats://"),
    "terminal.lobby.contents": ("relay", "a type alone"),
    "terminal.replay.controls": ("plots", "the key that shows one"),
    "terminal.replay.drawing.frame": ("plots", "the same"),
}
"""What others ask of a guest by its name, and what for: each waits for a wider door, and no row is to be added."""


def guests_of(modules: set[str]) -> str:
    return " ".join(sorted({guest_of(name) for name in modules} - {""}))


def test_each_part_of_a_guest_exists_and_is_one_guests() -> None:
    parts = [part for guest in GUESTS.values() for part in guest.parts]
    assert [part for part in parts if part not in sources()] == []
    assert [one for one in parts for other in parts if one != other and one.startswith(f"{other}.")] == []


def test_guests_do_not_know_each_other() -> None:
    for module in sources():
        if guest := guest_of(module):
            assert guests_of(own_imports(module)) in ("", guest), module


def test_nobody_asks_more_of_a_guest_than_is_listed() -> None:
    found = {module: guests_of(own_imports(module)) for module in sources() if not guest_of(module)}
    assert {module: names for module, names in found.items() if names} == {name: to for name, (to, _) in ASKED.items()}


def at_once(body: list[ast.stmt]) -> Iterator[str]:
    """The modules that are imported as soon as this is run; not those of functions, nor those for types alone."""
    for node in body:
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from at_once(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for inner in ("body", "orelse", "handlers", "finalbody"):
                yield from at_once(getattr(node, inner, []))


@pytest.mark.parametrize("module", ASKED)
def test_who_asks_does_so_when_it_is_wanted(module: str) -> None:
    """A module that imports a guest at once could not be imported where that guest is missing."""
    assert guests_of(set(at_once(ast.parse(sources()[module].read_bytes()).body))) == ""
    assert any(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes(module))


LOOK = """
import sys
from terminal.cli import main
for path in sys.argv[1:]:
    for verb in ("info", "show", "events", "verify", "stats"):
        print(f"== {verb} {path}", flush=True)
        print(main([verb, path, "--json"] if verb == "info" else [verb, path]), flush=True)
"""


def told_of(samples: list[Path], environment: dict[str, str] | None = None) -> dict[str, list[str]]:
    """What each verb says of each of these, with its exit code."""
    run = [sys.executable, *(["-S"] if environment else []), "-c", LOOK, *map(str, samples)]
    wide = {**(environment or os.environ), "COLUMNS": "200"}
    done = subprocess.run(run, capture_output=True, text=True, env=wide, cwd=SAMPLES, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    parts = [part.splitlines() for part in done.stdout.split("== ")[1:]]
    return {heading: said for heading, *said in parts}


ALL = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".md")


@pytest.fixture(scope="module")
def whole() -> dict[str, list[str]]:
    """What the whole house says of all samples."""
    return told_of(ALL)


def taken() -> list[tuple[str, ...]]:
    """Who is taken away: all of them, and some alone."""
    some = seeded("guests").sample([*GUESTS], dose("guests.taken"))
    return [tuple(GUESTS), *((guest,) for guest in sorted(some))]


@pytest.mark.parametrize("guests", taken(), ids=lambda guests: guests[0] if len(guests) == 1 else "all")
def test_without_a_guest_nothing_else_notices(
    guests: tuple[str, ...], whole: dict[str, list[str]], tmp_path: Path
) -> None:
    told = told_of(ALL, house_without(guests, tmp_path))
    theirs = tuple(ending for guest in guests for ending in GUESTS[guest].samples)
    assert {heading: said for heading, said in told.items() if not heading.endswith(theirs)} == {
        heading: said for heading, said in whole.items() if not heading.endswith(theirs)
    }
    assert told.keys() == whole.keys()


def test_a_verb_of_a_guest_that_is_gone_says_so(tmp_path: Path) -> None:
    run = [sys.executable, "-S", "-c", "import sys; from terminal.cli import main; sys.exit(main(['serve', '.']))"]
    environment = house_without(("web",), tmp_path)
    done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=SAMPLES, check=False)
    assert (done.returncode, done.stderr) == (4, "nhlog: `nhlog serve` is not installed\n")


CORE = (
    "tests/mdiff",
    "tests/log",
    "tests/session",
    "tests/test_timeline.py",
    "tests/test_savehead.py",
    "tests/terminal/screen",
)
"""The tests of the core alone."""
CARRIED = "tests/session/test_carried.py"
"""Plays games of delve."""


def pass_without(guests: tuple[str, ...], tests: Sequence[str], place: Path) -> None:
    """Run these tests, the quick ones of them, in a house without some guests.

    With the doses of CI in a soak, too: what is sought is what else asks for a guest, and each of these tests is a task
    of `scripts/soak` itself.  With its doses the core alone takes hours, beyond every time limit.
    """
    environment = house_without(guests, place) | {SIZE: "ci"}
    command = [sys.executable, "-S", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--quick"]
    command += [f"--ignore={CARRIED}", *tests]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=place / "house", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_core_passes_its_tests_alone(tmp_path: Path) -> None:
    pass_without(tuple(GUESTS), CORE[: dose("guests.core")], tmp_path)


@pytest.mark.parametrize("guest", seeded("without").sample([*GUESTS], dose("guests.tested")))
def test_other_guests_pass_their_tests_without_it(guest: str, tmp_path: Path) -> None:
    others = [name for name in GUESTS if name != guest]
    some = seeded(guest).sample(others, dose("guests.others"))
    pass_without((guest,), [GUESTS[name].tests for name in some], tmp_path)


def test_the_documents_have_the_house_as_it_stands() -> None:
    """Sizes but roughly: they change with each commit.  `python -m tests.guests` writes it."""
    text = HOW.read_text()
    number = re.compile(r"(?<=\| )[\d.]+(?= \|)")
    written, fresh = (number.findall(table) for table in (text, fresh_guests(text)))
    assert number.sub("", text) == number.sub("", fresh_guests(text))
    assert [float(one) for one in written] == pytest.approx([float(one) for one in fresh], rel=0.2, abs=0.3)
