"""A disposable cache of costly facts about files, kept in the user's cache folder (XDG).

Entries are checked when loaded: one that is damaged, of another version, or about another state of the file is ignored.
The whole cache may be deleted at any time; it removes itself what was not used for long, and what is too much.

Some entries go where only what we made ourselves may go: the states of the emulator, which is code in C that trusts
them.  So each entry is sealed (BLAKE2) for its very place, with a random key that lies beside them and that only its
user can read; the folder is the user's own, and nobody else can write to it.  What is sealed otherwise, or lies in
another's folder, is as good as nothing: who can write there costs us time, and nothing else.
"""

import os
import stat
import time
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from typing import Final, Generic, TypeVar

import msgspec

from nhlog.decoding import msgpack_decoder
from nhlog.errors import NhlogError
from nhlog.files import Identity, Source, atomic, open_file, read_whole
from nhlog.values import NamedTuple

__all__ = [
    "Cache",
    "Fingerprint",
    "Found",
    "Index",
    "bring",
    "cache_folder",
    "entry_name",
    "fingerprint",
    "fingerprint_of",
    "found_of",
    "read_entry",
    "write_entry",
]

_EDGE: Final = 4096  # bytes of a file's head and tail that its fingerprint looks at
_LARGEST: Final = 1 << 30  # bytes of an entry
_SEAL: Final = 16  # bytes before each entry
_KEY: Final = "key"  # the file of the key
_KEY_SIZE: Final = 32  # bytes
_STRETCH: Final = 1 << 16  # bytes of a file that have a checksum of their own in an index

MOST: Final = 1 << 29  # bytes of all entries together; more of them go, those first that were not used for longest
UNUSED: Final = 60 * 86_400  # seconds after which an entry goes that nobody loaded
_SWEPT: Final = 600  # seconds between two looks at all entries
_USED: Final = 86_400  # seconds by which the time may be wrong at which an entry was used
_OWN: Final = ("snapshots", "archive", "highlights-so-far", "rows", "happened", "worlds")
# kinds that are not for others: states of the emulator can end a process, what may go on is not archived, the rows are
# those of a folder, and who gives trophies by what happened, or by worlds, finds that out
_BROUGHT: Final = frozenset(
    ("butter", "drawn", "events", "highlights", "hollowcube", "logs", "map-digests", "scores", "screencast")
) | {"teehistorian", "teehistorian-indexes"}
"""Kinds that are believed of an archive, in what it says of its own files (a test compares them with all there are)."""
_MARK: Final = "swept"  # the file whose time is that of the last look

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
    return Fingerprint(*stamp, _digest(source, stamp.size))


def _digest(source: Source, size: int) -> int:
    """The digest of a file of this size, or of one that has it no more."""
    head, start = source.pread(min(_EDGE, size), 0), max(size - _EDGE, 0)
    return zlib.crc32(source.pread(size - start, start), zlib.crc32(head))


def fingerprint_of(
    path: str, opened: Callable[[str], AbstractContextManager[Source]] = open_file
) -> Fingerprint | None:
    """The fingerprint of the file `path`; None if it is none: a folder, a pipe, what others keep from us.

    `opened` opens it: a log is opened where all logs are.
    """
    try:
        with opened(path) as file:
            return fingerprint(file)
    except (NhlogError, OSError):
        return None


def entry_name(identity: Identity) -> str:
    """The name of the cache entry for the file with this device and inode."""
    device, inode = identity
    return f"{device:x}-{inode:x}"


def cache_folder() -> str:
    """The folder of the whole cache, by the XDG rules; platformdirs says the same, but takes 10 ms to be imported.

    For a user who has no home it is one that nobody can make.
    """
    home = os.path.expanduser("~")
    usual = "/nonexistent/.cache" if home == "~" else f"{home}/.cache"
    return os.path.join(os.environ.get("XDG_CACHE_HOME", "").strip() or usual, "nhlog")


