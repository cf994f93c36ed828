"""The pages of the library: by module, the names that documents use or that `nhlog` itself has."""

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module

import nhlog
from scripts.manuals.tables import ROOT

__all__ = ["library_pages"]

_IMPORT = re.compile(r"^(?:>>> )?from (nhlog\.[\w.]+) import ([\w, ]+)$", re.MULTILINE)
_DOCUMENTS = ("library", "extending")
_BEGINNING = """# Reference of the library

Every name with its docstring. All names of the first table can be imported from `nhlog` itself:
`nhlog.open_recording` is `nhlog.formats.open_recording`. [The library](../library.md) shows what they are for.
"""


def library_pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page: a list of the modules, and each with its names."""
    main = {module: sorted(names) for module, names in sorted(nhlog._HOMES.items())}
    others = {module: sorted(names - {*main.get(module, ())}) for module, names in sorted(_used().items())}
    others = {module: names for module, names in others.items() if names}
    modules = sorted({*main, *others})
    tree = ["```{toctree}", ":hidden:", ":titlesonly:", "", *modules, "```"]
    lines = [_BEGINNING, *_table(main), "", "And names that documents use:", "", *_table(others), "", *tree, ""]
    yield "api/index", "\n".join(lines)
    for module in modules:
        yield f"api/{module}", _page(module, [*main.get(module, ()), *others.get(module, ())])


def _used() -> dict[str, set[str]]:
    """By module, the names that examples in documents import from it."""
    found: dict[str, set[str]] = {}
    for document in _DOCUMENTS:
        for module, names in _IMPORT.findall((ROOT / "docs" / f"{document}.md").read_text()):
            found.setdefault(module, set()).update(re.findall(r"\w+", names))
    return found


def _table(modules: dict[str, list[str]]) -> list[str]:
    rows = [
        f"| [`{module}`]({module}.md) | {', '.join(f'`{name}`' for name in names)} |"
        for module, names in modules.items()
    ]
    return ["| module | names |", "|---|---|", *rows]


def _page(module: str, names: list[str]) -> str:
    lines = [f"# {module}", "", "```{eval-rst}", f".. automodule:: {module}", ""]
    for name in names:
        lines += _directive(module, name)
    return "\n".join([*lines, "```", ""])


def _directive(module: str, name: str) -> list[str]:
    """What documents one name; values of enumerations are shown without docstrings, too."""
    value = getattr(import_module(module), name)
    if not inspect.isclass(value):
        kind = "function" if inspect.isroutine(value) else "data"
        return [f".. auto{kind}:: {module}.{name}", *([] if kind == "function" else ["   :no-value:"]), ""]
    kind = "exception" if issubclass(value, BaseException) else "class"
    all_members = ["   :undoc-members:"] if issubclass(value, Enum) else []
    return [f".. auto{kind}:: {module}.{name}", "   :members:", *all_members, ""]
