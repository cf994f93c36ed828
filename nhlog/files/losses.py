"""What could not be read of files whose other bytes are given: whoever ends with an exit code asks for it."""

from typing import Final

__all__ = ["note", "of", "take"]

_LOST: Final[dict[str, str]] = {}


def note(file: str, what: str) -> None:
    """Keep what is wrong with a file; of several things the first."""
    _LOST.setdefault(file, what)


def of(file: str) -> str | None:
    """What is wrong with a file; None where nothing is known."""
    return _LOST.get(file)


def take() -> list[str]:
    """What is wrong, a line for each file; it is forgotten."""
    told = [*_LOST.values()]
    _LOST.clear()
    return told
