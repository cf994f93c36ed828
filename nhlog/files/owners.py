"""Root in the folder of another account: with the rights of that account, and so without a way to be misled there.

Whoever owns a folder can put links and files of any name in it, between any two looks of ours.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from nhlog.files.refusals import refusals

__all__ = ["as_owner_of"]

_ROOT = 0


@contextmanager
def as_owner_of(folder: str) -> Iterator[None]:
    """A scope in which root has the rights of the folder's owner, and makes files that are the owner's; others stay
    who they are.

    The whole process has them: only where no other thread needs root's.  Raises
    :class:`~nhlog.files.refusals.CannotWrite` where there is no such folder.
    """
    if os.geteuid() != _ROOT:
        yield
        return
    with refusals(folder):
        status = os.stat(folder)
    os.setegid(status.st_gid)
    os.seteuid(status.st_uid)
    try:
        yield
    finally:
        os.seteuid(_ROOT)
        os.setegid(_ROOT)
