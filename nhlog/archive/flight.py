"""Requests to a store, of which some are under way at a time: each takes tens of milliseconds, most of it waiting."""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Final, TypeVar

__all__ = ["in_flight", "requests"]

_MOST: Final = 16  # requests at a time

T = TypeVar("T")


def requests() -> ThreadPoolExecutor:
    """The threads in which requests wait, for `in_flight`."""
    return ThreadPoolExecutor(_MOST, "nhlog archive", _block_signals)


def _block_signals() -> None:
    """Those of a log's handshake go to who waits for them."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def in_flight(pool: Executor, acts: Iterable[Callable[[], T]]) -> Iterator[Callable[[], T]]:
    """The results of what is done in a pool, some at a time, in the order in which the `acts` come."""
    running: deque[Future[T]] = deque()
    for act in acts:
        running.append(pool.submit(act))
        if len(running) == _MOST:
            yield running.popleft().result
    for one in running:
        yield one.result
