"""What all players of a program have in common: the list of scores, bones, dumps of the games that are over.

A program writes in its player's folder alone, and knows only what lies there.  So its host, which no program can reach,
moves such things after each game, and before the next one if it could not:

- Of the lists in `scores` each line that is one of the player's becomes a line of the common xlogfile, under the name
  that the player has here, whatever the game says.  A list is emptied once its lines are there.
- Bones are moved to a folder for all.  Before each game everybody's are put where the game looks for its own, each with
  the oldest time that there is: by this they are known afterwards as a copy.  A copy that is gone was found, and then
  the bones are gone for everybody.  (Two who play at the same time can find the same.)  Bones are read by the game
  alone: by that of another player, within its own walls.
- Dumps are moved to the folder of finished games as text without control characters, as far as there is room for those
  of one player, and for the dumps and bones of all: the rest stays in the player's folder, where the quota counts it.

A file is moved whole or not at all (see `left`).  Nothing that a game leaves is a reason not to play.
"""

import os
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

from nhlog.config import GameProgram
from nhlog.errors import Damaged, NhlogError
from nhlog.files import Identity, atomic, create_file, open_folder, open_only_name, refusals
from nhlog.players import PlayerFolder
from nhlog.scores.crawl import in_nethacks_words
from nhlog.scores.wire import MAX_ENTRY, Entry, format_entry, number_of, parse_entry
from nhlog.scores.xlogfile import DUMPLOG, XLOGFILE, open_xlogfile
from terminal.hosting.left import matching, places, read_left

__all__ = ["Common", "common_bytes"]

_COPY: Final = 1_000_000_000  # the time of bones that are a copy, in nanoseconds since 1970
_MOST_BONES: Final = 100  # that lie in the folder of all players
_MOST_LINES: Final = 100  # of the scores, and
_MOST_DUMPS: Final = 10  # so many dumps, that one game can leave: none fills the disk at once
_DUMPS_OF_ONE: Final = 20_000_000  # bytes that the dumps of a player have in the folder of finished games
_SEEN: Final = 0o644
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,40}")  # of bones
_OURS: Final = ("dumplog", "starttimeus", "endtimeus")  # fields of the common list by which its games are found
_LONGEST_NAME: Final = 80  # characters of a dump's name that are kept
_ROOM: Final = 256  # bytes for the name of a dump, and for a line's end
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")


