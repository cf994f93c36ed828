"""How often tests repeat stands in `doses.toml` alone, and is never lowered in passing."""

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import ROOT
from tests.doses import PLACE, doses, flat

SIZES = ("ci", "soak")
OPTIONS = ("--kills", "--count", "--games", "--lines")
"""Of `scripts/` and of `python -m tests...`: how often they repeat."""
DRAWS = {
    "choice",
    "choices",
    "getrandbits",
    "randbytes",
    "randint",
    "random",
    "randrange",
    "sample",
    "shuffle",
    "uniform",
}
"""The methods of `random.Random`, and of what Hypothesis gives in its place, that tests draw with."""
SETTINGS = ("max_examples", "stateful_step_count")
MANY = 10
"""A loop of fewer turns is part of a case (a few bytes of one mutant), not how often cases are repeated."""

PASSED_OVER = {
    "tests/test_scripts.py": "what it gives scripts with --count is handed on, and nothing is repeated",
    "tests/test_doses.py": "its examples",
}

Doses = dict[str, dict[str, Any]]


# A number that a test sets itself. What is not seen: a number that comes by a name (``KILLS = 100``) or from another
# module, a loop that draws within a function that it calls, `while`, `zip`, `islice`, and a range of steps in a file
# (``range(0, len(data), 2)``), of which nobody can tell whether it is a dose or the case itself.