def read_entry(kind: str, name: str) -> memoryview | None:
    """The bytes of an entry, as they were written; None where there is none, or one that was not sealed by us."""
    root = cache_folder()
    try:
        key = _key(root)
        data = memoryview(read_whole(os.path.join(root, kind, name), _LARGEST)) if key else memoryview(b"")
    except (NhlogError, OSError):
        return None
    return data[_SEAL:] if key and data[:_SEAL] == _seal(key, kind, name, data[_SEAL:]) else None


def write_entry(kind: str, name: str, data: bytes) -> None:
    """Keep these bytes as an entry, where the folder of the cache is ours or can be made; raises OSError."""
    root = cache_folder()
    key = _made_key(root)
    if key is not None:
        os.makedirs(os.path.join(root, kind), mode=0o700, exist_ok=True)
        atomic.replace(os.path.join(root, kind, name), [_seal(key, kind, name, data), data])


def _seal(key: bytes, kind: str, name: str, data: bytes | memoryview) -> bytes:
    """What only who has the key can say of these bytes at this place."""
    from hashlib import blake2b  # which brings all of OpenSSL with it: 3.5 MB

    seal = blake2b(os.fsencode(f"{kind}/{name}\0"), digest_size=_SEAL, key=key)
    seal.update(data)
    return seal.digest()


def _key(root: str) -> bytes | None:
    """The key of the cache in this folder; None where either is not ours alone.  Raises OSError where there is none."""
    path = os.path.join(root, _KEY)
    status = os.lstat(path)
    if not (_is_ours(root) and stat.S_ISREG(status.st_mode) and _is_of_us(status, 0o077)):
        return None
    key = read_whole(path, _KEY_SIZE)
    return key if len(key) == _KEY_SIZE else None


def _made_key(root: str) -> bytes | None:
    """The key, made where there is none that can be used; None in a folder that is another's.  Raises OSError."""
    with suppress(NhlogError, OSError):
        key = _key(root)
        if key is not None:
            return key
    os.makedirs(root, mode=0o700, exist_ok=True)
    if os.stat(root).st_uid == os.geteuid():
        os.chmod(root, 0o700)
    if not _is_ours(root):
        return None
    path = os.path.join(root, _KEY)
    with suppress(FileNotFoundError):
        os.unlink(path)
    with suppress(FileExistsError):  # of another process that was quicker
        atomic.create(path, [os.urandom(_KEY_SIZE)], lambda draft: os.chmod(draft, 0o600))
    return _key(root)


def _is_ours(root: str) -> bool:
    """Whether this is a folder, or a link of ours to one, that only we can write to."""
    status = os.stat(root)
    return stat.S_ISDIR(status.st_mode) and _is_of_us(status, 0o022) and os.lstat(root).st_uid == os.geteuid()


def _is_of_us(status: os.stat_result, others: int) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & others


