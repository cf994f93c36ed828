"""The house of the design: imports run downwards only, and each outer library has one room."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.corpus import ROOT

FLOORS = (
    "terminal.cli",
    "terminal.commands",
    "terminal.options",
    "terminal.output",
    "terminal.input",
    "terminal.lobby",
    "terminal.play",
    "terminal.replay",
    "terminal.views",
    "terminal.text",
    "terminal.screen",
    "terminal",
    "nhlog",
    "nhlog.testing",
    "nhlog.session",
    "nhlog.formats",
    "nhlog.engines",
    "nhlog.nethack4",
    "nhlog.operations",
    "nhlog.replay",
    "nhlog.config",
    "nhlog.timeline",
    "nhlog.log",
    "nhlog.mdiff",
    "nhlog.cache",
    "nhlog.compression",
    "nhlog.atomic",
    "nhlog.files",
    "nhlog.plugins",
    "nhlog.savehead",
    "nhlog.screen",
    "nhlog.errors",
)
"""From the roof down.

`terminal` and `nhlog` alone are the packages' own `__init__`; that of nhlog names what is public in all below it.
"""

ROOMS = {
    "blessed": "terminal.screen.console",
    "click": "terminal",
    "fsspec": "nhlog.formats",
    "pytest": "nhlog.testing",
    "tcod": "nhlog.engines",
    "watchdog": "nhlog.log.notify",
}
"""Libraries that one part alone may import."""

WITHOUT_IO = (
    "nhlog.mdiff",
    "nhlog.replay",
    "nhlog.screen",
    "nhlog.timeline",
    "terminal.lobby.drawing",
    "terminal.play.controller",
    "terminal.play.drawing",
    "terminal.play.prompts",
    "terminal.replay.controls",
    "terminal.replay.drawing",
    "terminal.replay.motion",
    "terminal.replay.player",
    "terminal.screen.keyboard",
    "terminal.screen.painter",
    "terminal.text",
    "terminal.views",
)
"""Parts that turn values into values, as does every module named `wire`."""

IO = {"fcntl", "io", "mmap", "os", "pathlib", "shutil", "signal", "socket", "subprocess", "sys", "tempfile"}

MOST_LINES = 400


@cache
def sources() -> dict[str, Path]:
    """Every module by its dotted name; a package's is that of its `__init__`."""
    found = {}
    for top in ("nhlog", "terminal"):
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(sources()[module].read_bytes())


def imports(module: str) -> Iterator[str]:
    """Dotted names of all that a module imports, anywhere in it, modules as exactly as can be told."""
    package = module if sources()[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base]).rstrip(".")
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield inner if inner in sources() else base


def own_imports(module: str) -> set[str]:
    return {name for name in imports(module) if name in sources()} - {module}


def is_in(module: str, part: str) -> bool:
    return module == part or module.startswith(part + ".")


def floor(module: str) -> int:
    """How far below the roof a module is."""
    if module in ("nhlog", "terminal"):
        return FLOORS.index(module)
    for number, part in enumerate(FLOORS):
        if part not in ("nhlog", "terminal") and is_in(module, part):
            return number
    raise AssertionError(f"{module} is on no floor of the design")


MODULES = sorted(sources())
PACKAGES = [module for module in MODULES if sources()[module].name == "__init__.py"]


@pytest.mark.parametrize("module", MODULES)
def test_imports_run_downwards(module: str) -> None:
    assert [name for name in sorted(own_imports(module)) if floor(name) < floor(module)] == []


def test_there_are_no_circles() -> None:
    try:
        TopologicalSorter({module: own_imports(module) for module in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize("module", MODULES)
def test_a_library_has_one_room(module: str) -> None:
    libraries = {name.partition(".")[0] for name in imports(module)} & set(ROOMS)
    assert [library for library in sorted(libraries) if not is_in(module, ROOMS[library])] == []


@pytest.mark.parametrize(
    "module",
    [module for module in MODULES if module.endswith(".wire") or any(is_in(module, part) for part in WITHOUT_IO)],
)
def test_what_only_computes_cannot_do_io(module: str) -> None:
    assert {name.partition(".")[0] for name in imports(module)} & IO == set()


@pytest.mark.parametrize("verb", [module for module in MODULES if is_in(module, "terminal.commands")])
def test_verbs_know_neither_each_other_nor_the_command_line(verb: str) -> None:
    above = {name for name in own_imports(verb) if is_in(name, "terminal.commands") or name == "terminal.cli"}
    assert above == set()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_says_what_it_is_and_fits_in_a_head(module: str) -> None:
    assert ast.get_docstring(tree(module))
    assert len(sources()[module].read_text().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_it_must_not_import(package: str) -> None:
    assert "import" in (ast.get_docstring(tree(package)) or "").lower()


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in sources().values()}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_the_readme_lists_the_parts_that_exist() -> None:
    """One row for each module and package directly in `terminal` and in `nhlog`."""
    table = (ROOT / "README.md").read_text().partition("## Layers")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([\w/.]+)` +\|", table, re.MULTILINE)
    parts = set()
    for path in sources().values():
        name, inner, *rest = path.relative_to(ROOT).parts
        if inner != "__init__.py":
            parts.add(f"{name}/{inner}/" if rest else f"{name}/{inner}")
    assert sorted(listed) == sorted(parts)
