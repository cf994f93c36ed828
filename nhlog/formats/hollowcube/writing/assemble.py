"""Writes chunks to one file, which is read back before it is moved to its place: it is complete or does not exist.

The memory needed grows with the index only.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import IO, Final

from nhlog.compression import Compressor
from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.files import atomic, refusals
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.wire.header import Header
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.wire.preamble import build_preamble
from nhlog.formats.hollowcube.writing.chunker import RawChunk
from nhlog.progress import report
from nhlog.values import NamedTuple

__all__ = ["PackedChunk", "assemble", "check_target", "packed"]

_BLOCK: Final = 1 << 20  # bytes copied at a time
_DIGEST: Final = 16  # bytes that tell one chunk from another


class PackedChunk(NamedTuple):
    """A chunk, and the zstd frame that it is in the file."""

    chunk: RawChunk
    frame: bytes


def packed(chunks: Iterable[RawChunk], pack: Compressor) -> Iterator[PackedChunk]:
    """These chunks, packed."""
    return (PackedChunk(chunk, pack(chunk.raw)) for chunk in chunks)


def assemble(
    target: str,
    header: Header,
    metadata: Callable[[int], Tag],
    chunks: Iterable[PackedChunk],
    *,
    force: bool = False,
    check: Callable[[Reader], None] | None = None,
) -> list[Entry]:
    """Write a recording of these chunks to the file `target` and return its index.

    `metadata` is called with the number of ticks when all chunks were written, `check` with a reader of the finished
    draft; it may raise.  Raises :class:`~nhlog.errors.NhlogError` if the file exists and `force` is not set.
    """
    check_target(target, force)
    digests: list[bytes] = []
    folder = os.path.dirname(os.path.abspath(target))
    with refusals(target), tempfile.TemporaryFile(dir=folder) as body:
        entries: list[Entry] = []
        for chunk, frame in chunks:
            entries.append(Entry(chunk.start, chunk.ticks, chunk.flags, body.tell(), len(frame), len(chunk.raw)))
            digests.append(_digest(chunk.raw))
            body.write(frame)
        last = metadata(entries[-1].end if entries else 0)
        behind = len(build_preamble(header, last, entries))  # offsets have one length, whatever they are
        entries = [entry._replace(offset=behind + entry.offset) for entry in entries]

        def verified(draft: str) -> None:
            reader = open_reader(draft)
            try:
                _compare(reader, entries, digests)
                if check is not None:
                    check(reader)
            finally:
                reader.close()

        parts = _parts(build_preamble(header, last, entries), body)
        try:
            if force:
                atomic.replace(os.path.realpath(target), parts, verified)
            else:
                atomic.create(target, parts, verified)
        except FileExistsError:
            raise _exists(target) from None
    return entries


def check_target(target: str, force: bool) -> None:
    """Raise :class:`~nhlog.errors.NhlogError` for a target that exists (without `force`), or is a folder or a pipe."""
    if target == "-":
        raise Usage("a recording cannot be written to a pipe: name a file")
    if os.path.isdir(target):
        raise NhlogError("that is a folder", file=target)
    if os.path.exists(target) and not force:
        raise _exists(target)


def _exists(target: str) -> NhlogError:
    return NhlogError("the file exists (--force replaces it)", file=target)


def _parts(preamble: bytes, body: IO[bytes]) -> Iterator[bytes]:
    yield preamble
    body.seek(0)
    while block := body.read(_BLOCK):
        yield block


def _compare(reader: Reader, entries: Sequence[Entry], digests: Sequence[bytes]) -> None:
    """Raise :class:`Damaged` if the file does not have these entries and chunks."""
    if reader.faults or reader.preamble.entries != tuple(entries):
        raise Damaged("what was written does not read back as the same", file=reader.source.path)
    for number, digest in enumerate(digests):
        report("comparing", number, len(digests))
        raw, fault = reader.raw(number)
        if fault is not None or _digest(raw) != digest:
            raise Damaged(f"chunk {number} does not read back as it was written", file=reader.source.path)


def _digest(raw: bytes) -> bytes:
    return blake2b(raw, digest_size=_DIGEST).digest()
