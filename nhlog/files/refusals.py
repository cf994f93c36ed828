"""What the system refuses, as errors that name the file."""

import os
from collections.abc import Iterator
from contextlib import ContextDecorator, contextmanager

from nhlog.errors import NhlogError

__all__ = ["CannotOpen", "CannotWrite", "as_ours", "naming", "reason", "refusals"]


class CannotOpen(NhlogError):
    """The file cannot be opened, for the reason in the message."""


class CannotWrite(NhlogError):
    """The system refuses to write the file: the disk is full, or it is not ours."""


def reason(error: OSError) -> str:
    """The system's error message in lower case."""
    return (error.strerror or str(error)).lower()


def as_ours(error: NhlogError | OSError, file: str | None = None) -> NhlogError:
    """The error itself, or what the system refuses of `file` as one of ours."""
    return error if isinstance(error, NhlogError) else NhlogError(reason(error), file=file)


class naming(ContextDecorator):  # noqa: N801 - read as a verb, like contextlib.suppress
    """A scope in which an :class:`OSError` names the file `path`, if it names none or the draft of that file.

    A write, a sync and a truncation are refused without saying what was written.
    """

    def __init__(self, path: str, draft: str | None = None) -> None:
        self._path, self._draft = path, draft

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, OSError) and error.filename in (None, self._draft):
            error.filename, error.filename2 = self._path, None


@contextmanager
def refusals(path: str) -> Iterator[None]:
    """A scope in which an :class:`OSError` becomes a :class:`CannotWrite` of the file that it names, else of `path`."""
    try:
        with naming(path):
            yield
    except OSError as error:
        raise CannotWrite(reason(error), file=os.fsdecode(error.filename)) from None
