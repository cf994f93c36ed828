"""Puts finished games into an archive, and restores them; an interrupted run leaves nothing visible.

The order is the guarantee: first the frames are created, never replaced, and all read back; then the index is created,
and never replaced.  A game without an index does not count as archived, and the next run uses what is left of it.  Nor
is an index replaced that was made before there was talk: what was said beside its game gets an object of its own.
"""

import hashlib
import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any, Final, Never, TypeVar

import msgspec

from nhlog import compression
from nhlog.archive.catalogue import announce
from nhlog.archive.flight import in_flight, requests
from nhlog.archive.reading import ArchivedFile, data_name, index_name, open_archived, read_index, stamp_for, talk_name
from nhlog.archive.wire import HEAD, MOST, TAIL, Frame, Index, Packing, digest_of, divide, pack_index, pack_talk
from nhlog.beside.file import remove_along
from nhlog.beside.talk import bring, carried
from nhlog.cache import Fingerprint, fingerprint, found_of
from nhlog.errors import Damaged, LogRecovered, NhlogError, Unsupported, Usage
from nhlog.files import File, Stamp, atomic
from nhlog.formats import format_of, open_recording
from nhlog.operations import Format, Record, as_record
from nhlog.progress import report
from nhlog.remote import NotThere
from nhlog.remote.store import Exists, Store
from nhlog.replay import Replay, Status
from nhlog.values import NamedTuple

__all__ = ["Archived", "Outcome", "archive", "archive_each", "restore"]

LARGEST: Final = 1 << 30  # bytes of the packed frames of one game, which are held to be put there at once
_IN_CHUNKS: Final = ("hollowcube", "butter")  # formats whose files are packed in chunks already
_IN_EVENTS: Final = ("asciicast", "ttyrec", "nhrecorder")  # of a terminal
_LEVEL: Final = 19
_LEVELS: Final = {"nhgame": 12}
"""Where more is not worth it: what is in a log is packed already.

Level 19 makes one 0.1 to 5 % smaller and takes ten times as long (6 to 14 ms for 40 kB, a fourth of all that archiving
it costs); a recorded terminal it makes a fourth smaller.
"""
_LARGE: Final = 1 << 24  # bytes of the packed frames of a game that is put there before another one is read
_USUAL: Final = 1 << 26  # bytes of a game of any kind, and for each byte that it is unpacked from so many more:
_USUAL_RATIO: Final = 200  # a byte becomes 16 of the games that we know
_AT_ONCE: Final = 16  # frames that are asked for at a time


T = TypeVar("T")


class Archived(NhlogError):
    """It is in the archive already."""


class _Unwanted(Exception):
    """It is not to be archived, which is no error."""


class _Packed(NamedTuple):
    """A game as it is put there."""

    described: Index
    data: bytes


class _Own(NamedTuple):
    """A file as it was when it was read, and what is to be done with it."""

    path: str
    before: Fingerprint
    digest: bytes
    remove: bool

    @property
    def name(self) -> str:
        """Its name in the archive."""
        return os.path.basename(self.path)


Outcome = Record | NhlogError | OSError | None


def archive(path: str, store: Store, *, remove: bool = False) -> Record:
    """Put the finished game in the file `path` into a store; with `remove`, delete the file afterwards.

    Raises :class:`Archived`, :class:`Unsupported` for what cannot be archived as a file, and
    :class:`~nhlog.errors.LogRecovered` if the file changes meanwhile.  The record has ``file``, ``size``, ``packed``,
    ``frames``, ``removed``, and whether ``talk`` was added to what the archive had already.
    """
    [outcome] = archive_each([path], store, remove=remove)
    if isinstance(outcome, Exception):
        raise outcome
    assert outcome is not None
    return outcome


