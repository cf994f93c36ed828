"""A recording that is followed while others write it: the file that it is in, which may become another one."""

from nhlog.values import NamedTuple

__all__ = ["Followed", "Version"]


class Version(NamedTuple):
    """A file with a recording, of which it lacks the first `before` bytes; `told` is what is to be said of them."""

    path: str
    before: int = 0
    told: str = ""


class Followed:
    """The recording in the file `path`."""

    def __init__(self, path: str) -> None:
        self._version = Version(path)

    def version(self) -> Version:
        """What is to be shown now."""
        return self._version

    def taken(self) -> None:
        """Take in that this is shown: those before it are not needed any more."""

    def ended(self) -> bool:
        """Whether nothing more can come, as of a pipe that was closed."""
        return False
