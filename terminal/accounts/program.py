"""The nhlog that runs here, as a path by which others start it: sshd, and a session that becomes another verb."""

import os
import shutil
import sys

from nhlog.accounts.offered import nhlog_beside
from nhlog.errors import Usage

__all__ = ["nhlog_path"]


def nhlog_path() -> str:
    """The path of the command; raises :class:`Usage` if it is not installed."""
    beside = nhlog_beside()
    found = beside if os.access(beside, os.X_OK) else shutil.which("nhlog")
    if found is None:
        raise Usage(
            "cannot find the nhlog command for sshd", expected="one beside Python, or on the PATH", found=sys.executable
        )
    return found
