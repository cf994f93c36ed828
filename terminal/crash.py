"""The report of a crash: what whoever mends it has to know, in a file of its own; the same bug has the same file."""

import os
import platform
import shlex
import traceback
import zlib
from collections.abc import Sequence

from nhlog import __version__
from nhlog.config import own_folder
from nhlog.files import atomic

__all__ = ["write_report"]

_TOLD = ("TERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "COLUMNS", "NHLOG_KERNELS", "XDG_DATA_HOME")


def write_report(error: BaseException, arguments: Sequence[str]) -> str:
    """Write it, readable by its user alone, and return its name; raises :class:`OSError`."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    folder = own_folder() / "crashes"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = os.fspath(folder / f"{zlib.crc32(frames.encode(errors='replace')):08x}.txt")
    environment = [f"{name}={os.environ[name]}" for name in _TOLD if name in os.environ]
    lines = [
        f"nhlog {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: nhlog {shlex.join(arguments)}",
        *environment,
        "",
        *traceback.format_exception(error),
    ]
    atomic.replace(path, ["\n".join(lines).encode(errors="backslashreplace")])
    return path
