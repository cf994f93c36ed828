"""Where dead heroes' levels wait for others: a folder with a file for each level.

Whoever finds bones takes them away: a file is renamed before it is read, so that two finders cannot both have it.
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from nhlog import atomic

__all__ = ["BonesFolder"]

MAX_BONES = 1 << 20  # bytes
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


class BonesFolder:
    """The bones of one engine's games."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def leave(self, name: str, bones: bytes) -> None:
        """Keep them, unless there are some for that level already or there is no room for them."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            atomic.create(str(self._file(name)), [bones[:MAX_BONES]])

    def take(self, name: str) -> bytes | None:
        """The bones of that level, which are nobody else's then; None where there are none."""
        file = self._file(name)
        mine = file.with_name(f".taken-{os.getpid()}-{file.name}")
        try:
            file.rename(mine)
            with mine.open("rb") as stream:
                return stream.read(MAX_BONES)
        except OSError:
            return None
        finally:
            mine.unlink(missing_ok=True)

    def _file(self, name: str) -> Path:
        return self._folder / f"{_UNSAFE.sub('-', name)}.bones"
