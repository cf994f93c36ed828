"""The house of the design: imports run downwards only, and each outer library has one room."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.corpus import ROOT
from tests.imports import imports, nodes, own_imports, sources, tree

FLOORS = (
    "terminal.behind",
    "terminal.cli",
    "terminal.commands",
    "terminal.options",
    "terminal.journal",
    "terminal.output",
    "terminal.pager",
    "terminal.program",
    "terminal.crash",
    "terminal.doctor",
    "terminal.accounts",
    "terminal.client",
    "terminal.web",
    "terminal.lobby",
    "terminal.hosting",
    "terminal.input",
    "terminal.relayed",
    "terminal.play",
    "terminal.streamed",
    "terminal.rendered",
    "terminal.replay",
    "terminal.followed",
    "terminal.ending",
    "terminal.settings",
    "terminal.prompts",
    "terminal.plots",
    "terminal.views",
    "terminal.messages",
    "terminal.text",
    "terminal.screen",
    "terminal",
    "nhlog",
    "nhlog.testing",
    "nhlog.gym",
    "nhlog.scores",
    "nhlog.session",
    "nhlog.relay",
    "nhlog.archive",
    "nhlog.recorder",
    "nhlog.formats",
    "nhlog.screencast",
    "nhlog.engines",
    "nhlog.nethack4",
    "nhlog.listed",
    "nhlog.operations",
    "nhlog.replay",
    "nhlog.plots",
    "nhlog.accounts",
    "nhlog.config",
    "nhlog.players",
    "nhlog.highlights",
    "nhlog.timeline",
    "nhlog.log",
    "nhlog.mdiff",
    "nhlog.forked",
    "nhlog.cache",
    "nhlog.unpacked",
    "nhlog.vt",
    "nhlog.emulator",
    "nhlog.confined",
    "nhlog.change",
    "nhlog.beside",
    "nhlog.remote",
    "nhlog.files",
    "nhlog.compression",
    "nhlog.decoding",
    "nhlog.guard",
    "nhlog.plugins",
    "nhlog.savehead",
    "nhlog.screen",
    "nhlog.progress",
    "nhlog.errors",
    "nhlog.values",
    "nhlog.kernels",
)
"""From the roof down.

`terminal` and `nhlog` alone are the packages' own `__init__`; that of nhlog names what is public in all below it.
"""

ROOMS = {
    "argon2": ("nhlog.accounts.passwords",),
    "blessed": ("terminal.screen.console",),
    "bz2": ("nhlog.compression",),
    "click": ("terminal",),
    "curses": ("terminal.doctor.machine",),
    "fsspec": ("nhlog.remote",),
    "gymnasium": ("nhlog.gym",),
    "gzip": (),
    "http": ("nhlog.remote", "terminal.web"),
    "lz4": ("nhlog.log.wire.blob",),
    "lzma": ("nhlog.compression",),
    "matplotlib": ("terminal.plots.pictures",),
    "nats": ("nhlog.relay",),
    "nle": ("nhlog.gym",),
    "numpy": ("nhlog.engines", "nhlog.gym"),
    "platformdirs": ("nhlog.config",),
    "pyghostty": ("nhlog.emulator.library",),
    "pytest": ("nhlog.testing",),
    "starlette": ("terminal.web",),
    "tcod": ("nhlog.engines",),
    "urllib": ("nhlog.remote", "terminal.web"),
    "uvicorn": ("terminal.web",),
    "uvloop": ("terminal.web",),
    "watchdog": ("nhlog.files.events",),
    "websockets": ("terminal.web",),
    "zstandard": ("nhlog.compression",),
}
"""Libraries that only these parts may import: each stands behind one idea of ours."""

OPENERS = {
    "nhlog.confined.folders": "folders, to name them to the kernel",
    "nhlog.engines.nethack.machine.library": "what NetHack has in its folder",
    "nhlog.engines.nethack.machine.worker": "the null device",
    "nhlog.files.opening": "the one opener",
    "nhlog.forked": "its own namespaces and folder, to show them and to hand them on",
    "terminal.cli": "the null device, for output that nobody reads",
    "terminal.input": "the terminal, where standard input is a pipe",
    "terminal.screen.tty.device": "the terminal",
    "terminal.screen.tty.waiting": "the terminal, which hung up with who played",
}
"""Modules that may call `os.open`."""

READERS = {
    "nhlog.files.atomic": "a descriptor of its own",
    "nhlog.config.written": "the configuration",
    "nhlog.kernels": "its own source",
    "nhlog.files.processes": "the system's tables of locks and processes",
    "nhlog.files.events": "the system's table of mounts",
    "nhlog.plugins": "what is installed",
    "nhlog.testing.recordings": "what a test writes",
    "nhlog.emulator.declared": "the text that the emulator's package is made of",
    "terminal.input": "a feed that may be a pipe",
    "terminal.output": "a device that is written to",
    "terminal.screen.tty.front": "standard input and output, anew",
    "terminal.screen.tty.waiting": "a channel between two processes of ours",
    "terminal.web.routes": "the pages and what they need",
}
"""Modules that may use the built-in `open`, or a path's methods for reading: for what is no recording."""

