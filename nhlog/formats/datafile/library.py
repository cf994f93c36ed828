"""The map that a recording was made on, found among the maps at hand by what the recording's header says of it.

A map is the one if its SHA-256 is, or its CRC-32 and its name are; never by its name alone.  What the digests of files
were is kept in the user's cache: an entry that does not fit its file is none, and the cache may vanish at any time.
"""

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from platformdirs import user_cache_path

from nhlog import atomic
from nhlog.config import read_config
from nhlog.errors import NhlogError
from nhlog.formats.datafile.reading.datafile import CHUNK, open_datafile
from nhlog.formats.datafile.reading.map import Map
from nhlog.formats.datafile.replay import map_name
from nhlog.formats.datafile.terrain import Terrain

__all__ = ["MapReference", "find_map", "load_terrain"]

ENDING: Final = ".map"
MOST_KEPT: Final = 10_000  # digests


class MapReference(NamedTuple):
    """What a recording says of its map: digests in hexadecimal, the size in bytes; empty or 0 where it says nothing."""

    name: str
    sha256: str = ""
    crc: str = ""
    size: int = 0


class _Kept(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The digests of a file as it was."""

    size: int
    modified: int
    sha256: str
    crc: str


def find_map(wanted: MapReference, recording: str = "", folders: Iterable[Path] | None = None) -> str | None:
    """The file with the map, looked for beside the recording, then in `folders`, by default those of the config.

    None where there is none.
    """
    if folders is None:
        folders = read_config().maps
    beside = [Path(recording).parent] if recording else []
    wanted = wanted._replace(name=wanted.name.rpartition("/")[2])
    files = [file for file in _maps([*beside, *folders]) if not wanted.size or _size(file) == wanted.size]
    files.sort(key=lambda file: map_name(file.name) != wanted.name)
    digests = _Digests()
    try:
        return _find(wanted, files, digests)
    finally:
        digests.store()


def _find(wanted: MapReference, files: list["os.DirEntry[str]"], digests: "_Digests") -> str | None:
    if wanted.sha256:
        for file in files:
            if digests.of(file).sha256 == wanted.sha256.lower():
                return file.path
    for file in files:
        if wanted.crc and map_name(file.name) == wanted.name and digests.of(file).crc == wanted.crc.lower():
            return file.path
    return None


def _maps(folders: Iterable[Path]) -> Iterator["os.DirEntry[str]"]:
    """The maps in these folders, each folder's by their names; a folder that cannot be read has none."""
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            yield from sorted(
                (entry for entry in entries if entry.name.endswith(ENDING) and entry.is_file()),
                key=lambda entry: entry.name,
            )


def _size(file: "os.DirEntry[str]") -> int:
    """In bytes; -1 if the file is gone."""
    try:
        return file.stat().st_size
    except OSError:
        return -1


class _Digests:
    """The digests of files, from the cache where it knows them."""

    def __init__(self) -> None:
        self._path = user_cache_path("nhlog") / "maps"
        self._kept: dict[str, _Kept] | None = None
        self._changed = False

    def of(self, file: "os.DirEntry[str]") -> _Kept:
        """Those of a file; empty ones where it cannot be read."""
        kept = self._load()
        place = os.path.abspath(file.path)
        known = kept.get(place)
        try:
            status = file.stat()
            if known and (known.size, known.modified) == (status.st_size, status.st_mtime_ns):
                return known
            kept[place] = _digested(file.path, status)
        except OSError:
            return _Kept(0, 0, "", "")
        self._changed = True
        return kept[place]

    def _load(self) -> dict[str, _Kept]:
        if self._kept is None:
            try:
                self._kept = msgspec.msgpack.decode(self._path.read_bytes(), type=dict[str, _Kept])
            except (OSError, ValueError, msgspec.DecodeError):
                self._kept = {}
        return self._kept

    def store(self) -> None:
        """Keep what is new; where that cannot be it is found again the next time."""
        if self._changed and self._kept is not None:
            newest = dict(list(self._kept.items())[-MOST_KEPT:])
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                atomic.replace(str(self._path), [msgspec.msgpack.encode(newest)])


def _digested(path: str, status: os.stat_result) -> _Kept:
    sha256, crc = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while piece := file.read(CHUNK):
            sha256.update(piece)
            crc = zlib.crc32(piece, crc)
    return _Kept(status.st_size, status.st_mtime_ns, sha256.hexdigest(), f"{crc:08x}")


def load_terrain(path: str) -> Terrain | None:
    """What tees feel of the map in a file; None where that cannot be read."""
    try:
        with open_datafile(path) as datafile:
            return Map(datafile).terrain
    except NhlogError:
        return None
