"""Where the emulator comes from: the package pyghostty, looked for when it is first needed.

Its C interface is promised for one version only: what is wrong here ends the process, so another version is refused.
It is not made for threads either, not even for two that use a terminal each: six of them, which listed 334 recordings,
ended their process four times of four.  So nobody calls it but `nhlog.emulator.worker`, whose process has one thread.
Where its declarations were made a module (see :mod:`nhlog.emulator.declared`), the package itself is not imported.
"""

import os
from functools import cache
from typing import Any, Final, NamedTuple

from nhlog.emulator.declared import VERSION, Package, found, load
from nhlog.errors import Unsupported

__all__ = ["VERSION", "Library", "library"]


class Library(NamedTuple):
    """cffi's `ffi`, the library's functions and constants `lib`."""

    ffi: Any
    lib: Any


@cache
def library() -> Library:
    """The emulator's functions; raises :class:`Unsupported` where it is not installed."""
    try:
        package = found()
        if package is None:
            raise ImportError("no package pyghostty")
        if package.version != VERSION:
            raise _unsupported("wrong version of the terminal emulator", f"pyghostty {package.version}")
        return _quickly(package) or _slowly()
    except (ImportError, OSError) as error:  # no wheel for this system, or one whose library cannot be loaded
        raise _unsupported("the terminal emulator is not installed", str(error)) from None


def _quickly(package: Package) -> Library | None:
    ffi = load(package) if _ELSEWHERE not in os.environ else None
    return Library(ffi, ffi.dlopen(package.library)) if ffi else None


def _slowly() -> Library:
    import pyghostty

    return Library(pyghostty.ffi, pyghostty.lib)


def _unsupported(what: str, instead: str) -> Unsupported:
    return Unsupported(what, expected=f"pyghostty {VERSION} (nhlog[terminal])", found=instead)


_ELSEWHERE: Final = "PYGHOSTTY_LIB"  # pyghostty takes another library if this variable names one
