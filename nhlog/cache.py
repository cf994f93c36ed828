"""A disposable cache of costly facts about files, kept in the user's cache folder (XDG).

Entries are checked when loaded: one that is damaged, of another version, or about another state of the file is ignored.
The whole cache may be deleted at any time.
"""

import os
import zlib
from contextlib import suppress
from typing import Final, Generic, TypeVar

import msgspec

from nhlog.errors import NhlogError
from nhlog.files import File, Identity, Source, atomic, read_whole

__all__ = ["Cache", "Fingerprint", "cache_folder", "entry_name", "fingerprint", "fingerprint_of"]

_EDGE: Final = 4096  # bytes of a file's head and tail that its fingerprint looks at
_LARGEST: Final = 1 << 30  # bytes of an entry
_CHECKSUM: Final = 4  # bytes before each entry: the CRC-32 of what follows

T = TypeVar("T")


class Fingerprint(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The state of a file; equal fingerprints mean equal content.

    `modified` and `changed` are nanoseconds since 1970; the first can be set back by users, the second cannot.
    `digest` is a CRC-32 of the first and last 4096 bytes, for file systems with coarse timestamps.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int
    digest: int

    @property
    def identity(self) -> Identity:
        """The device and inode."""
        return self.device, self.inode


def fingerprint(source: Source) -> Fingerprint | None:
    """The fingerprint of an open file; None for a source that is not a file.

    Raises :class:`NhlogError` on a read error.
    """
    stamp = source.stamp()
    if stamp is None:
        return None
    digest = zlib.crc32(source.pread(_EDGE, 0))
    digest = zlib.crc32(source.pread(_EDGE, max(stamp.size - _EDGE, 0)), digest)
    return Fingerprint(*stamp, digest)


def fingerprint_of(path: str) -> Fingerprint | None:
    """The fingerprint of the file `path`; None if it is none: a folder, a pipe, what others keep from us."""
    try:
        with File(path) as file:
            return fingerprint(file)
    except (NhlogError, OSError):
        return None


def entry_name(identity: Identity) -> str:
    """The name of the cache entry for the file with this device and inode."""
    device, inode = identity
    return f"{device:x}-{inode:x}"


def cache_folder() -> str:
    """The folder of the whole cache, by the XDG rules; platformdirs says the same, but takes 10 ms to be imported."""
    return os.path.join(os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache"), "nhlog")


class Cache(Generic[T]):
    """Cache entries of one kind: values of the msgspec type `content`; `version` is the version of their layout."""

    def __init__(self, kind: str, version: int, content: type[T]) -> None:
        self._kind = kind
        self._version = version
        self._content = content

    def load(self, name: str) -> T | None:
        """The value stored under `name`; None if there is none, or it is damaged or of another version."""
        try:
            data = memoryview(read_whole(self._path(name), _LARGEST))
            version, value = msgspec.msgpack.decode(data[_CHECKSUM:], type=tuple[int, msgspec.Raw])
            sound = data[:_CHECKSUM] == zlib.crc32(data[_CHECKSUM:]).to_bytes(_CHECKSUM, "big")
            return msgspec.msgpack.decode(value, type=self._content) if sound and version == self._version else None
        except (NhlogError, ValueError):  # ValueError: msgspec's own, and what it raises for text that is no UTF-8
            return None

    def store(self, name: str, value: T) -> None:
        """Keep the value for the next time, if the cache can be written and the value is one that can be kept."""
        path = self._path(name)
        with suppress(OSError, UnicodeEncodeError):  # a text from a file may hold what is no character
            data = msgspec.msgpack.encode((self._version, value))
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            atomic.replace(path, [zlib.crc32(data).to_bytes(_CHECKSUM, "big"), data])

    def remove(self, name: str) -> None:
        """Have nothing under this name any more, if the cache can be written."""
        with suppress(OSError):
            os.unlink(self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(cache_folder(), self._kind, name)
