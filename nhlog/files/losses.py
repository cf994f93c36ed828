"""What could not be read of files of which the rest is used: whoever ends with an exit code asks for it."""

from typing import Final

from nhlog.errors import NhlogError

__all__ = ["note", "of", "take"]

_LOST: Final[dict[str, NhlogError]] = {}


def note(file: str, error: NhlogError) -> None:
    """Keep what is wrong with a file; of several things the first."""
    _LOST.setdefault(file, error)


def of(file: str) -> NhlogError | None:
    """What is wrong with a file; None where nothing is known."""
    return _LOST.get(file)


def take() -> list[NhlogError]:
    """What is wrong, an error for each file; it is forgotten."""
    told = [*_LOST.values()]
    _LOST.clear()
    return told
