"""What something costs, told without a clock on the wall: a busy machine makes nothing fail.

The measure is the machine's own speed at the moment: the processor time of a million additions.
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["spent", "within"]

_LEAST = 0.01  # seconds that a million additions take on any machine, at least


def spent(act: Callable[[], object]) -> float:
    """Seconds of processor time."""
    begun = time.process_time()
    act()
    return time.process_time() - begun


@contextmanager
def within(most: float, told: object = "") -> Iterator[None]:
    """Fails where what is done meanwhile costs as much as `most` million additions, `told` saying what it was.

    The garbage of all tests before is not collected in this time.
    """
    gc.disable()
    try:
        begun = time.process_time()
        yield
        taken = time.process_time() - begun
    finally:
        gc.enable()
    if taken >= most * _LEAST:
        assert taken < most * spent(_million), told


def _million() -> None:
    total = 0
    for number in range(1_000_000):
        total += number
