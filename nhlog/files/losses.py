"""What could not be read of files of which the rest is used: whoever ends with an exit code asks for it."""

from collections.abc import Mapping
from typing import Final

from nhlog.errors import NhlogError
from nhlog.values import NamedTuple

__all__ = ["Loss", "note", "of", "put_back", "take"]


class Loss(NamedTuple):
    """What was lost of a file: the message of an error, and its exit code."""

    message: str
    exit_code: int


_LOST: Final[dict[str, Loss]] = {}


def note(file: str, error: NhlogError) -> None:
    """Keep what is wrong with a file; of several things the first."""
    _LOST.setdefault(file, Loss(str(error), error.exit_code))


def of(file: str) -> Loss | None:
    """What is wrong with a file; None if nothing was found."""
    return _LOST.get(file)


def take() -> dict[str, Loss]:
    """What is wrong, by the names of the files; it is forgotten."""
    told = {**_LOST}
    _LOST.clear()
    return told


def put_back(lost: Mapping[str, Loss]) -> None:
    """Keep again what was taken."""
    _LOST.update(lost)
