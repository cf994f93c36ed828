"""How often tests repeat stands in `doses.toml` alone, and is never lowered in passing."""

import ast
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
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
    "Random",
    "seeded",
}
"""What tests draw with: the methods of `random.Random` and of what Hypothesis gives in its place; what makes one."""
SETTINGS = ("max_examples", "stateful_step_count")
MANY = 10
"""A loop of fewer turns is part of a case (a few bytes of one mutant), not how often cases are repeated."""

PASSED_OVER = {
    "tests/test_scripts.py": "what it gives scripts with --count is handed on, and nothing is repeated",
    "tests/test_doses.py": "its examples",
}

CASE = "# a case: "
"""Behind a loop or a stride, with a reason: it is what the test is about, and no number of repetitions."""

Doses = dict[str, dict[str, Any]]


# A number that a test sets itself: how often something is drawn at random, or which of many places are left out. Seen
# are numbers behind names, those of the module and those it imports from others of tests, and what the module's own
# functions draw. Not seen: a number that is computed, or given to a function, a range behind a name, and a loop that
# draws by a function of another module.


def numbers_of_its_own(source: str) -> Iterator[tuple[int, str]]:
    """The line, and what there is repeated by a number that is no dose."""
    yield from Reading(source).found()


class Reading:
    """The source of a module of tests, and what its names stand for."""

    def __init__(self, source: str) -> None:
        self.lines = source.splitlines()
        self.nodes = list(ast.walk(ast.parse(source)))
        self.known = constants(self.nodes)
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and f"{node.module}".startswith("tests."):
                theirs = constants_of(f"{node.module}")
                self.known |= {alias.asname or alias.name: theirs.get(alias.name, 0) for alias in node.names}
        self.drawing = set(DRAWS)
        functions = [node for node in self.nodes if isinstance(node, ast.FunctionDef)]
        while more := {one.name for one in functions if self.draws(one.body)} - self.drawing:
            self.drawing |= more

    def found(self) -> Iterator[tuple[int, str]]:
        for node in self.nodes:
            match node:
                case ast.keyword(arg=str(name), value=value) if name in SETTINGS and not is_dose(value):
                    yield node.lineno, name
                case ast.Call(func=ast.Attribute(attr="parametrize"), args=[names, values, *_]):
                    if "seed" in ast.unparse(names) and (self.turns(values) or self.is_number(values)):
                        yield node.lineno, "a parametrised seed"
                case ast.List(elts=words) | ast.Tuple(elts=words) | ast.Call(args=words):
                    for option, value in pairwise(words):
                        if isinstance(option, ast.Constant) and option.value in OPTIONS and self.is_number(value):
                            yield option.lineno, str(option.value)
            for iterated, repeated in loops(node):
                if CASE in self.lines[iterated.lineno - 1]:
                    continue
                if max(map(self.turns, parts(iterated))) >= MANY and self.draws(repeated) and not is_dose(iterated):
                    yield iterated.lineno, "a loop that draws at random"
                if any(self.leaves_out(part, repeated) for part in parts(iterated)):
                    yield iterated.lineno, "a stride"
            if isinstance(node, ast.While) and CASE not in self.lines[node.lineno - 1]:
                counts = max(map(self.number, ast.walk(node.test)), default=0) >= MANY
                if counts and self.draws(node.body):
                    yield node.lineno, "a loop that draws at random"

    def number(self, node: ast.AST) -> int:
        """The number that stands there, or behind a name; 0 if there is none."""
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name):
                return self.known.get(name, 0)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -self.number(inner)
        return 0

    def is_number(self, node: ast.expr) -> bool:
        """A number, also in a string, as a command takes it, or a list of such."""
        if isinstance(node, ast.List | ast.Tuple):
            return bool(node.elts) and all(map(self.is_number, node.elts))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "str":
            return all(map(self.is_number, node.args))
        digits = isinstance(node, ast.Constant) and str(node.value).isdigit()
        return digits or bool(self.number(node))

    def turns(self, node: ast.AST) -> int:
        """How many a ``range``, ``islice`` or ``repeat`` with such a number gives; 0 for everything else."""
        match node:
            case (
                ast.Call(func=ast.Name("range"), args=[end])
                | ast.Call(func=ast.Name("islice" | "repeat"), args=[_, end])
            ):
                return self.number(end)
            case ast.Call(func=ast.Name("range"), args=[start, end]) if self.number(end):
                return self.number(end) - self.number(start)
        return 0

    def leaves_out(self, node: ast.AST, repeated: list[ast.AST]) -> bool:
        """Whether it is a stride of which nothing takes the places between: no pieces, and no parts side by side."""
        match node:
            case ast.Slice(step=ast.expr() as step):
                return abs(self.number(step)) != 1
            case ast.Call(func=ast.Name("range"), args=[start, _, step]):
                words, text = ast.unparse(step).lstrip("-"), " ".join(map(ast.unparse, repeated))
                pieces = f"+ {words}" in text or f"- {words}" in text
                shared = not isinstance(start, ast.Constant) and any(f"range({words})" in one for one in self.lines)
                return abs(self.number(step)) != 1 and not pieces and not shared
        return False

    def draws(self, nodes: Iterable[ast.AST]) -> bool:
        """Whether something is drawn at random in it: by a method of `DRAWS`, or by a function here that draws."""
        calls = (part.func for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call))
        return any(getattr(call, "attr", getattr(call, "id", "")) in self.drawing for call in calls)