WITHOUT_IO = (
    "nhlog.log.wire",
    "nhlog.mdiff",
    "nhlog.plots",
    "nhlog.relay.course",
    "nhlog.replay",
    "nhlog.screen",
    "nhlog.timeline",
    "terminal.ending.drawing",
    "terminal.ending.ending",
    "terminal.ending.pictures",
    "terminal.lobby.drawing",
    "terminal.messages",
    "terminal.play.controller",
    "terminal.play.drawing",
    "terminal.plots.axes",
    "terminal.plots.curves",
    "terminal.plots.heat",
    "terminal.plots.screen",
    "terminal.prompts",
    "terminal.replay.controls",
    "terminal.replay.drawing",
    "terminal.replay.motion",
    "terminal.replay.player",
    "terminal.screen.tty.keyboard",
    "terminal.screen.painter",
    "terminal.screen.pictures",
    "terminal.text",
    "terminal.views",
)
"""Parts that turn values into values, as does all of every `wire`."""

IO = {"fcntl", "io", "mmap", "os", "pathlib", "shutil", "signal", "socket", "subprocess", "sys", "tempfile"}

MOST_MODULES = 14
MOST_METHODS = 34
MOST_ATTRIBUTES = 19


KINDS = {
    "nhlog.errors.TooShort": "the error of a header that ends early, which is a bad header, too",
    "nhlog.errors.Usage": "many mistakes in one file, told together",
    "nhlog.files.processes.Process": "a process that holds a lock",
    "nhlog.files.reading.File": "its bytes come from an archive",
    "nhlog.files.reading.Memory": "bytes that are a log",
    "nhlog.files.reading.Source": "a protocol: of what has an address",
    "nhlog.formats.butter.wire.correct.CorrectedDecoder": "decodes less",
    "nhlog.formats.butter.wire.decode.ReferenceDecoder": "decodes without the reference's faults",
    "nhlog.log.log.Log": "finds saves by position",
    "nhlog.mdiff.align.Saves": "compares by the kernels",
    "nhlog.relay.copy.Copy": "tells how much of it has come",
    "nhlog.replay.Remarked": "what every state may have, for viewers that know no log",
    "nhlog.screencast.operations.DumpOptions": "one option more",
    "nhlog.testing.following.FollowingContract": "the rules of recordings that grow, beside those of all",
    "nhlog.testing.recordings.Recordings": "what a format says of its recordings, for whoever has rules for these",
    "nhlog.timeline.Axis": "numbers that are found when they are asked for",
    "terminal.options.OfFormats": "the verb with an option that is another one behind `--`",
}
"""Classes that only one other inherits, in another file, as that is one of them: what it has or does differently."""


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


def of_each(names: Iterable[str]) -> Callable[[Callable[[str], None]], Callable[[], None]]:
    """One test of all these names, which tells every one that fails: thousands of tests take their time to begin."""

    def whole(test: Callable[[str], None]) -> Callable[[], None]:
        def run() -> None:
            assert [told for name in names if (told := failure(test, name))] == []

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return whole


def failure(test: Callable[[str], None], name: str) -> str:
    """Why the test fails for this name; empty if it passes."""
    try:
        test(name)
    except AssertionError as error:
        return f"{name}: {error}"
    return ""


@of_each(MODULES)
def test_imports_run_downwards(module: str) -> None:
    assert [name for name in sorted(own_imports(module)) if floor(name) < floor(module)] == []


