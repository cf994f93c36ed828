"""Finds the map that a recording was made on, among the map files in some folders.

A map matches if its SHA-256 does, or its CRC-32 and its name do; never by its name alone.  The digests of files are
kept in the user's cache.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from nhlog.cache import Index, fingerprint
from nhlog.config import read_config
from nhlog.errors import NhlogError, Usage
from nhlog.files import open_file
from nhlog.formats.datafile.reading.datafile import Digests, digests_of, open_datafile
from nhlog.formats.datafile.reading.map import Map, map_name
from nhlog.formats.datafile.terrain import Terrain
from nhlog.values import NamedTuple

__all__ = ["MapReference", "check_map", "find_map", "load_terrain"]

ENDING: Final = ".map"


class MapReference(NamedTuple):
    """The map as named in a recording: digests in hexadecimal, the size in bytes; empty or 0 if unknown."""

    name: str
    sha256: str = ""
    crc: str = ""
    size: int = 0


_INDEX: Final = Index("map-digests", 2, Digests)


def find_map(wanted: MapReference, recording: str = "", folders: Iterable[Path] | None = None) -> str | None:
    """The path of the map, searched for beside the recording, then in `folders`, by default those of the config.

    Beside a recording at an address it has to have the map's name.  None if it is not found.
    """
    if folders is None:
        folders = read_config().maps
    away = "://" in recording
    beside = [Path(recording).parent] if recording and not away else []
    wanted = wanted._replace(name=wanted.name.rpartition("/")[2])
    files = [file for file in _maps([*beside, *folders]) if not wanted.size or _size(file) == wanted.size]
    files.sort(key=lambda file: map_name(file.name) != wanted.name)
    if wanted.sha256:
        for file in files:
            if _digests(file.path).sha256 == wanted.sha256.lower():
                return file.path
    for file in files:
        if wanted.crc and map_name(file.name) == wanted.name and _digests(file.path).crc32 == wanted.crc.lower():
            return file.path
    return _at_address(wanted, recording.rpartition("/")[0]) if away else None


def check_map(wanted: MapReference, path: str) -> None:
    """Raise :class:`Usage` where the file that somebody names is another map than the recording tells.

    It is named by a digest alone: without one in the recording any map may be meant.  Raises :class:`CannotOpen` and
    :class:`~nhlog.errors.Damaged` for a file that is no map.
    """
    with open_datafile(path) as datafile:
        Map(datafile)
    named, known = _named(wanted, _digests(path))
    if named and named != known:
        raise Usage("not the map that was played", file=path, expected=named, found=known)


def _at_address(wanted: MapReference, folder: str) -> str | None:
    """The address of the map in a folder at an address; None if it is not there."""
    place = f"{folder}/{wanted.name}{ENDING}"
    named, known = _named(wanted, _digests(place))
    return place if named and named == known else None


def _named(wanted: MapReference, digests: Digests) -> tuple[str, str]:
    """The digest that a recording has of its map, empty if none, and the same one of a file."""
    if wanted.sha256:
        return wanted.sha256.lower(), digests.sha256
    return wanted.crc.lower(), digests.crc32


def _maps(folders: Iterable[Path]) -> Iterator["os.DirEntry[str]"]:
    """The maps in these folders, each folder's by their names; a folder that cannot be read has none."""
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            yield from sorted(
                (entry for entry in entries if entry.name.endswith(ENDING) and entry.is_file()),
                key=lambda entry: entry.name,
            )


def _size(file: "os.DirEntry[str]") -> int:
    """The size of a file in bytes; -1 if it no longer exists."""
    try:
        return file.stat().st_size
    except OSError:
        return -1


def _digests(path: str) -> Digests:
    """The digests of a file, from the cache if it has not changed; empty ones if it cannot be read."""
    try:
        with open_file(path) as file:
            state = fingerprint(file)
            digests = _INDEX.load(state)
            if digests is None:
                digests = digests_of(file)
                _INDEX.store(state, digests)
            return digests
    except NhlogError:
        return Digests("", "")


def load_terrain(path: str) -> Terrain | None:
    """The physics layers of the map in a file; None if they cannot be read."""
    try:
        with open_datafile(path) as datafile:
            return Map(datafile).terrain
    except NhlogError:
        return None
