"""Waiting for what only the kernel knows of, and nobody can tell a test."""

import time
from collections.abc import Callable

__all__ = ["PATIENCE", "eventually"]

PATIENCE = 240.0
"""Seconds for anything that a test waits for: only a failure takes so long, however busy the machine is."""


def eventually(happened: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Whether it comes true in that many seconds."""
    deadline = time.monotonic() + patience
    while not happened():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True
