"""Where the emulator comes from: the package pyghostty, imported when it is first needed.

Its C interface is promised for one version only: what is wrong here ends the process, so another version is refused.
"""

from functools import cache
from typing import Any, Final, NamedTuple

from nhlog.errors import Unsupported

__all__ = ["VERSION", "Library", "library"]

VERSION: Final = "0.1.3"


class Library(NamedTuple):
    """cffi's `ffi`, the library's functions and constants `lib`."""

    ffi: Any
    lib: Any


@cache
def library() -> Library:
    """The emulator's functions; raises :class:`Unsupported` where it is not installed."""
    try:
        import pyghostty
    except (ImportError, OSError) as error:  # no wheel for this system, or one whose library cannot be loaded
        raise Unsupported("the terminal emulator is not installed", expected=_WANTED, found=str(error)) from None
    if pyghostty.__version__ != VERSION:
        raise Unsupported(
            "wrong version of the terminal emulator", expected=_WANTED, found=f"pyghostty {pyghostty.__version__}"
        )
    return Library(pyghostty.ffi, pyghostty.lib)


_WANTED: Final = f"pyghostty {VERSION} (nhlog[terminal])"