def loops(node: ast.AST) -> Iterator[tuple[ast.expr, list[ast.AST]]]:
    """What is gone through there, and what is done for each."""
    match node:
        case ast.For() | ast.AsyncFor():
            yield node.iter, [*node.body]
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for part in node.generators:
                yield part.iter, [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, values, *_]):
            yield values, []


def constants(nodes: Iterable[ast.AST]) -> dict[str, int]:
    """The names that are bound there to a number, and to nothing else."""
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for name, value in zip(names, values, strict=False):
                    found.setdefault(ast.unparse(name), []).append(value)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                found.setdefault(name, []).append(value)
    return {
        name: value.value
        for name, [value] in ((name, values) for name, values in found.items() if len(values) == 1)
        if isinstance(value, ast.Constant) and type(value.value) is int
    }


@cache
def constants_of(module: str) -> dict[str, int]:
    path = FILES.get(module.replace(".", "/") + ".py")
    return constants(ast.walk(ast.parse(path.read_text()))) if path else {}


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """It and all that is in it, but for the loops in it, which are read for themselves."""
    yield node
    for inner in ast.iter_child_nodes(node):
        if not any(True for _ in loops(inner)):
            yield from parts(inner)


def is_dose(node: ast.expr) -> bool:
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(ast.unparse(call.func) in ("dose", "spread") for call in calls)


FILES = {str(path.relative_to(ROOT)): path for path in sorted((ROOT / "tests").rglob("*.py"))}


def test_no_test_says_itself_how_often_it_repeats() -> None:
    found = [
        f"{name}:{line}: {what}: put the number into tests/doses.toml with what it buys, and take it by dose(NAME) or "
        f"spread(PLACES, NAME); where it is no repetition, say behind it `{CASE}WHY`"
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
        ("found = [chance.choice(bits) for _ in range(600)]", "a loop that draws at random"),
        ("TIMES = 40\nfor _ in range(TIMES):\n    at = chance.randrange(9)", "a loop that draws at random"),
        ("low, high = 2, 50\nfor _ in range(low, high):\n    at = chance.randrange(9)", "a loop that draws at random"),
        ("def one():\n    return chance.random()\n\nfor _ in range(40):\n    one()", "a loop that draws at random"),
        ("for _, at in zip(range(40), places):\n    chance.random()", "a loop that draws at random"),
        ("for at in islice(places, 40):\n    chance.random()", "a loop that draws at random"),
        ("while done < 40:\n    done += chance.randrange(9)", "a loop that draws at random"),
        ("TIMES = 40\nwhile len(seen) < TIMES:\n    seen.add(chance.randrange(99))", "a loop that draws at random"),
        ("for at in range(0, len(data), 7):\n    look(data[:at])", "a stride"),
        ("for at in places[::17]:\n    look(at)", "a stride"),
        ("STEP = 5\nlook(one for one in range(3, 99, STEP))", "a stride"),
        ("@pytest.mark.parametrize('size', range(0, 400, 13))\ndef test(size): pass", "a stride"),
        (
            "from tests.sharing.test_invariants import LINES\nfor _ in range(LINES):\n    seeded(1)",
            "a loop that draws at random",
        ),
        ("KILLS = 20\nrun([script, '--kills', str(KILLS)])", "--kills"),
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
        "for at in range(0, len(data), 7):\n    feed(data[at : at + 7])",
        "pieces = [data[at : at + size] for at in range(0, len(data), size)]",
        "parametrize('part', range(PARTS))\nfor at in range(part, 99, PARTS):\n    look(at)",
        "for last in range(count, 0, -each):\n    look(data[last - each : last])",
        "for at in places[::-1]:\n    look(at)",
        "for at in spread(places, 'a'):\n    look(at)",
        "for at in range(4, count, 10):  # a case: something happens in each second chunk\n    look(at)",
        "kills = dose('a')\nfor _ in range(kills):\n    at = chance.randrange(9)",
        "while done < dose('a'):\n    done += chance.randrange(9)",
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
        if name != "places"  # of `spread`, unless it is told another one
        and not any(f"{quote}{name}{quote}" in taken for quote in "\"'")
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
