"""Who is a guest of the house: what is in which folder, and how it is taken away.

The core is the log, its diffs, sessions, the protocol of replays, files and the client. A guest is a kind of recording,
a game or a service that comes by entry points, as those of other packages do, or by verbs of its own: without its
folders everything else works as before, which `test_guests.py` tries. `LODGERS` are no guests yet: what they have of
the house is known, but others import them at once, so they cannot be taken away.
"""

import os
import re
import shutil
import sysconfig
import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.corpus import ROOT
from tests.imports import TOPS, sources

__all__ = ["GUESTS", "HOW", "LODGERS", "Guest", "fresh_guests", "guest_of", "house_without", "needs"]


HOW = ROOT / "docs" / "how.md"


class Guest(NamedTuple):
    """What belongs to one of them.

    `parts` are modules and packages by their dotted names, `tests` the folder of its tests, or a file of them, and
    `samples` how the names of its recordings in `samples` end.
    """

    parts: tuple[str, ...]
    tests: str
    samples: tuple[str, ...] = ()


GUESTS = {
    "delve": Guest(
        ("nhlog.engines.delve", "terminal.views.delve"), "tests/engines/delve", ("delve.nhgame", "died2.nhgame")
    ),
    "NetHack 3.6": Guest(
        ("nhlog.engines.nethack", "nhlog.gym", "terminal.views.nethack", "terminal.doctor.nethack"),
        "tests/engines/nethack",
    ),
    "Teeworlds": Guest(
        ("nhlog.formats.teehistorian", "nhlog.formats.datafile", "terminal.views.teeworlds"),
        "tests/formats/teehistorian",
        (".teehistorian", ".map"),
    ),
    "Hollow Cube": Guest(
        ("nhlog.formats.hollowcube", "terminal.views.hollowcube", "terminal.commands.compact"),
        "tests/formats/hollowcube",
        (".replay",),
    ),
    "Echo VR": Guest(("nhlog.formats.butter", "terminal.views.butter"), "tests/formats/butter", (".butter",)),
    "ttyrec": Guest(("nhlog.formats.ttyrec",), "tests/formats/ttyrec", (".ttyrec",)),
    "typescript": Guest(("nhlog.formats.typescript",), "tests/formats/typescript", (".typescript",)),
    "nh_recorder": Guest(("nhlog.formats.nhrecorder",), "tests/formats/nhrecorder", (".nh",)),
    "web": Guest(("terminal.web", "terminal.commands.serve", "terminal.commands.webplay"), "tests/terminal/web"),
    "relay": Guest(
        (
            "nhlog.relay",
            "terminal.relayed",
            "terminal.doctor.streams",
            "terminal.lobby.elsewhere",
            "terminal.commands.relay",
            "terminal.commands.mirror",
        ),
        "tests/relay",
    ),
    "archive": Guest(("nhlog.archive", "terminal.commands.archive", "terminal.commands.restore"), "tests/archive"),
    "accounts": Guest(
        (
            "nhlog.accounts",
            "terminal.accounts",
            "terminal.commands.accounts",
            "terminal.commands.players",
            "terminal.doctor.accounts",
            "terminal.doctor.server",
            "terminal.doctor.services",
        ),
        "tests/accounts",
    ),
    "dgamelaunch": Guest(("nhlog.players.dgamelaunch", "terminal.commands.migrate"), "tests/players/dgamelaunch"),
    "plots": Guest(("terminal.plots", "terminal.commands.plot"), "tests/terminal/plots"),
}

LODGERS = {
    "recorded terminals": (
        "nhlog.screencast nhlog.vt nhlog.emulator nhlog.recorder nhlog.formats.asciicast nhlog.formats.recast "
        "terminal.views.screencast terminal.program terminal.rendered terminal.streamed terminal.commands.record",
        "any recording is shown to browsers and converted as one; the client has sizes of terminals from there",
    ),
    "server": (
        "nhlog.players terminal.hosting "
        "terminal.commands.broadcast terminal.commands.maintenance terminal.commands.who",
        "the lobby has programs and players in its rows",
    ),
    "NetHack 4": (
        "nhlog.nethack4 terminal.views.nethack4",
        "listings, scores and markers of the log read its saves",
    ),
}
"""Their parts, and who else needs them."""


