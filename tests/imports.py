"""Who imports whom: the modules of the project, read, not run.

The architecture is checked by it (`test_architecture.py`), and `scripts/test --changed` finds by it the tests that a
change can reach.

Half of the house is imported by name when it is asked for: verbs, and by entry points formats, views, engines. Were
each of these a plain import, a change in any format reached all tests that call `nhlog` (354 of 361 files; tried). So
what is offered by name is reached by tests that have the word for it in their text or in that of their helpers
(`butter`, `ls`), or one of the words for everything there is (`ANYTHING`). A test that opens a format without ever
naming it is not found: `scripts/test --all` is for that.
"""

import ast
import gc
import re
import tomllib
from collections.abc import Container, Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.corpus import ROOT

__all__ = ["announced", "importers", "imports", "nodes", "own_imports", "reached_by", "sources", "tree"]

TOPS = ("nhlog", "terminal")
ALL_STAND_ON = ("pyproject.toml", "setup.py", "conftest.py", "doses.toml", "tiers.py")
ANYTHING = {"SAMPLES", "VERBS", "MUTANTS", "TARGETS", "hostile"}
NAME = re.compile(r"(?:nhlog|terminal|tests|scripts)(?:\.\w+)+\.?")


@cache
def sources(tops: tuple[str, ...] = TOPS) -> dict[str, Path]:
    """Every module by its dotted name; a package's is that of its `__init__`."""
    found = {}
    for top in tops:
        for path in sorted((ROOT / top).rglob("*.py")):
            if "compiled" not in path.parts:
                parts = path.relative_to(ROOT).with_suffix("").parts
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    """A module as it is parsed, which stays to the end: it is not searched for garbage, half of all the time."""
    gc.disable()
    try:
        return ast.parse(_all()[module].read_bytes())
    finally:
        gc.freeze()
        gc.enable()


@cache
def nodes(module: str) -> list[ast.AST]:
    return list(ast.walk(tree(module)))


@cache
def imports(module: str) -> tuple[str, ...]:
    """Dotted names of all that a module imports, anywhere in it, modules as exactly as can be told."""
    return tuple(_imports(module))


def _imports(module: str, but: Container[int] = ()) -> Iterator[str]:
    package = module if _all()[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in nodes(module):
        if id(node) in but:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base]).rstrip(".")
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in _all() else base


def own_imports(module: str) -> set[str]:
    return {name for name in imports(module) if name in sources()} - {module}


def reached_by(changed: Iterable[Path]) -> set[Path]:
    """The test files that a change of these files can reach; paths are below the project's folder.

    What nobody imports (a document, a sample, a script) reaches the modules in whose text its name stands, or that of
    the folder it is in; what all tests stand on (`pyproject.toml`, a conftest, the doses) reaches all of them.
    """
    places = {path: name for name, path in _all().items()}
    tests = {path for path in places if path.name.startswith("test_")}
    begun: set[str] = set()
    for path in (ROOT / path for path in changed):
        if path.name in ALL_STAND_ON:
            return {test for test in tests if path.parent == ROOT or test.is_relative_to(path.parent)}
        begun |= {places[path]} if path in places else set()
        begun |= _naming(path) if path.suffix != ".py" or path not in places else set()
    return {path for path in tests if begun & _reach(places[path])}


def importers(file: Path) -> list[Path]:
    """The test files that import a module themselves, not by way of others; `file` is below the project's folder."""
    module = next((name for name, path in _all().items() if path == ROOT / file), None)
    return [path for name, path in _all().items() if path.name.startswith("test_") and module in imports(name)]


@cache
def _all() -> dict[str, Path]:
    """The modules of the product, the tests and the scripts, and the scripts that are called without an ending."""
    found = dict(sources((*TOPS, "tests", "scripts")))
    for path in sorted((ROOT / "scripts").iterdir()):
        if path.is_file() and "python" in path.read_text().partition("\n")[0]:
            found[f"scripts.{path.name}"] = path
    return found


@cache
def _reach(test: str) -> frozenset[str]:
    """All modules that a test can come to."""
    found, left = {test}, [test]
    words: set[str] = set()
    waiting: dict[str, set[str]] = {}
    while left:
        module = left.pop()
        more = set(_needs(module))
        if module.startswith("tests."):
            words |= _words(module)
        for name in _offers(module):
            waiting.setdefault(_key(name), set()).add(name)
        for key in [key for key in waiting if key in words or ANYTHING & words]:
            more |= waiting.pop(key)
        left += more - found
        found |= more
    return frozenset(found)


@cache
def _needs(module: str) -> frozenset[str]:
    """What a module imports when it runs, and the packages around that; of a test, what it names in a string, too."""
    typed = {
        id(inner)
        for node in nodes(module)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = {name for name in _imports(module, typed) if name in _all()}
    if module.startswith("tests."):
        if "nhlog" in found:  # its public names, which it imports from their homes when they are asked for
            found |= {name for name in imports("nhlog") if name in _all()}
        found |= _strings(module)
    for name in [*found, module]:
        parts = name.split(".")
        found |= {".".join(parts[:count]) for count in range(1, len(parts))}
    return frozenset(found & set(_all()) - {module})


@cache
def _strings(module: str) -> frozenset[str]:
    """The modules that are named in strings; where a name ends in a dot, all that it begins."""
    found: set[str] = set()
    for node in nodes(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for name in NAME.findall(node.value):
                found |= {other for other in _all() if other.startswith(name)} if name.endswith(".") else {name}
    return frozenset(found & set(_all()))


@cache
def _offers(module: str) -> frozenset[str]:
    """What a module of the product may import by its name when it is asked to."""
    if module.startswith("tests.") or module in ("nhlog", "nhlog.plugins"):  # whose strings are names of groups
        return frozenset()
    asked = {node.attr for node in nodes(module) if isinstance(node, ast.Attribute)} if _asks(module) else set()
    return _strings(module).union(*(places for group, places in _groups().items() if group in asked))


def _asks(module: str) -> bool:
    """Whether a module looks for what entry points announce, by the constants `plugins.FORMATS` and so on."""
    return "nhlog.plugins" in imports(module)


@cache
def _groups() -> dict[str, frozenset[str]]:
    """The modules that our entry points name, by the constant of their group."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    return {
        group.removeprefix("nhlog.").upper(): frozenset(place.partition(":")[0] for place in places.values())
        for group, places in groups.items()
    }


def announced() -> frozenset[str]:
    """The modules that our entry points name."""
    return frozenset().union(*_groups().values())


def _key(name: str) -> str:
    """The word by which one asks for what is imported by name: a verb's name, the folder of a format or of a view."""
    parts = name.split(".")
    return parts[2] if len(parts) > 2 else parts[-1]


@cache
def _words(module: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-zA-Z0-9]+", _all()[module].read_text()))


def _naming(path: Path) -> set[str]:
    """The modules in whose text a file's name stands, or else that of its folder; all, where nobody knows it."""
    for name in (path.name, path.parent.name):
        pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?!\w)")
        if found := {module for module, source in _all().items() if pattern.search(source.read_text())}:
            return found
    return set(_all())