def test_there_are_no_circles() -> None:
    try:
        TopologicalSorter({module: own_imports(module) for module in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@of_each([package for package in PACKAGES if package.startswith(("nhlog.nethack4", "nhlog.engines"))])
def test_the_parts_of_a_package_form_no_circle(package: str) -> None:
    """Its modules and its packages, each package as a whole."""

    def part(module: str) -> str:
        return module.removeprefix(f"{package}.").partition(".")[0]

    parts: dict[str, set[str]] = {}
    for module in MODULES:
        if is_in(module, package) and module != package:
            inner = {part(name) for name in own_imports(module) if name.startswith(f"{package}.")}
            parts.setdefault(part(module), set()).update(inner - {part(module)})
    try:
        TopologicalSorter(parts).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@of_each(MODULES)
def test_a_library_has_one_room(module: str) -> None:
    libraries = {name.partition(".")[0] for name in imports(module)} & set(ROOMS)
    assert [library for library in sorted(libraries) if not any(is_in(module, room) for room in ROOMS[library])] == []


def calls(module: str) -> Iterator[str]:
    """The names of what a module calls, with what stands before them if that is a name: ``os.open``, ``open``."""
    for node in nodes(module):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(name):
                    yield name
                case ast.Attribute(ast.Name(owner), name):
                    yield f"{owner}.{name}"
                case ast.Attribute(_, name):
                    yield f".{name}"


@of_each(MODULES)
def test_files_are_opened_in_one_place(module: str) -> None:
    assert "os.open" not in set(calls(module)) or module in OPENERS
    assert not reading_calls(module) or module in READERS


def test_what_may_open_files_does_so() -> None:
    assert [module for module in OPENERS if "os.open" not in set(calls(module))] == []
    assert [module for module in READERS if not reading_calls(module)] == []


def reading_calls(module: str) -> set[str]:
    """Calls that open a file by other means than `nhlog.files`."""
    return {
        name for name in calls(module) if name in ("open", "io.open") or name.endswith((".read_bytes", ".read_text"))
    }


@of_each(PACKAGES)
def test_a_folder_has_a_dozen_modules_or_so(package: str) -> None:
    """Besides its own folders.  Verbs are as many as the command line has."""
    inside = [name for name in MODULES if name.rpartition(".")[0] == package and name not in PACKAGES]
    assert package == "terminal.commands" or len(inside) <= MOST_MODULES


def classes(module: str) -> Iterator[ast.ClassDef]:
    return (node for node in nodes(module) if isinstance(node, ast.ClassDef))


@of_each(MODULES)
def test_a_class_is_one_idea(module: str) -> None:
    """Who needs more methods, or more to remember, has two: the other one is a class of its own, which this one has."""
    for found in classes(module):
        methods = [node for node in found.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        attributes = {name for method in methods for node in ast.walk(method) for name in set_on_itself(node)}
        assert len(methods) <= MOST_METHODS, f"{found.name} has {len(methods)} methods"
        assert len(attributes) <= MOST_ATTRIBUTES, f"{found.name} has {len(attributes)} attributes"


def set_on_itself(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Attribute(ast.Name("self"), name, ast.Store()):
            yield name


def test_nobody_inherits_to_share_code_between_two_files() -> None:
    """A class that only one other inherits, in another file, is half of that one, unless it is a kind of its own."""
    heirs: dict[str, set[str]] = {}
    for module in MODULES:
        for found in classes(module):
            for base in found.bases:
                whole = homes(module).get(ast.unparse(base).partition("[")[0], "")
                heirs.setdefault(whole, set()).add(f"{module}.{found.name}")
    own = {f"{module}.{found.name}" for module in MODULES for found in classes(module)}
    alone = {base: min(heirs[base]) for base in own if len(heirs.get(base, ())) == 1}
    halves = {base for base, heir in alone.items() if base.rpartition(".")[0] != heir.rpartition(".")[0]}
    assert halves == set(KINDS)


def homes(module: str) -> dict[str, str]:
    """Whole names of what has one in a module: its classes, and what it imports of the house, at its home."""
    names = {found.name: f"{module}.{found.name}" for found in classes(module)}
    return names | {name: home(other, name) for name, other in taken(module).items()}


@cache
def taken(module: str) -> dict[str, str]:
    """The names that a module imports from others of the house, each with that module."""
    others = set(sources()) - {module}
    froms = (node for node in nodes(module) if isinstance(node, ast.ImportFrom) and node.module in others)
    return {alias.name: node.module or "" for node in froms for alias in node.names}


def home(module: str, name: str) -> str:
    """The whole name of what a module has by a name, which it may have from another module."""
    return home(taken(module)[name], name) if name in taken(module) else f"{module}.{name}"


BUILT_IN_TYPES = {"tuple", "list", "dict", "int", "float", "str", "bytes", "msgspec", "Raw"}
"""What a type that msgspec keeps nothing of consists of."""


def classes_decoded_into(module: str) -> Iterator[str]:
    """The calls of msgspec's that name a type which it would learn."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("msgspec."):
            name = ast.unparse(node.func).rpartition(".")[2]
            kinds = [word.value for word in node.keywords if word.arg == "type"]
            kinds += node.args[:1] if name == "Decoder" else node.args[1:2] if name == "convert" else ()
            for word in (word for kind in kinds for word in ast.walk(kind)):
                if (
                    isinstance(word, ast.Name | ast.Attribute)
                    and ast.unparse(word).split(".")[-1] not in BUILT_IN_TYPES
                ):
                    yield ast.unparse(node)


@of_each(module for module in MODULES if module != "nhlog.decoding")
def test_types_are_learned_in_one_place(module: str) -> None:
    assert [*classes_decoded_into(module)] == []


def test_statuses_caches_and_indexes_are_one_kind_each() -> None:
    """No second enumeration of how a recording stands, no second checksum of what is kept."""
    enums = [
        (module, node.name)
        for module in MODULES
        for node in nodes(module)
        if isinstance(node, ast.ClassDef) and "Status" in node.name and "Enum" in "".join(map(ast.unparse, node.bases))
    ]
    assert enums == [("nhlog.replay", "Status")]
    caches = [module for module in MODULES if "cache_folder" in set(calls(module))]
    assert caches == ["nhlog.cache", "nhlog.forked", "terminal.doctor.folders"]  # who has sockets, and looks at it


@of_each(
    [module for module in MODULES if "wire" in module.split(".") or any(is_in(module, part) for part in WITHOUT_IO)]
)
def test_what_only_computes_cannot_do_io(module: str) -> None:
    assert {name.partition(".")[0] for name in imports(module)} & IO == set()


@of_each([module for module in MODULES if module.startswith("nhlog.kernels.")])
def test_a_kernel_needs_nothing_but_types_and_other_kernels(module: str) -> None:
    assert all(is_in(name, "nhlog.kernels") for name in own_imports(module))
    assert {name.partition(".")[0] for name in imports(module)} <= {"__future__", "typing", "mypy_extensions", "nhlog"}


@of_each([module for module in MODULES if is_in(module, "terminal.commands")])
def test_verbs_know_neither_each_other_nor_the_command_line(verb: str) -> None:
    above = {name for name in own_imports(verb) if is_in(name, "terminal.commands") or name == "terminal.cli"}
    assert above == set()


@of_each(MODULES)
def test_a_module_says_what_it_is(module: str) -> None:
    assert ast.get_docstring(tree(module))


@of_each(PACKAGES)
def test_a_package_says_what_it_must_not_import(package: str) -> None:
    assert "import" in (ast.get_docstring(tree(package)) or "").lower()


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in sources().values()}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_contributing_lists_the_parts_that_exist() -> None:
    """One row for each module and package directly in `terminal` and in `nhlog`."""
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## Layers")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([\w/.]+)` +\|", table, re.MULTILINE)
    parts = set()
    for path in sources().values():
        name, inner, *rest = path.relative_to(ROOT).parts
        if inner != "__init__.py":
            parts.add(f"{name}/{inner}/" if rest else f"{name}/{inner}")
    assert sorted(listed) == sorted(parts)


@of_each([module for module in MODULES if is_in(module, "terminal.commands")])
def test_verbs_print_through_one_door(verb: str) -> None:
    """`terminal.output`, where everything is made printable."""
    printing = {"print", "click.echo", "click.secho", "click.confirm", "click.prompt", ".write"}
    assert set(calls(verb)) & printing == set()


PERSONS = re.compile(
    r"(Add|Append|Ask|Call|Check|Clear|Close|Compare|Count|Cut|Doe|Draw|Find|Give|Ignore|Keep|Let|List|Make|Mark|Move|Open"
    r"|Parse|Print|Raise|Read|Remove|Replace|Return|Run|Say|Send|Set|Show|Stand|Start|Stop|Take|Tell|Test|Wait|Write)s "
)
"""What a docstring begins with that says what "it" does."""


@of_each(
    [module for module in MODULES if not is_in(module, "nhlog.kernels")]
)  # whose source, changed, is compiled anew
def test_what_a_function_does_is_said_in_the_imperative(module: str) -> None:
    """Not in kernels: a word changed there has all of them compiled anew, everywhere."""
    functions = [node for node in nodes(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert [node.name for node in functions if PERSONS.match(ast.get_docstring(node) or "")] == []
