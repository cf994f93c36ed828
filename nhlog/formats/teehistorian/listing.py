"""A recording in one line; what it took to know that is kept in the user's cache, so that the next time is instant.

Disposable: an entry counts only if it is whole, of this version, and of the same file, size and time of writing.
"""

import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from nhlog import atomic
from nhlog.files import CannotOpen
from nhlog.formats.teehistorian.reader import Cut
from nhlog.formats.teehistorian.replay import FORMAT, TICK
from nhlog.formats.teehistorian.summary import health, summarise

__all__ = ["listing"]

_VERSION: Final = 1
MOST_NAMES: Final = 64  # people in one line


class _Known(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What one pass told of a file."""

    version: int
    identity: tuple[int, int, int, int]
    title: str
    server: str
    people: list[str]
    finishes: int
    start: int | None
    duration: int
    status: str


def listing(path: str) -> dict[str, Any]:
    """The recording in one line; `status` is "finished", "live or cut" or "damaged"."""
    try:
        status = os.stat(path)
    except OSError as error:
        raise CannotOpen((error.strerror or str(error)).lower(), file=path) from None
    identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    entry = _entry(identity)
    known = _load(entry, identity)
    if known is None:
        known = _known(path, identity)
        _store(entry, known)
    return {
        "file": path,
        "format": FORMAT,
        "title": known.title,
        "server": known.server,
        "people": known.people,
        "finishes": known.finishes,
        "start": known.start,
        "duration": known.duration,
        "changed": status.st_mtime_ns // 1000,
        "size": status.st_size,
        "status": known.status,
    }


def _known(path: str, identity: tuple[int, int, int, int]) -> _Known:
    summary = summarise(path)
    names = dict.fromkeys(stay.player.called for stay in summary.roll.stays)
    cut = isinstance(summary.error, Cut)
    return _Known(
        version=_VERSION,
        identity=identity,
        title=summary.header.text("map_name"),
        server=summary.header.text("server_name"),
        people=list(names)[:MOST_NAMES],
        finishes=len(summary.roll.finishes),
        start=summary.header.start,
        duration=summary.world.tick * TICK,
        status="finished" if health(summary) == "sound" else "live or cut" if cut else "damaged",
    )


def _entry(identity: tuple[int, int, int, int]) -> Path:
    from platformdirs import user_cache_path

    device, inode, *_ = identity
    return user_cache_path("nhlog") / "teehistorian" / f"{device:x}-{inode:x}"


def _load(entry: Path, identity: tuple[int, int, int, int]) -> _Known | None:
    try:
        packed = entry.read_bytes()
        known = msgspec.msgpack.decode(packed[4:], type=_Known)
    except (OSError, ValueError):  # what msgspec raises for text that is no UTF-8 is no error of its own
        return None
    sound = packed[:4] == zlib.crc32(packed[4:]).to_bytes(4, "big")
    return known if sound and (known.version, known.identity) == (_VERSION, identity) else None


def _store(entry: Path, known: _Known) -> None:
    data = msgspec.msgpack.encode(known)
    with suppress(OSError):
        entry.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        atomic.replace(os.fspath(entry), [zlib.crc32(data).to_bytes(4, "big"), data])