class Common:
    """What the game of a player has in common with others.

    `finished` is the folder of finished games, `bones` that for the bones of all players, beside those for other games;
    None if there is none, and then these stay with the player.  All dumps and bones have at most `most` bytes, None for
    no limit.
    """

    def __init__(
        self,
        game: GameProgram,
        folder: PlayerFolder,
        finished: Path | None,
        bones: Path | None,
        most: int | None = None,
    ) -> None:
        self._game, self._folder = game, folder
        self._finished, self._bones = finished, bones
        self._most, self._room = most, 0
        self._lent: dict[str, Identity] = {}

        self.is_full = False
        """Whether something stayed with the player that would have been too much for all."""

    def take(self) -> list[Entry]:
        """Move what the game left to where all see it; returns the new lines of the scores.

        Raises :class:`NhlogError` if some of it could not be moved: then it is tried again after the next game.
        """
        entries: list[Entry] = []
        self.is_full = False
        with refusals(str(self._finished)):
            self._room = self._room_of_all()
        if self._bones is not None:
            self._take_bones(self._bones)
        if self._finished is not None:
            with refusals(str(self._finished)):
                dump = self._take_dumps(self._finished)
                entries = self._take_scores(self._finished, dump)
        return entries

    def lend(self) -> None:
        """Put the bones of all players where the game finds them; those that cannot be put there are not found."""
        self._lent = {}
        if self._bones is None or not self._bones.is_dir():
            return
        for place, pattern in self._places(self._game.around.bones):
            with suppress(OSError), _open(self._bones) as common:
                for name in matching(common, pattern):
                    data = read_left(common, name)
                    if data is not None and _put(place, name, data, _COPY):
                        self._lent[name] = _identity(common, name)

    def forget(self, copied: Collection[Path]) -> None:
        """Remove what new copies of these folders of the system's have of others: their games, saved and over.

        A list stays, as an empty one: NetHack makes none.
        """
        game, around = self._game, self._game.around
        files = (*around.bones, *around.dumps, *around.broken_files, *game.save_files)
        for patterns, remove in ((around.scores, _empty), (files, _unlink)):
            inner = tuple(name for name in patterns if any(Path(name).is_relative_to(place) for place in copied))
            for place, pattern in self._places(inner):
                for name in matching(place, pattern):
                    with suppress(OSError, NhlogError):
                        remove(place, name)

    def _places(self, patterns: tuple[str, ...]) -> Iterator[tuple[int, str]]:
        """For each pattern an open folder, and the pattern of names in it."""
        return ((place, pattern.name) for place, pattern in places(self._game, self._folder, patterns))

    def _take_bones(self, bones: Path) -> None:
        for place, pattern in self._places(self._game.around.bones):
            with refusals(str(bones)):
                bones.mkdir(parents=True, exist_ok=True)
                with _open(bones) as common:
                    self._take_bones_of(place, pattern, common)

    def _take_bones_of(self, place: int, pattern: str, common: int) -> None:
        left: dict[str, bytes] = {}
        copies = set()
        for name in matching(place, pattern):
            if _when(place, name) == _COPY:
                copies.add(name)
            elif _NAME.fullmatch(name) and (data := read_left(place, name)) is not None:
                left[name] = data
        for name, identity in self._lent.items():
            if name not in copies:
                _remove(common, name, identity)
        self._lent = {}
        room = _MOST_BONES - len(os.listdir(common))
        for name, data in left.items():
            if not self._fits(data):
                continue
            if room > 0 and _put(common, name, data):  # unless somebody else's lie there
                room -= 1
                self._room -= len(data)
            copies.add(name)
        for name in copies:
            with suppress(OSError):
                os.unlink(name, dir_fd=place)

    def _take_dumps(self, finished: Path) -> str | None:
        """Move dumps; returns the name of the newest."""
        kept: list[tuple[int, str]] = []
        room = _DUMPS_OF_ONE - _bytes_in(finished, f"{self._folder.name}.", DUMPLOG)
        for place, pattern in self._places(self._game.around.dumps):
            for name in matching(place, pattern)[:_MOST_DUMPS]:
                if (data := read_left(place, name)) is not None and len(data) <= room and self._fits(data):
                    room -= len(data)
                    self._room -= len(data)
                    kept.append((_when(place, name), self._keep_dump(finished, name, data)))
                    os.unlink(name, dir_fd=place)
        return max(kept)[1] if kept else None

    def _room_of_all(self) -> int:
        """How many bytes may come to what all players have."""
        if self._most is None or self._finished is None:
            return sys.maxsize
        return self._most - common_bytes(self._finished, None if self._bones is None else self._bones.parent)

    def _fits(self, data: bytes) -> bool:
        """Whether all players' room has place for this."""
        fits = len(data) <= self._room
        self.is_full |= not fits
        return fits

    def _keep_dump(self, finished: Path, name: str, data: bytes) -> str:
        text = _CONTROL.sub("", data.decode("utf-8", "replace")).encode()
        stem = f"{self._folder.name}.{self._game.name}.{_UNSAFE.sub('_', Path(name).stem)[:_LONGEST_NAME]}"
        names = (f"{stem}{f'-{number}' if number > 1 else ''}{DUMPLOG}" for number in count(1))
        kept = next(name for name in names if not os.path.lexists(finished / name))
        atomic.create(str(finished / kept), [text], lambda draft: os.chmod(draft, _SEEN))
        return kept

    def _take_scores(self, finished: Path, dump: str | None) -> list[Entry]:
        """Move the lines of the lists; the `dump` is that of the game that ended last, whichever list has it."""
        found: list[Entry] = []
        for _, _, lines in self._lists():
            found += [entry for line in lines[-_MOST_LINES:] if (entry := self._entry(line)) is not None]
        if found and dump is not None:
            max(reversed(found), key=lambda entry: number_of(entry, "endtime") or 0)["dumplog"] = dump
        entries = _listed(finished, found) if found else []
        for place, name, _ in self._lists():
            _empty(place, name)
        return entries

    def _lists(self) -> Iterator[tuple[int, str, list[bytes]]]:
        """The lists that have lines: an open folder, the name in it, and the lines."""
        for place, pattern in self._places(self._game.around.scores):
            for name in matching(place, pattern):
                *lines, _ = (read_left(place, name) or b"").split(b"\n")
                if lines:
                    yield place, name, lines

    def _entry(self, line: bytes) -> Entry | None:
        """A line of the player's, under the player's name here; None for another's, and for what is none."""
        try:
            fields = in_nethacks_words(parse_entry(line))
        except Damaged:
            return None
        player = self._folder.name
        if fields.get("name") not in (player, player.partition("-")[0]):  # NetHack takes what follows for a role
            return None
        told = {name: value for name, value in fields.items() if name not in _OURS}
        entry: Entry = {**told, "name": player, "engine": self._game.name}
        return entry if len(format_entry(entry)) <= MAX_ENTRY - _ROOM else None