def archive_each(
    paths: Sequence[str], store: Store, *, remove: bool = False, wanted: Callable[[str], bool] = lambda path: True
) -> Iterator[Outcome]:
    """Put several there, and tell of each, in their order: its record, its error, or None if it is not `wanted`.

    Files are read and packed one after the other, here; meanwhile the store is asked about, and given, others.
    """
    with requests() as pool:
        known = in_flight(pool, (_asked(path, store, wanted) for path in paths))
        for outcome in in_flight(pool, map(partial(_read, store=store, remove=remove), paths, known)):
            yield outcome()


def _asked(path: str, store: Store, wanted: Callable[[str], bool]) -> Callable[[], Index | None]:
    """What asks whether it is there already; raises what `wanted` raises, and :class:`_Unwanted`."""
    try:
        if not wanted(path):
            raise _Unwanted
    except (NhlogError, OSError, _Unwanted) as error:
        return partial(_raise, error)
    return partial(_known, store, os.path.basename(path))


def _known(store: Store, name: str) -> Index | None:
    with suppress(NotThere):
        return read_index(store, name)
    return None


def _raise(error: Exception) -> Never:
    raise error


def _read(path: str, known: Callable[[], Index | None], *, store: Store, remove: bool) -> Callable[[], Outcome]:
    """What puts it there, once it is read and packed; that is done at once with one that is large."""
    try:
        own, index, packed = _own(path, known, remove=remove)
    except _Unwanted:
        return lambda: None
    except (NhlogError, OSError) as error:
        return partial(_same, error)
    put = partial(_put, own, index, packed, store)
    return partial(_same, put()) if packed and len(packed.data) > _LARGE else put


def _same(outcome: Outcome) -> Outcome:
    return outcome


def _own(path: str, known: Callable[[], Index | None], *, remove: bool) -> tuple[_Own, Index | None, _Packed | None]:
    """A file, the index of what the archive has of its name, and where there is none the file as it is put there."""
    index = known()
    if os.path.isdir(path):
        raise Unsupported("only single files are archived", file=path, expected="nhlog compact first")
    kind = format_of(path)
    if kind.id == "typescript":  # nor is it readable without the file of its times
        raise Unsupported("only single files are archived", file=path, expected="nhlog convert to an asciicast first")
    with closing(File(path)) as file:
        before = fingerprint(file)
        assert before is not None
        packed = _pack(file, os.path.basename(path), kind, before) if index is None else None
        return _Own(path, before, _digest(file), remove), index, packed


def _put(own: _Own, index: Index | None, packed: _Packed | None, store: Store) -> Outcome:
    """Put it there, where it is not yet, and remove the file if that is wanted; the record, or an error."""
    try:
        if packed is not None:
            _put_game(store, own.name, packed)
        if index is None:
            index = read_index(store, own.name)  # that of another run where this was quicker
        if index.digest != own.digest:
            raise NhlogError("the archive has another game of this name", file=own.path)
        talk = packed is None and index.talk is None and _add_talk(store, own)
        if packed is None and not own.remove and not talk:
            raise Archived("it is in the archive already", file=own.path)
        if own.remove:
            _remove(own, ArchivedFile(store, own.name, index))
    except (NhlogError, OSError) as error:
        return error
    return {
        "file": own.path,
        "size": index.size,
        "packed": sum(frame.packed for frame in index.frames),
        "frames": len(index.frames),
        "removed": own.remove,
        "talk": talk,
    }


def _add_talk(store: Store, own: _Own) -> bool:
    """Put what was said beside a file there, unless nothing was, or something is there; returns whether it is new."""
    lines = carried(own.path)
    if not lines:
        return False
    try:
        store.create(talk_name(own.name), pack_talk(lines))
    except Exists:
        return False
    return True


