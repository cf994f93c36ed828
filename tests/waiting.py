"""Waiting for what only the kernel knows of, and nobody can tell a test."""

import time
from collections.abc import Callable

__all__ = ["eventually"]


def eventually(happened: Callable[[], object], patience: float = 60) -> bool:
    """Whether it comes true in that many seconds."""
    deadline = time.monotonic() + patience
    while not happened():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True
