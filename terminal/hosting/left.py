"""What a game left in its player's folder, which may be anything: a game is hostile until it has ended.

Every folder on the way is opened by its descriptor, so a link in the place of one leads nowhere.  A file is read only
if it is a regular one without other names and no larger than it can be; one that is not stays where it is, and is
passed over: it hurts nobody but its player.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Final

from nhlog.config import GameProgram
from nhlog.errors import NhlogError
from nhlog.files import open_inner_folder, open_only_name, read_at
from nhlog.players import PlayerFolder
from terminal.hosting.places import root_of

__all__ = ["LARGEST", "matching", "places", "printable_part", "read_left"]

LARGEST: Final = 1 << 20  # bytes of a file; bones of NetHack have some 20,000, a morgue file of Crawl as many
MOST: Final = 100  # files that are looked at after a game


@contextmanager
def _opened(root: Path, inner: Path) -> Iterator[int | None]:
    """A descriptor of the folder in which `inner` is, below the folder `root`; None if it is not there, or a link."""
    folder = None
    try:
        with suppress(OSError):
            folder = open_inner_folder(str(root), inner.parent.parts)
        yield folder
    finally:
        if folder is not None:
            os.close(folder)


def places(game: GameProgram, folder: PlayerFolder, patterns: Iterable[str]) -> Iterator[tuple[int, Path]]:
    """For each pattern of a game whose folder is there: that folder, open until the next one, and the pattern."""
    for pattern in patterns:
        root, inner = root_of(game, folder, pattern)
        with _opened(root, inner) as place:
            if place is not None:
                yield place, Path(pattern)


def matching(folder: int, pattern: str) -> list[str]:
    """The names in an open folder that fit the pattern, in order; of very many no more than are looked at."""
    with os.scandir(folder) as entries:
        found = (entry.name for entry in entries if fnmatchcase(entry.name, pattern))
        return sorted(islice(found, MOST))


def read_left(folder: int, name: str) -> bytes | None:
    """The whole of a file; None for anything else, or a larger one."""
    try:
        fd = open_only_name(folder, name)
    except NhlogError:
        return None
    try:
        data = read_at(fd, LARGEST + 1, 0, name)
        return data if len(data) <= LARGEST else None
    finally:
        os.close(fd)


def printable_part(text: str, most: int) -> str:
    """Of what a game says the characters that can be shown, at most so many of them."""
    return "".join(filter(str.isprintable, text))[:most]
