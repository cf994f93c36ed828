"""The file of keys that sshd reads for the players' account: changed by one process at a time, and always whole.

Lines that others wrote stay as they are.
"""

from pathlib import Path

from nhlog.errors import Usage
from nhlog.players.keys import KeyLine, key_line, parse_line, program_of
from nhlog.players.lines import change_lines, read_lines
from nhlog.players.names import checked_name

__all__ = ["KeyFile"]

_Lines = list[str]


class KeyFile:
    """The file at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    @property
    def keys(self) -> list[KeyLine]:
        """The keys of players and spectators."""
        return _ours(read_lines(self._path))

    @property
    def programs(self) -> list[str]:
        """The paths of nhlog that these keys have run: one, unless it was installed elsewhere since."""
        return sorted({program for line in read_lines(self._path) if (program := program_of(line)) is not None})

    def add(self, new: KeyLine, program: str) -> None:
        """Let a key in, to the lobby of the nhlog at the path `program`.

        Raises :class:`Usage` if it is somebody's already, or if somebody else has that name, or one but for case.
        """
        checked_name(new.name)
        line = key_line(new, program)

        def added(lines: _Lines) -> _Lines:
            for known in _ours(lines):
                if known.key == new.key:
                    raise Usage(f"this key already belongs to {known.name}", file=self._path)
                if known.name.casefold() == new.name.casefold() and known.name != new.name:
                    raise Usage(f"{new.name} is too similar to {known.name}", file=self._path)
                if known.name == new.name and known.spectator != new.spectator:
                    raise Usage(f"{new.name} {'only watches' if known.spectator else 'plays'}", file=self._path)
            return [*lines, line]

        change_lines(self._path, added)

    def remove(self, name: str) -> None:
        """Let none of the keys of this player in any more; raises :class:`Usage` if there are none."""
        checked_name(name)

        def rest(lines: _Lines) -> _Lines:
            left = [line for line in lines if not _ours([line]) or _ours([line])[0].name != name]
            if len(left) == len(lines):
                raise Usage(f"{name} has no key", file=self._path)
            return left

        change_lines(self._path, rest)


def _ours(lines: _Lines) -> list[KeyLine]:
    return [line for line in map(parse_line, lines) if line is not None]