def guest_of(module: str) -> str:
    """The guest to whom a module belongs; empty for the core and what guests share."""
    return next(
        (name for name, guest in GUESTS.items() for part in guest.parts if f"{module}.".startswith(f"{part}.")), ""
    )


def lines_of(parts: Iterable[str]) -> int:
    """How many lines of Python there are in these modules and packages."""
    begins = tuple(f"{part}." for part in parts)
    return sum(path.read_bytes().count(b"\n") for name, path in sources().items() if f"{name}.".startswith(begins))


def fresh_guests(text: str) -> str:
    """The text with the table of the house as it stands now."""
    before, begin, rest = text.partition("<!-- guests -->\n")
    return f"{before}{begin}{_table()}\n<!-- end -->{rest.partition('<!-- end -->')[2]}"


def _table() -> str:
    """What there is, where, and how large it is, in thousands of lines: they change slowly."""
    guests = {name: guest.parts for name, guest in GUESTS.items()}
    lodgers = {name: tuple(parts.split()) for name, (parts, _) in LODGERS.items()}
    others = sum(lines_of(parts) for parts in (*guests.values(), *lodgers.values()))
    rows = [("**core**", "", lines_of(TOPS) - others, "everything that is not below")]
    for kind, all_of in (("lodger", lodgers), ("guest", guests)):
        for name, parts in all_of.items():
            where = ", ".join(f"`{part.replace('.', '/')}`" for part in parts)
            rows.append((name, kind, lines_of(parts), where))
    lines = [f"| {name} | {kind} | {round(lines / 1000, 1):g} | {where} |" for name, kind, lines, where in rows]
    return "\n".join(("| part | is | thousand lines | where |", "|---|---|---:|---|", *lines))


def house_without(names: tuple[str, ...], place: Path) -> dict[str, str]:
    """Build a house without these guests in an empty folder, and return the environment of a process that lives in it.

    Installed is what is installed here, but for our own entry points, of which those of the guests are missing.
    """
    house, site = place / "house", place / "site"
    for top in (*TOPS, "tests"):
        shutil.copytree(ROOT / top, house / top, copy_function=_link)
    for other in ("samples", "docs", "scripts"):
        (house / other).symlink_to(ROOT / other)
    for part in (part for name in names for part in GUESTS[name].parts):
        path = house.joinpath(*part.split("."))
        shutil.rmtree(path) if path.is_dir() else path.with_suffix(".py").unlink()
    site.mkdir()
    for other in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if not other.name.startswith(("nhlog-", "__editable__")) and other.suffix != ".pth":
            (site / other.name).symlink_to(other)
    ours = site / f"nhlog-{distribution('nhlog').version}.dist-info"
    ours.mkdir()
    (ours / "METADATA").write_text(f"Metadata-Version: 2.1\nName: nhlog\nVersion: {distribution('nhlog').version}\n")
    announced = [line for line in (ROOT / "pyproject.toml").read_text().split("\n") if _place(line) not in names]
    (house / "pyproject.toml").write_text("\n".join(announced))
    groups = tomllib.loads("\n".join(announced))["project"]["entry-points"]
    lines = [line for group, entries in groups.items() for line in (f"[{group}]", *map(" = ".join, entries.items()))]
    (ours / "entry_points.txt").write_text("\n".join(lines))
    return {**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{site}", "PYTHONNOUSERSITE": "1"}


def needs(guest: str) -> pytest.MarkDecorator:
    """Mark what is tested of one guest with another one: it is skipped in a house without that."""
    gone = not all(map(find_spec, GUESTS[guest].parts))
    return pytest.mark.skipif(gone, reason=f"there is no {guest} here")


def _link(source: str, target: str) -> None:
    """The same file once more, which costs nothing; a copy where that cannot be."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _place(line: str) -> str:
    """The guest to whom the entry point belongs that stands in this line of `pyproject.toml`; empty if none does."""
    found = re.fullmatch(r'[\w-]+ = "([\w.]+):\w+"', line)
    return guest_of(found[1]) if found else ""


if __name__ == "__main__":
    HOW.write_text(fresh_guests(HOW.read_text()))
