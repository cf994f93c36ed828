"""What all addresses have in common: what one may ask of them, and how long one waits for the answer."""

import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Final, Protocol, TypeVar

from nhlog.errors import NhlogError, RemoteUnreachable
from nhlog.files import Source

__all__ = ["MOST_DIGITS", "Address", "NotThere", "ask", "broken", "is_empty", "other_length", "other_range", "short"]

MOST_DIGITS: Final = 18  # of a length or an offset: no file is longer

_REACH: Final = 1 << 44  # bytes: ext4's files end there, and whoever goes on is told that he may not
_PATIENCE: Final = 20.0  # seconds for an answer, however often it is asked for
_SLOWEST: Final = 1 << 16  # bytes a second: for what is large there are so many seconds more
_ATTEMPTS: Final = 3  # and a pause between them, as the Hollow Cube's own client does (its spec 7)
_PAUSE: Final = 0.25  # seconds
_LONGEST: Final = 200  # characters of what the other side says, in a message

T = TypeVar("T")


class NotThere(NhlogError):
    """The address answers, and has no such file."""


class Address(Source, Protocol):
    """A file at an address, or a folder there: an address with a slash at its end, whose files have a `name`.

    Every method raises :class:`NotThere`, :class:`~nhlog.errors.RemoteUnreachable` where no proper answer comes, and
    :class:`~nhlog.errors.Unsupported` where ranges cannot be asked for.
    """

    def size(self, name: str = "") -> int:
        """The file's length; 0 where the server does not say it."""
        ...

    def pread(self, size: int, offset: int, name: str = "") -> bytes:
        """`size` bytes at `offset`, fewer only where the file ends, in one request."""
        ...

    def version(self, name: str = "") -> object:
        """A value that differs once the file was replaced or has changed."""
        ...

    def stamp(self) -> None:
        """It is no file of this machine."""
        return

    def close(self) -> None:
        """Nothing is open between two requests."""
        return


def is_empty(size: int, offset: int) -> bool:
    """Whether a range has no byte in any file: a damaged offset is not the fault of who would be asked for it."""
    return size <= 0 or offset + size > _REACH


class _Late(Exception):
    """The deadline has come."""


def ask(
    act: Callable[[], T],
    name: str,
    size: int = 0,
    cut: Callable[[], None] = lambda: None,
    *,
    patience: float | None = None,
    attempts: int | None = None,
) -> T:
    """What `act` returns, for `size` bytes from `name`; tried again where it raises what is no error of ours.

    `cut` is called in the end and stops an `act` that was given up.  This is the one place where a foreign exception
    becomes ours.
    """
    patience = (_PATIENCE if patience is None else patience) + size / _SLOWEST
    deadline = time.monotonic() + patience
    told: object = None
    try:
        for attempt in range(attempts or _ATTEMPTS):
            if attempt:
                time.sleep(_PAUSE)
            try:
                return _in_time(act, deadline)
            except NhlogError as error:
                raise error.within(name) from None
            except _Late:
                raise RemoteUnreachable(f"no answer within {patience:.3g} s", file=name) from None
            except Exception as error:  # each file system has errors of its own, and hostile answers lead to any
                told = getattr(error, "reason", error)
    finally:
        cut()
    raise RemoteUnreachable(f"no proper answer: {short(str(told) or repr(told))}", file=name)


def _in_time(act: Callable[[], T], deadline: float) -> T:
    """What `act` returns or raises; raises :class:`_Late` at the deadline.

    It runs in a thread, since neither looking up a name nor a file system of somebody else can be told when to end;
    here Ctrl-C is heard at any moment.  What is given up ends with the process at the latest.
    """
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(act())
        except BaseException as error:
            outcome.set_exception(error)

    _start(run)
    if not wait([outcome], max(deadline - time.monotonic(), 0)).done:
        raise _Late
    return outcome.result()


def _start(run: Callable[[], None]) -> None:
    """Run it in a thread that takes nobody's signals: those of a log's handshake go to who waits for them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        Thread(target=run, name="nhlog remote", daemon=True).start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def short(text: str) -> str:
    """What the other side says, as far as anybody will read it."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def other_range(size: int, offset: int, found: object) -> ConnectionError:
    """The error for an answer to a question that was not asked; it is asked again."""
    asked = f"bytes {offset} to {offset + size - 1}"
    return ConnectionError(f"not what was asked for: expected {asked}, found {short(str(found))}")


def other_length(found: object) -> ConnectionError:
    """The error for a length that is none."""
    return ConnectionError(f"a length that no file has: {short(str(found))}")


def broken(found: int, expected: int) -> ConnectionError:
    """The error for an answer that ends early."""
    return ConnectionError(f"it broke off after {found} of {expected} bytes")
