"""The program itself, what it was built with, and the terminal that it runs in."""

import os
import platform
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from nhlog import __version__
from nhlog.errors import NhlogError
from nhlog.files import read_whole
from nhlog.kernels import COMPILED
from nhlog.plugins import GROUPS, plugins
from terminal.doctor.finding import Finding, Health
from terminal.screen.encoding import speaks_utf8

__all__ = ["check_emulator", "check_entry_points", "check_kernels", "check_locale", "check_terminal", "check_version"]

CHECKOUT: Final = Path(__file__).parents[2] / "pyproject.toml"  # where nhlog runs from its source
_MOST: Final = 1 << 20  # bytes of that
_OURS: Final = ("nhlog.", "terminal.")  # what the places of our own plugins begin with
_USUAL: Final = (80, 24)  # columns and rows that everything fits into


def check_version() -> Finding:
    """The versions of nhlog, Python and the system."""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Finding("version", Health.OK, f"nhlog {__version__}, Python {platform.python_version()}, {system}")


def check_entry_points(project: Path = CHECKOUT) -> Iterator[Finding]:
    """Whether the plugins of a checkout are those that were installed with it; nothing where there is no checkout."""
    try:
        announced = tomllib.loads(read_whole(str(project), _MOST).decode())["project"]["entry-points"]
    except (NhlogError, ValueError, KeyError):
        return
    wanted = {(group, *entry) for group in GROUPS for entry in announced.get(group, {}).items()}
    found = {(group, *entry) for group in GROUPS for entry in plugins(group).items() if entry[1].startswith(_OURS)}
    if stale := sorted({f"{name} ({group})" for group, name, _ in wanted ^ found}):
        told = f"not as {project} announces them: {', '.join(stale)}"
        yield Finding("entry points", Health.LIMITED, told, "scripts/run or scripts/test, once: both install them")
    else:
        yield Finding("entry points", Health.OK, "as this checkout announces them")


def check_emulator() -> Finding:
    """Whether recorded terminals can be shown."""
    from nhlog.emulator.declared import is_made
    from nhlog.vt import USUAL_SIZE, VERSION, Terminal

    try:
        emulator = Terminal(USUAL_SIZE)
        emulator.feed(b"ok")
        shown = emulator.grid().text()[0].strip()
        emulator.close()
    except NhlogError as error:
        found, remedy = f"recorded terminals cannot be shown: {error}", "pip install 'nhlog[terminal]'"
        return Finding("emulator", Health.LIMITED, found, remedy)
    if shown != "ok":
        return Finding("emulator", Health.LIMITED, f"shows {shown!r} for 'ok'", "install pyghostty again")
    shows = f"pyghostty {VERSION} shows recorded terminals"
    if not is_made():
        remedy = "install nhlog again, where pip can fetch pyghostty or finds it installed"
        return Finding("emulator", Health.LIMITED, f"{shows}; each start takes 0.1 s longer than it need", remedy)
    return Finding("emulator", Health.OK, shows)


def check_kernels(*, serves: bool = False) -> Finding:
    """Whether the kernels (the loops over bytes) are compiled; a server of players is not to do without."""
    if COMPILED:
        return Finding("kernels", Health.OK, "compiled")
    slow = "plain Python: large recordings open more slowly"
    if os.environ.get("NHLOG_KERNELS") == "plain":
        return Finding("kernels", Health.LIMITED, f"{slow}; chosen by NHLOG_KERNELS=plain", "unset NHLOG_KERNELS")
    remedy = "install a C compiler and the Python headers (apt install gcc python3-dev), then install nhlog again"
    return Finding("kernels", Health.BROKEN if serves else Health.LIMITED, slow, remedy)


def check_terminal() -> Finding:
    """Whether nhlog can draw on the terminal that it runs in."""
    import curses

    fd = next((stream for stream in (1, 2, 0) if os.isatty(stream)), None)
    if fd is None:
        return Finding(
            "terminal", Health.LIMITED, "nhlog does not run in a terminal", "run it in a terminal; over ssh: ssh -t"
        )
    kind = os.environ.get("TERM", "")
    remedy = "export TERM=xterm-256color, or the type of your terminal; apt install ncurses-term adds rare types"
    if kind in ("", "dumb"):
        return Finding("terminal", Health.LIMITED, f"TERM is {kind!r}: nhlog cannot draw on it", remedy)
    try:
        curses.setupterm(kind, fd)
    except curses.error:
        return Finding("terminal", Health.LIMITED, f"the system does not know the terminal type {kind!r}", remedy)
    columns, rows = os.get_terminal_size(fd)
    told = f"{kind}, {columns}x{rows}, {max(curses.tigetnum('colors'), 0)} colours"
    if columns < _USUAL[0] or rows < _USUAL[1]:
        return Finding(
            "terminal", Health.LIMITED, f"{told}: too small to show everything", "enlarge it to 80x24 or more"
        )
    return Finding("terminal", Health.OK, told)


def check_locale() -> Finding:
    """Whether characters beyond ASCII can be shown."""
    if speaks_utf8():
        return Finding("locale", Health.OK, f"UTF-8 ({sys.stdout.encoding} to standard output)")
    found, remedy = "not UTF-8: screens are drawn in ASCII", "export LANG=C.UTF-8, if your terminal can show UTF-8"
    return Finding("locale", Health.LIMITED, found, remedy)