def numbers_of_its_own(source: str) -> Iterator[tuple[int, str]]:
    """The line, and what there is repeated by a number that is no dose."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.keyword(arg=str(name), value=value) if name in SETTINGS and not is_dose(value):
                yield node.lineno, name
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, values, *_]):
                if "seed" in ast.unparse(names) and (is_literal_range(values) or is_literal(values)):
                    yield node.lineno, "a parametrised seed"
            case ast.For(iter=times) | ast.AsyncFor(iter=times) if is_literal_range(times, MANY) and draws(node.body):
                yield node.lineno, "a loop that draws at random"
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                drawn = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
                if draws(drawn) and any(is_literal_range(part.iter, MANY) for part in node.generators):
                    yield node.lineno, "a comprehension that draws at random"
            case ast.List(elts=words) | ast.Tuple(elts=words) | ast.Call(args=words):
                for option, value in pairwise(words):
                    if isinstance(option, ast.Constant) and option.value in OPTIONS and is_literal(value):
                        yield option.lineno, str(option.value)


def is_dose(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) and ast.unparse(part.func) == "dose" for part in ast.walk(node))


def is_literal(node: ast.expr) -> bool:
    """A number, also in a string, as a command takes it, or a list of such."""
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts) and all(map(is_literal, node.elts))
    return isinstance(node, ast.Constant) and (isinstance(node.value, int) or str(node.value).isdigit())


def is_literal_range(node: ast.expr, least: int = 0) -> bool:
    """``range(N)`` or ``range(FIRST, N)`` with a literal `N`, of at least so many."""
    match node:
        case ast.Call(func=ast.Name("range"), args=[ast.Constant(value=int(end))]):
            return end >= least
        case ast.Call(func=ast.Name("range"), args=[ast.Constant(value=int(start)), ast.Constant(value=int(end))]):
            return end - start >= least
    return False


def draws(nodes: list[Any]) -> bool:
    """Whether something is drawn at random in it: a method of `DRAWS`, or a new `Random`, seeded by a test or by us."""
    calls = (part.func for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call))
    names = (
        call.attr if isinstance(call, ast.Attribute) else call.id
        for call in calls
        if hasattr(call, "attr") or hasattr(call, "id")
    )
    return any(name in DRAWS or name in ("Random", "seeded") for name in names)


FILES = {str(path.relative_to(ROOT)): path for path in sorted((ROOT / "tests").rglob("*.py"))}


def test_no_test_says_itself_how_often_it_repeats() -> None:
    found = [
        f"{name}:{line}: {what}: put the number into tests/doses.toml with what it buys, and take it by dose(NAME)"
        for name, path in FILES.items()
        if name not in PASSED_OVER
        for line, what in numbers_of_its_own(path.read_text())
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("@settings(max_examples=5)\ndef test(): pass", "max_examples"),
        ("settings(stateful_step_count=50)", "stateful_step_count"),
        ("@pytest.mark.parametrize('seed', range(4))\ndef test(seed): pass", "a parametrised seed"),
        ("@pytest.mark.parametrize('seed', [1, 2])\ndef test(seed): pass", "a parametrised seed"),
        ("for seed in range(12):\n    chance = random.Random(seed)", "a loop that draws at random"),
        ("for _ in range(10):\n    at = chance.randrange(9)", "a loop that draws at random"),
        ("found = [chance.choice(bits) for _ in range(600)]", "a comprehension that draws at random"),
        ("run([script, '--kills', '5'])", "--kills"),
        ("main('--games', 20)", "--games"),
    ],
)
def test_a_number_of_its_own_is_found(source: str, told: str) -> None:
    assert [what for _, what in numbers_of_its_own(source)] == [told]


@pytest.mark.parametrize(
    "source",
    [
        "@settings(max_examples=dose('a'))\ndef test(): pass",
        "@settings(max_examples=2 * dose('a'))\ndef test(): pass",
        "@pytest.mark.parametrize('seed', range(dose('a')))\ndef test(seed): pass",
        "@pytest.mark.parametrize('number', range(8))\ndef test(number): pass",
        "for _ in range(20):\n    player.press('j')",
        "for _ in range(3):\n    at = chance.randrange(9)",
        "for _ in range(dose('a')):\n    at = chance.randrange(9)",
        "run([script, '--kills', str(dose('a'))])",
        "main('--lines', lines)",
    ],
)
def test_a_dose_and_a_scenario_are_no_numbers_of_its_own(source: str) -> None:
    assert list(numbers_of_its_own(source)) == []


# the file


@pytest.mark.parametrize("name", doses())
def test_each_dose_says_what_it_buys_and_soaking_gives_no_less(name: str) -> None:
    entry = doses()[name]
    assert entry.keys() <= {"buys", "lowered", *SIZES}
    assert len(entry["buys"].split()) > 3, "a sentence"
    assert entry["buys"].endswith(".")
    assert 0 < entry["ci"] <= entry["soak"]


def test_each_dose_is_taken_somewhere() -> None:
    """By its name, or by one that is put together: ``dose(f"session.inputs.{name}")``."""
    places = [*FILES.values(), *(path for path in (ROOT / "scripts").rglob("*") if path.is_file())]
    taken = "\n".join(path.read_text(errors="replace") for path in places if path != Path(__file__))
    unused = [
        name
        for name in doses()
        if not any(f"{quote}{name}{quote}" in taken for quote in "\"'")
        and f'"{name.rpartition(".")[0]}.{{' not in taken
    ]
    assert unused == []


# its history


def lowered(now: str, before: list[str]) -> list[str]:
    """What there is less of than there ever was, and what is gone, where the file does not say why."""
    table = tomllib.loads(now)
    here, removed = flat(table), table.get("removed", {})
    most: dict[tuple[str, str], int] = {}
    for version in before:
        for name, entry in flat(tomllib.loads(version)).items():
            for size in SIZES:
                most[name, size] = max(most.get((name, size), 0), entry[size])
    gone = sorted({name for name, _ in most} - here.keys() - removed.keys())
    less = [
        f"{name}.{size}: {here[name][size]}, and was {number}: raise it again, or say why in `lowered`"
        for (name, size), number in most.items()
        if name in here and here[name][size] < number and not here[name].get("lowered")
    ]
    return [*(f"{name} is gone: say why in [removed]" for name in gone), *less]


def git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no history of git: {done.stderr.strip()}")
    return done.stdout


def test_no_dose_was_lowered_or_removed_without_a_reason() -> None:
    place = PLACE.relative_to(ROOT).as_posix()
    versions = git("log", "--format=%H", "--diff-filter=AM", "--", place).split()
    if not versions:
        pytest.skip(f"{place} is in no commit")
    assert lowered(PLACE.read_text(), [git("show", f"{version}:{place}") for version in versions]) == []


def of(ci: int, soak: int, more: str = "", name: str = "a.b") -> str:
    return f'[{name}]\nbuys = "What it buys."\nci = {ci}\nsoak = {soak}\n{more}\n'


@pytest.mark.parametrize(
    ("now", "before", "told"),
    [
        (of(5, 9), [], []),
        (of(5, 9), [of(5, 9)], []),
        (of(6, 10), [of(5, 9)], []),
        (of(4, 9), [of(5, 9)], ["a.b.ci: 4, and was 5"]),
        (of(5, 8), [of(5, 9)], ["a.b.soak: 8, and was 9"]),
        (of(5, 9), [of(5, 9), of(4, 7), of(7, 9)], ["a.b.ci: 5, and was 7"]),
        (of(4, 9, 'lowered = "Because."'), [of(5, 9)], []),
        (of(4, 9, 'lowered = ""'), [of(5, 9)], ["a.b.ci: 4, and was 5"]),
        (of(5, 9, name="c"), [of(5, 9)], ["a.b is gone"]),
        (of(5, 9, name="c") + '[removed]\n"a.b" = "Because."\n', [of(5, 9)], []),
        ("", [of(5, 9), "", of(1, 2, name="c")], ["a.b is gone", "c is gone"]),
    ],
)
def test_a_history(now: str, before: list[str], told: list[str]) -> None:
    found = lowered(now, before)
    assert [line.partition(":")[0] for line in found] == [line.partition(":")[0] for line in told]
    assert all(line.startswith(start) for line, start in zip(found, told, strict=True))
