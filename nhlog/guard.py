"""The one place where whatever a format raises becomes an error of ours, which names the file and whose fault it is.

A reader means to raise :class:`~nhlog.errors.NhlogError` alone; what else comes out of it (KeyError, OverflowError,
RecursionError, MemoryError ...) is a fault of the reader and not of who called it.  With the environment variable
`NHLOG_DEBUG` it comes out as it is, to be seen with its traceback.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

from nhlog.errors import NhlogError, Unsupported

__all__ = ["DEBUG", "ForeignFault", "foreign", "guarded"]

DEBUG: Final = "NHLOG_DEBUG"
_MOST: Final = 200  # characters of a message that may quote the whole file


class ForeignFault(Unsupported):
    """The code that reads the input broke down on it; the exception that it raised is the cause (exit code 4)."""


@contextmanager
def foreign(code: str, file: str | None = None) -> Iterator[None]:
    """A context for calls of foreign code, on the recording `file`; `code` says which: ``Teeworlds map reader``.

    Raises :class:`ForeignFault` in place of what is neither an NhlogError nor an OSError.
    """
    try:
        yield
    except (NhlogError, OSError):
        raise
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        told = f"{type(error).__name__}: {error}".removesuffix(": ")[:_MOST]
        raise ForeignFault(f"{told}: this is a fault of the {code} ({DEBUG}=1 shows where)", file=file) from error


Amend = Callable[[NhlogError, str], None]
"""Told of an error and the file, before it is raised: it may say more."""


def guarded(function: Callable[..., Any], code: str, amend: Amend = lambda error, file: None) -> Callable[..., Any]:
    """The same function of a recording's path, each call of it, and each step of an iterator that it returns, guarded.

    What it does beyond that, with a path or without, stays as it is.
    """

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        file = arguments[0] if arguments and isinstance(arguments[0], str) else None
        with foreign(code, file), _amended(amend, file):
            found = function(*arguments, **options)
        return _steps(found, code, file, amend) if isinstance(found, Iterator) else found

    return call


def _steps(found: Iterator[Any], code: str, file: str | None, amend: Amend) -> Iterator[Any]:
    with foreign(code, file), _amended(amend, file):
        yield from found


@contextmanager
def _amended(amend: Amend, file: str | None) -> Iterator[None]:
    try:
        yield
    except NhlogError as error:
        if file is not None and error.file == file:
            amend(error, file)
        raise