def _pack(file: File, name: str, kind: Format, before: Fingerprint) -> _Packed:
    """A finished game as it is put there."""
    summary = kind.load().listing(file.name)
    if summary.status is not Status.FINISHED:
        raise Unsupported(f"only finished games are archived: this one is {summary.status}", file=file.name)
    packing: Packing = "none" if kind.id in _IN_CHUNKS or _is_packed(file) else "zstd"
    data, frames = _packed(file, _places(file, kind, packing), packing, _LEVELS.get(kind.id, _LEVEL))
    stamp = file.stamp()
    index = Index(
        format=kind.id,
        size=stamp.size,
        packing=packing,
        frames=frames,
        digest=_digest(file),
        modified=stamp.modified,
        head=file.pread(HEAD, 0),
        tail=file.pread(TAIL, max(stamp.size - TAIL, 0)),
        summary={**as_record(summary), "file": name},
        found={},
        talk=carried(file.name),
    )
    found = found_of(before, Fingerprint(*stamp_for(index), before.digest))
    if fingerprint(file) != before:
        raise LogRecovered("the file changed while it was archived", file=file.name)
    return _Packed(msgspec.structs.replace(index, found=found), data)


def _put_game(store: Store, name: str, packed: _Packed) -> None:
    """Put its frames there, read them back, and put its index there, unless another run did meanwhile."""
    index = _put_frames(store, name, *packed)
    announce(store, name)
    with suppress(Exists):
        store.create(index_name(name), pack_index(index))


def _put_frames(store: Store, name: str, index: Index, data: bytes) -> Index:
    """Put them at a place that has no other bytes, of a run that was interrupted or of one that goes on.

    What is read at its address by itself has but one.
    """
    apart = [] if index.format == "hollowcube" else [msgspec.structs.replace(index, apart=True)]
    for placed in (index, *apart):
        with suppress(Exists):
            store.create(data_name(name, placed), data)
        if store.read(data_name(name, placed), len(data) + 1, 0) == data:
            return placed
    raise Damaged("the store returned other bytes than were written", file=f"{store.name}/{name}")


def _remove(own: _Own, copy: ArchivedFile) -> None:
    """Delete a file after every byte of it was read back from the archive, with what lies beside it.

    Talk stays that the archive does not have: an archived game gets no more of it.
    """
    at = 0
    with closing(File(own.path)) as file:
        for data in _pieces(copy):
            if copy.holes or data != file.pread(len(data), at):
                raise Damaged("the archived copy differs from the file: the file is kept", file=own.path, offset=at)
            at += len(data)
        if at != file.size() or fingerprint(file) != own.before:
            raise LogRecovered("the file changed while it was archived: the file is kept", file=own.path)
        os.unlink(own.path)
        if carried(own.path) == copy.talk:
            remove_along(own.path)


def _is_packed(file: File) -> bool:
    return compression.compression_of(file.pread(compression.MOST_MAGIC, 0)) != compression.NONE


def _digest(file: File) -> bytes:
    digest = hashlib.blake2b(digest_size=32)
    for at in range(0, file.size(), MOST):
        digest.update(file.pread(MOST, at))
    return digest.digest()


def _places(file: File, kind: Format, packing: Packing) -> Iterable[tuple[int, int]]:
    """From where to where the frames are; afterwards the user's cache has everything that readers keep of the file."""
    if packing == "zstd" and kind.id in _IN_EVENTS:
        return _recorded(file)
    with closing(open_recording(file.name)) as replay:
        _find_all(replay)
        if packing == "zstd" and kind.id == "nhgame":
            return divide(file.size(), _backups(replay), _lines(file))
    return divide(file.size(), (), ())


def _find_all(replay: Replay[Any]) -> None:
    """Fill the user's cache with everything that readers keep of such a file: where turns are, markers, some states."""
    replay.seek(replay.timeline.last)
    len(replay.timeline.markers)


def _backups(replay: Replay[Any]) -> Sequence[int]:
    """Where the save backups of a log are."""
    from nhlog.formats.nhgame.replay import LogReplay

    assert isinstance(replay, LogReplay)
    columns = replay.log.columns
    return [columns.offsets[columns.save_lines[number]] for number in columns.backups]


