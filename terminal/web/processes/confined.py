"""What holds for every process that reads recordings for the server: it writes nothing, and has limits."""

import os
from typing import Final

from nhlog.confined.limits import limit

__all__ = ["confine"]

MEMORY: Final = 1 << 30  # bytes
_NICENESS: Final = 5  # who plays comes first
_NOWHERE: Final = "/dev/null/nhlog"  # no folder can be there


def confine() -> None:
    """Let this process write to no file, and have limits; what ends it is its channel's end."""
    os.nice(_NICENESS)
    os.environ["XDG_CACHE_HOME"] = _NOWHERE
    limit(MEMORY)
