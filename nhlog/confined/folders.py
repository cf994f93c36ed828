"""Which files a process has: those of some folders, by the kernel's own rules (landlock(7))."""

import os
import struct
from collections.abc import Iterable
from typing import Final

__all__ = ["keep_to_folders"]

_MAKE_RULES, _ADD_RULE, _RESTRICT = 444, 445, 446  # calls of the system, by the same numbers on every machine
_ASK_VERSION: Final = 1
_BENEATH: Final = 1  # the kind of a rule: all that is in a folder
_NO_NEW_PRIVILEGES: Final = 38  # prctl(2)
_RIGHTS: Final = struct.Struct("=Q")  # struct landlock_ruleset_attr, of the first version
_RULE: Final = struct.Struct("=Qi")  # struct landlock_path_beneath_attr: rights, folder

_READ: Final = 1 << 2 | 1 << 3  # read a file, a folder
_WRITE: Final = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8  # write, remove folder or file, make folder or file
_REMOVE_FOLDER: Final = 1 << 4
_FIRST: Final = (1 << 13) - 1  # the rights of the first version, with running a file
_TRUNCATE: Final = 1 << 14  # cut a file, since the third version


def keep_to_folders(read: Iterable[str], written: Iterable[str], emptied: Iterable[str] = ()) -> bool:
    """Take from this process, for ever, all files but those in these folders.

    In the folders `written` it may read, too; in those `emptied` it may remove empty folders.  What is open stays open.
    Returns False where that is not possible.
    """
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    call = library.syscall
    call.restype = ctypes.c_long
    version = call(_MAKE_RULES, None, ctypes.c_size_t(0), _ASK_VERSION)
    if version < 1:
        return False
    cut = _TRUNCATE if version >= 3 else 0
    rights = _RIGHTS.pack(_FIRST | cut)
    rules = call(_MAKE_RULES, rights, ctypes.c_size_t(len(rights)), 0)
    if rules < 0:
        return False
    try:
        ways = (read, _READ), (written, _READ | _WRITE | cut), (emptied, _REMOVE_FOLDER)
        wanted = [(folder, allowed) for folders, allowed in ways for folder in folders]
        if not all(_add(call, rules, folder, allowed) for folder, allowed in wanted):
            return False
        if library.prctl(_NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0))):
            return False
        return int(call(_RESTRICT, rules, 0)) == 0
    finally:
        os.close(rules)


def _add(call: "ctypes._FuncPointer", rules: int, folder: str, allowed: int) -> bool:  # type: ignore[name-defined]  # noqa: F821
    opened = os.open(folder, os.O_PATH | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        return int(call(_ADD_RULE, rules, _BENEATH, _RULE.pack(allowed, opened), 0)) == 0
    finally:
        os.close(opened)