def _recorded(file: File) -> Sequence[tuple[int, int]]:
    """The frames of a recorded terminal: they begin with an event, where there is one with one that has a snapshot."""
    from nhlog.screencast.replay import Screencast

    with closing(open_recording(file.name)) as replay:
        assert isinstance(replay, Screencast)
        replay.tape.go(len(replay.recorded))
        events = array("Q", map(replay.recorded.offset, range(len(replay.recorded))))
        places = [*divide(file.size(), replay.wholes, events)]
        replay.keep([start for start, _ in places])
    return places


def _lines(file: File) -> Sequence[int]:
    """Where lines begin."""
    found, size = array("q"), file.size()
    for start in range(0, size, MOST):
        data, at = file.pread(MOST, start), 0
        while at := data.find(b"\n", at) + 1:
            found.append(start + at)
    return found


def _packed(file: File, places: Iterable[tuple[int, int]], packing: Packing, level: int) -> tuple[bytes, list[Frame]]:
    pack = compression.Compressor(compression.ZSTD if packing == "zstd" else compression.NONE, level)
    parts, frames, total = [], [], 0
    for start, end in places:
        raw = file.pread(end - start, start)
        data = pack(raw)
        total += len(data)
        if total > LARGEST:
            raise Unsupported("the file is too large for an archive", file=file.name, expected=f"{LARGEST} bytes")
        parts.append(data)
        frames.append(Frame(len(raw), len(data), digest_of(data)))
        report("packing", end, file.size())
    return b"".join(parts), frames


def _pieces(copy: ArchivedFile) -> Iterator[bytes]:
    """All frames of an archived file, with zero bytes in place of damaged ones."""
    last = len(copy.index.frames)
    for first in range(0, last, _AT_ONCE):
        yield from copy.frames(first, min(first + _AT_ONCE, last))
        report("restoring", first, last)


def _check_size(copy: ArchivedFile, *, force: bool) -> None:
    """Raise :class:`Usage` for what is far larger than what it is unpacked from, unless that is wanted by `force`."""
    packed = sum(frame.packed for frame in copy.index.frames)
    if copy.index.size > _USUAL + _USUAL_RATIO * packed and not force:
        found = f"{copy.index.size} bytes from {packed}"
        raise Usage("the archived game is suspiciously large", file=copy.name, expected="--force", found=found)


def restore(address: str, target: str, *, force: bool = False) -> Record:
    """Write the archived file at an address to a new file, byte for byte as it was, and as old.

    Where frames are damaged the rest is written, with zero bytes in their place, but not over a file that is there.
    With `force` a file is replaced, by what was compared with what was archived, and what is far larger than what it is
    unpacked from is written.  What was said beside it is there again, unless something lies there.  The record
    has ``file``, ``size``, ``damaged`` (how many frames) and ``lost_bytes``.  Raises :class:`Damaged` if nothing can be
    given, and :class:`Usage`; then nothing was written.
    """
    with closing(open_archived(address)) as copy:
        _check_size(copy, force=force)
        digest = hashlib.blake2b(digest_size=32)

        def parts() -> Iterator[bytes]:
            for data in _pieces(copy):
                digest.update(data)
                yield data

        def compare(draft: str) -> None:
            if copy.holes and os.path.lexists(target):
                what = "only a part of the game is left in the archive: the file is kept"
                raise Damaged(what, file=target, expected="-o FILE for what is left")
            if not copy.holes and digest.digest() != copy.index.digest:
                raise Damaged("the archived game is not what was archived: wrong digest", file=address)
            stamp: Stamp = copy.stamp()
            os.utime(draft, ns=(stamp.modified, stamp.modified))

        size = atomic.write(target, parts(), force=force, check=compare)
        bring(target, copy.talk)
        lost = sum(copy.index.frames[number].raw for number in copy.holes)
    return {"file": target, "size": size, "damaged": len(copy.holes), "lost_bytes": lost}
