"""Chunks to one file, which is read back whole before it takes its place: it is right, or it is not there.

Memory does not grow with the recording but for its index.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import IO, Final

from nhlog import atomic
from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.formats.hollowcube.reading.reader import Reader, open_reader
from nhlog.formats.hollowcube.wire.header import Header
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.writing.chunker import RawChunk
from nhlog.formats.hollowcube.writing.moves import Packer, build_preamble

__all__ = ["assemble", "check_target"]

_BLOCK: Final = 1 << 20  # bytes copied at a time
_DIGEST: Final = 16  # bytes that tell one chunk from another


def assemble(
    target: str,
    header: Header,
    metadata: Callable[[int], Tag],
    chunks: Iterable[RawChunk],
    pack: Packer,
    *,
    force: bool = False,
    check: Callable[[Reader], None] | None = None,
) -> list[Entry]:
    """Write a recording of these chunks, which is in one file, and give its index.

    `metadata` is asked for when all chunks were seen, with the number of ticks.  `check` gets the result as it is on
    the disk, and may raise.  Only `force` replaces a file.
    """
    check_target(target, force)
    digests: list[bytes] = []
    with tempfile.TemporaryFile(dir=os.path.dirname(os.path.abspath(target))) as body:
        entries: list[Entry] = []
        for chunk in chunks:
            frame = pack(chunk.raw)
            entries.append(Entry(chunk.start, chunk.ticks, chunk.flags, body.tell(), len(frame), len(chunk.raw)))
            digests.append(_digest(chunk.raw))
            body.write(frame)
        told = metadata(entries[-1].end if entries else 0)
        behind = len(build_preamble(header, told, entries))  # offsets have one length, whatever they are
        entries = [entry._replace(offset=behind + entry.offset) for entry in entries]

        def verified(draft: str) -> None:
            reader = open_reader(draft)
            try:
                _compare(reader, entries, digests)
                if check is not None:
                    check(reader)
            finally:
                reader.close()

        parts = _parts(build_preamble(header, told, entries), body)
        try:
            if force:
                atomic.replace(os.path.realpath(target), parts, verified)
            else:
                atomic.create(target, parts, verified)
        except FileExistsError:
            raise _exists(target) from None
    return entries


def check_target(target: str, force: bool) -> None:
    """Refuse early what would be refused in the end."""
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
    """Hold what is on the disk against what was to be written."""
    if reader.faults or reader.preamble.entries != tuple(entries):
        raise Damaged("what was written does not read back as the same", file=reader.source.path)
    for number, digest in enumerate(digests):
        raw, fault = reader.raw(number)
        if fault is not None or _digest(raw) != digest:
            raise Damaged(f"chunk {number} does not read back as it was written", file=reader.source.path)


def _digest(raw: bytes) -> bytes:
    return blake2b(raw, digest_size=_DIGEST).digest()