class Cache(Generic[T]):
    """Cache entries of one kind: values of the msgspec type `content`; `version` is the version of their layout."""

    def __init__(self, kind: str, version: int, content: type[T]) -> None:
        self._kind = kind
        self._version = version
        self._content = content

    def load(self, name: str) -> T | None:
        """The value stored under `name`; None if there is none, or it is damaged or of another version."""
        data = read_entry(self._kind, name)
        if data is None:
            return None
        try:
            version, value = msgspec.msgpack.decode(data, type=tuple[int, msgspec.Raw])
            if version != self._version:
                return None
            found = msgpack_decoder(self._content).decode(value)
        except ValueError:  # msgspec's own, and what it raises for text that is no UTF-8
            return None
        _touch(self._path(name))
        return found

    def store(self, name: str, value: T) -> None:
        """Keep the value for the next time, if the cache can be written and the value is one that can be kept."""
        with suppress(OSError, UnicodeEncodeError):  # a text from a file may hold what is no character
            write_entry(self._kind, name, msgspec.msgpack.encode((self._version, value)))
            _sweep(cache_folder())

    def remove(self, name: str) -> None:
        """Have nothing under this name any more, if the cache can be written."""
        with suppress(OSError):
            os.unlink(self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(cache_folder(), self._kind, name)


class Found(NamedTuple, Generic[T]):
    """What was found in a file before: `value` is true of its bytes up to the offset `end`."""

    value: T
    end: int


class _Kept(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`sums` are the CRC-32s of the file's stretches from `begin` on; none if it has to be as it was."""

    state: Fingerprint
    how: str
    begin: int
    sums: bytes
    value: msgspec.Raw


class Index(Generic[T]):
    """What was found in files: values of the msgspec type `content`, each kept with the state that its file was in.

    Of an unchanged file it is loaded; of one that grew or was cut, what was found in the bytes that are the same; of
    any other, and of what is no file, nothing.  `how` says what else a value depends on, where it does.
    """

    def __init__(self, kind: str, version: int, content: type[T]) -> None:
        self._cache = Cache(kind, version, _Kept)
        self._content = content

    def load(self, state: Fingerprint | None, how: str = "") -> T | None:
        """What was found in a file when it was in this very state; None if nothing was kept."""
        kept = self._kept(state, how)
        return self._value(kept) if kept is not None and kept.state == state else None

    def load_grown(self, source: Source, begin: int = 0, how: str = "") -> Found[T] | None:
        """What was found in the bytes from `begin` on of a file, and up to where it still has them; None if nowhere.

        Of a file that was written to since, all that the index is about is read and compared.
        Raises :class:`NhlogError` on a read error.
        """
        state = fingerprint(source)
        kept = self._kept(state, how)
        if state is None or kept is None or kept.begin != begin:
            return None
        end = state.size if kept.state == state else _same_until(source, kept)
        value = self._value(kept) if end > begin else None
        return None if value is None else Found(value, end)

    def load_appended(self, source: Source, how: str = "") -> Found[T] | None:
        """What was found in a file that has at most been appended to since, as its ends show; else None.

        Of one that grew the first bytes are compared and those before its old end: for what its writers only append to.
        Raises :class:`NhlogError` on a read error.
        """
        state = fingerprint(source)
        kept = self._kept(state, how)
        if state is None or kept is None or not _has_grown_from(kept.state, state, source):
            return None
        value = self._value(kept)
        return None if value is None else Found(value, kept.state.size)

    def store(self, state: Fingerprint | None, value: T, how: str = "") -> None:
        """Keep what was found in a file that was in this state."""
        if state is not None:
            self._store(state, value, how, 0, b"")

    def store_growing(self, source: Source, state: Fingerprint | None, value: T, begin: int = 0, how: str = "") -> None:
        """Keep what was found in the bytes from `begin` on of a file that may grow.

        `state` is its fingerprint from before it was read: if it was written to since, nothing is kept.
        Raises :class:`NhlogError` on a read error.
        """
        if state is None or fingerprint(source) != state:
            return
        sums = array("I", [zlib.crc32(data) for data in _stretches(source, begin, state.size)])
        if fingerprint(source) == state:
            self._store(state, value, how, begin, sums.tobytes())

    def forget(self, state: Fingerprint | None) -> None:
        """Have nothing of this file any more."""
        if state is not None:
            self._cache.remove(entry_name(state.identity))

    def _kept(self, state: Fingerprint | None, how: str) -> _Kept | None:
        kept = self._cache.load(entry_name(state.identity)) if state is not None else None
        return kept if kept is not None and kept.how == how else None

    def _value(self, kept: _Kept) -> T | None:
        try:
            return msgpack_decoder(self._content).decode(kept.value)
        except ValueError:
            return None

    def _store(self, state: Fingerprint, value: T, how: str, begin: int, sums: bytes) -> None:
        with suppress(UnicodeEncodeError):  # a text from a file may hold what is no character
            kept = _Kept(state, how, begin, sums, msgspec.Raw(msgspec.msgpack.encode(value)))
            self._cache.store(entry_name(state.identity), kept)


def found_of(state: Fingerprint, other: Fingerprint) -> dict[str, bytes]:
    """What is kept of the file in this state, by the kind, as entries for one of the same bytes in `other`.

    Only what follows from the whole of such a file is among it.
    """
    found = {}
    with suppress(OSError):
        for kind in os.scandir(cache_folder()):
            data = None if kind.name in _OWN or not kind.is_dir() else read_entry(kind.name, entry_name(state.identity))
            moved = None if data is None else _moved(data, state, other)
            if moved is not None:
                found[kind.name] = moved
    return found


def bring(found: Mapping[str, bytes], state: Fingerprint, other: Fingerprint) -> None:
    """Store what was found in a file in `state`, elsewhere, for one in `other` for which nothing is stored.

    The kinds are those of this program whose entries are checked when they are used: nobody is trusted with others.
    """
    name = entry_name(other.identity)
    for kind in _BROUGHT & found.keys():
        moved = _moved(found[kind], state, other)
        if moved is not None and not os.path.lexists(os.path.join(cache_folder(), kind, name)):
            with suppress(OSError):
                write_entry(kind, name, moved)


def _moved(data: bytes | memoryview, state: Fingerprint, other: Fingerprint) -> bytes | None:
    """An entry that is about a file in `state` as one about the same in `other`; None of any other entry."""
    try:
        version, parts = msgspec.msgpack.decode(data, type=tuple[int, list[msgspec.Raw]])
    except ValueError:
        return None
    was, now = msgspec.msgpack.encode(state), msgspec.msgpack.encode(other)
    if not any(bytes(part) == was for part in parts):
        return None
    return msgspec.msgpack.encode((version, [msgspec.Raw(now) if bytes(part) == was else part for part in parts]))


def _has_grown_from(before: Fingerprint, now: Fingerprint, source: Source) -> bool:
    """Whether a file is as it was, or longer with the same ends up to there."""
    if before == now or before.identity != now.identity:
        return before == now
    return before.size < now.size and _digest(source, before.size) == before.digest


def _stretches(source: Source, begin: int, end: int) -> Iterator[bytes]:
    """The bytes of a file from `begin` to `end`, stretch by stretch."""
    for at in range(begin, end, _STRETCH):
        yield source.pread(min(_STRETCH, end - at), at)


def _same_until(source: Source, kept: _Kept) -> int:
    """The offset up to which a file still has the bytes whose checksums are stored."""
    if len(kept.sums) % array("I").itemsize:
        return kept.begin
    end = kept.begin
    sums = array("I")
    sums.frombytes(kept.sums)
    for data, known in zip(_stretches(source, end, kept.state.size), sums, strict=False):
        if zlib.crc32(data) != known:
            break
        end += len(data)
    return end


def _touch(path: str) -> None:
    """Note that an entry is used: of those that are not, the cache gets rid."""
    with suppress(OSError):
        if time.time() - os.stat(path).st_mtime > _USED:
            os.utime(path)


def _sweep(root: str) -> None:
    """Now and then, remove the entries that nobody used for long, and of too many those first."""
    mark, now = os.path.join(root, _MARK), time.time()
    with suppress(OSError):
        if 0 <= now - os.stat(mark).st_mtime < _SWEPT:
            return
    atomic.replace(mark, [])
    left = MOST
    for used, size, path in sorted(_entries(root), reverse=True):
        left -= size
        if left < 0 or now - used > UNUSED:
            with suppress(OSError):
                os.unlink(path)


def _entries(root: str) -> Iterator[tuple[float, int, str]]:
    """Each entry of the cache: when it was used, its bytes, its place."""
    for kind in os.scandir(root):
        for entry in os.scandir(kind) if kind.is_dir(follow_symlinks=False) else ():
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                yield status.st_mtime, status.st_size, entry.path
