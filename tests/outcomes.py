"""What came of an act that may end in an error of ours, where any other is a bug."""

from collections.abc import Callable

from nhlog.errors import NhlogError

__all__ = ["error_of"]


def error_of(act: Callable[[], object]) -> NhlogError | None:
    """The error of ours that it raises, None where it raises none."""
    try:
        act()
    except NhlogError as error:
        return error
    return None