def common_bytes(finished: Path, bones: Path | None) -> int:
    """How many bytes the dumps in the folder of finished games have, and the bones in the folders for all programs."""
    folders = () if bones is None or not bones.is_dir() else bones.iterdir()
    return _bytes_in(finished, "", DUMPLOG) + sum(map(_bytes_in, folders))


def _bytes_in(folder: Path, begin: str = "", end: str = "") -> int:
    """How many bytes the files in a folder have whose names begin and end so."""
    with os.scandir(folder) as entries:
        found = [entry for entry in entries if entry.name.startswith(begin) and entry.name.endswith(end)]
    return sum(map(_size, found))


def _size(entry: "os.DirEntry[str]") -> int:
    with suppress(FileNotFoundError):  # it was found, or removed, meanwhile
        return entry.stat(follow_symlinks=False).st_size
    return 0


@contextmanager
def _open(path: Path) -> Iterator[int]:
    folder = open_folder(str(path))
    try:
        yield folder
    finally:
        os.close(folder)


def _when(folder: int, name: str) -> int:
    return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime_ns


def _identity(folder: int, name: str) -> Identity:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    return status.st_dev, status.st_ino


def _put(folder: int, name: str, data: bytes, when: int | None = None) -> bool:
    """Make a file of this name, whole or not at all, as old as `when`; returns False if there is something already."""
    draft = f"{atomic.DRAFT}{os.urandom(8).hex()}"
    fd = create_file(draft, _SEEN, folder=folder)
    try:
        while data:
            data = data[os.write(fd, data) :]
        if when is not None:
            os.utime(draft, ns=(when, when), dir_fd=folder)
        os.link(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except FileExistsError:
        return False
    finally:
        os.close(fd)
        os.unlink(draft, dir_fd=folder)
    return True


def _unlink(folder: int, name: str) -> None:
    os.unlink(name, dir_fd=folder)


def _remove(folder: int, name: str, identity: Identity) -> None:
    """Remove a file, unless it is another one by now."""
    with suppress(FileNotFoundError):
        if _identity(folder, name) == identity:
            os.unlink(name, dir_fd=folder)


def _listed(finished: Path, entries: list[Entry]) -> list[Entry]:
    """Add these to the common xlogfile; returns those that were not there."""
    with _open(finished) as shelf, open_xlogfile(shelf, str(finished / XLOGFILE)) as xlogfile:
        new = [entry for entry in entries if not xlogfile.holds(format_entry(entry)[:-1])]
        for entry in new:
            xlogfile.append(entry)
    return new


def _empty(folder: int, name: str) -> None:
    fd = open_only_name(folder, name, os.O_WRONLY)
    try:
        os.ftruncate(fd, 0)
    finally:
        os.close(fd)
