"""Plugins: formats, engines, views and verbs of installed packages, found by their entry points.

Reads the entry points from the same files as `importlib.metadata`, by the rules of the packaging specification;
importing that module would cost 35 imports and 15 ms each time a folder is listed.

What is included comes through this door as well: nothing but the log's own format and view is known by name.  An entry
names an object, which is imported when it is its turn; so what is announced stands in a module that imports little (a
format's package, not its operations), and what an installed package breaks is one warning.

A change must keep: nothing is imported to learn which ids there are, and an id is enough to find its entry.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from nhlog.errors import NhlogError

__all__ = ["ADDRESSES", "ENGINES", "FORMATS", "GROUPS", "VERBS", "VIEWS", "PluginFailed", "load", "packages", "plugins"]

FORMATS: Final = "nhlog.formats"
ENGINES: Final = "nhlog.engines"
VIEWS: Final = "nhlog.views"
VERBS: Final = "nhlog.verbs"
ADDRESSES: Final = "nhlog.addresses"
GROUPS: Final = (FORMATS, ENGINES, VIEWS, VERBS, ADDRESSES)
_METADATA: Final = (".dist-info", ".egg-info")


class PluginFailed(NhlogError):
    """An installed plugin cannot be loaded."""


def plugins(group: str) -> Mapping[str, str]:
    """The plugins of a group (`FORMATS`, `VERBS` ...): from id to object reference (``module:attribute``)."""
    return _installed(tuple(sys.path))[group]


def load(group: str, name: str) -> Any:
    """Import the plugin with this id; raises :class:`KeyError` if there is none.

    Raises :class:`PluginFailed` if its import fails; the message includes the original error.
    """
    place = plugins(group)[name]
    module, _, attribute = place.partition(":")
    try:
        found = import_module(module)
        for part in filter(None, attribute.split(".")):
            found = getattr(found, part)
    except Exception as error:  # a plugin may raise whatever it likes; nothing else suffers from it
        raise PluginFailed(
            f"the plugin {name} cannot be loaded: {type(error).__name__}: {error}", expected=place
        ) from error
    return found


@cache
def _installed(path: tuple[str, ...]) -> Mapping[str, Mapping[str, str]]:
    """Entry points by group and name; of equal names, the one that comes first on the path is used."""
    found: dict[str, dict[str, str]] = {group: {} for group in GROUPS}
    for package in packages(path):
        _read(os.path.join(package, "entry_points.txt"), found)
    return MappingProxyType(found)


def packages(path: Iterable[str]) -> Iterator[str]:
    """The folders in which packages on this path say what they are."""
    for folder in path:
        try:
            names = sorted(os.listdir(folder or os.curdir))
        except OSError:
            continue
        yield from (os.path.join(folder, name) for name in names if name.endswith(_METADATA))


def _read(path: str, found: dict[str, dict[str, str]]) -> None:
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError):
        return
    group = ""
    for line in map(str.strip, lines):
        if line.startswith("["):
            group = line.strip("[]").strip()
        elif group in found and "=" in line and not line.startswith(("#", ";")):
            name, _, place = line.partition("=")
            found[group].setdefault(name.strip(), place.split("[")[0].strip())
