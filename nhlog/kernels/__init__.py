"""The few loops over bytes that must be fast: plain Python with types, compiled to C where a compiler was there.

Each module is functions over bytes and numbers; it does no I/O and imports nothing of nhlog but other kernels.
`setup.py` compiles them with mypyc, into one library and a module for each kernel that stands for its part, in the
folder `compiled/DIGEST/`, where DIGEST is that of their source: a kernel that was edited since is not taken from there,
but runs as the Python it is, with the same answers.  NHLOG_KERNELS=plain does so for all of them.

What mypyc compiles wrongly or slowly, and kernels do without: `1 << n` (with n an i64 it shifts 32 bits), slices of
bytes that may be empty the wrong way round, properties, and objects made inside a loop.
"""

import os
import zlib
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Final

__all__ = ["COMPILED", "LIBRARY", "digest", "modules", "names"]

LIBRARY: Final = "shared__mypyc"
"""The module that all compiled kernels are in."""
_FOLDER: Final = os.path.dirname(__file__)


def names() -> list[str]:
    """The names of the kernels."""
    return sorted(name[:-3] for name in os.listdir(_FOLDER) if name.endswith(".py") and not name.startswith("_"))


def modules() -> list[str]:
    """The names of the extension modules when they are compiled."""
    return [LIBRARY, *names()]


def digest() -> str:
    """The CRC-32 of the source of all kernels, in hexadecimal digits."""
    total = 0
    for name in names():
        with open(os.path.join(_FOLDER, f"{name}.py"), "rb") as source:
            total = zlib.crc32(source.read(), total)
    return f"{total:08x}"


def _compiled() -> str | None:
    """The folder of the compiled kernels; None if there are none of this source for this Python and machine."""
    if os.environ.get("NHLOG_KERNELS") == "plain":
        return None
    folder = os.path.join(_FOLDER, "compiled", digest())
    wanted = {name + EXTENSION_SUFFIXES[0] for name in modules()}
    return folder if os.path.isdir(folder) and wanted <= {*os.listdir(folder)} else None


_found: Final = _compiled()
COMPILED: Final = _found is not None
"""Whether the kernels are compiled."""

if _found is not None:
    __path__.insert(0, _found)
