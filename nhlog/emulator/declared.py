"""The emulator's C declarations as a Python module, which is made of them when nhlog is built.

pyghostty has cffi parse 3,487 lines of C each time it is imported: 0.11 to 0.24 s of the processor, for every start of
every verb that shows a terminal.  What cffi makes of them can be written down as a module ("out-of-line, ABI mode"),
which is loaded in 2 ms and needs no compiler.  `setup.py` does so, into `compiled/ghostty_DIGEST.py`, where DIGEST is
that of the declarations: it is taken for the very text that it was made of, and otherwise pyghostty is imported as
ever.  As importing it is what is to be avoided, its files are found without that.

This module imports nothing of nhlog, as `setup.py` runs it alone.
"""

import os
import re
import zlib
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

__all__ = ["MADE", "VERSION", "Package", "found", "is_made", "load"]

VERSION: Final = "0.1.3"
MADE: Final = os.path.join(os.path.dirname(__file__), "compiled")
"""The folder of the modules that were made."""
_SAID: Final = re.compile(r'^__version__ = "([^"]*)"', re.MULTILINE)


class Package(NamedTuple):
    """The files of a pyghostty that is installed."""

    folder: str
    version: str

    @property
    def declarations(self) -> str:
        """The module that has the declarations as text."""
        return os.path.join(self.folder, "_cdef.py")

    @property
    def library(self) -> str:
        """The emulator itself."""
        suffix = ".dylib" if os.uname().sysname == "Darwin" else ".so"
        return os.path.join(self.folder, "_lib", f"libghostty-vt{suffix}")

    @property
    def module(self) -> str:
        """The name of the module that is made of these declarations."""
        return f"ghostty_{zlib.crc32(_read(self.declarations)):08x}"


def found() -> Package | None:
    """The pyghostty that an import would take; None if there is none.  Raises OSError if it cannot be read."""
    spec = find_spec("pyghostty")
    if spec is None or spec.origin is None:
        return None
    said = _SAID.search(_read(spec.origin).decode(errors="replace"))
    return Package(os.path.dirname(spec.origin), said[1] if said else "")


def load(package: Package) -> Any:
    """cffi's `ffi` with the declarations of this package; None where no module, or one for another cffi, was made."""
    try:
        return import_module(f"nhlog.emulator.compiled.{package.module}").ffi
    except ImportError:
        return None


def is_made() -> bool:
    """Whether there is such a module for the pyghostty that an import would take."""
    package = found()
    return package is not None and load(package) is not None


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
