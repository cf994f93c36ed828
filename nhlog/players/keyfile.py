"""The file of keys that sshd reads for the players' account: changed by one process at a time, and always whole.

Lines that others wrote stay as they are.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from nhlog.errors import LockNotObtained, Usage
from nhlog.files import atomic, lock, open_folder, read_whole, refusals
from nhlog.players.keys import KeyLine, key_line, parse_line, program_of
from nhlog.players.names import checked_name

__all__ = ["KeyFile"]

LARGEST: Final = 64 << 20  # bytes of the file
RIGHTS: Final = 0o644  # sshd reads the file as the account, and heeds none that others may write

_Lines = list[str]


class KeyFile:
    """The file at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    @property
    def keys(self) -> list[KeyLine]:
        """The keys of players and spectators."""
        return _ours(self._read())

    @property
    def programs(self) -> list[str]:
        """The paths of nhlog that these keys have run: one, unless it was installed elsewhere since."""
        return sorted({program for line in self._read() if (program := program_of(line)) is not None})

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

        self._change(added)

    def remove(self, name: str) -> None:
        """Let none of the keys of this player in any more; raises :class:`Usage` if there are none."""
        checked_name(name)

        def rest(lines: _Lines) -> _Lines:
            left = [line for line in lines if not _ours([line]) or _ours([line])[0].name != name]
            if len(left) == len(lines):
                raise Usage(f"{name} has no key", file=self._path)
            return left

        self._change(rest)

    def _read(self) -> _Lines:
        if not os.path.lexists(self._path):
            return []
        text = read_whole(self._path, LARGEST).decode("utf-8", "surrogateescape")
        return text.removesuffix("\n").split("\n") if text else []

    def _change(self, changed: Callable[[_Lines], _Lines]) -> None:
        with refusals(self._path):
            folder = open_folder(os.path.dirname(os.path.abspath(self._path)))
            try:
                lock(folder, self._path)
                text = "".join(f"{line}\n" for line in changed(self._read()))
                data = text.encode("utf-8", "surrogateescape")
                atomic.replace(self._path, [data], lambda draft: os.chmod(draft, RIGHTS))
            except LockNotObtained:
                raise LockNotObtained("somebody else is changing the keys now", file=self._path) from None
            finally:
                os.close(folder)


def _ours(lines: _Lines) -> list[KeyLine]:
    return [line for line in map(parse_line, lines) if line is not None]
