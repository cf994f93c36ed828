"""A recording as records in the order of the file: header, metadata, chunks, then ticks, one chunk in memory at a time.
The last record says that it is the end.

The records, told apart by their `type`, have the keys of the reference corpus.  A part that cannot be read is replaced
by a record of type ``error``, and the parts after it follow.
"""

import hashlib
from collections.abc import Iterator
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import PREAMBLE
from nhlog.formats.hollowcube.wire.events import record_of
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import to_json
from nhlog.operations import Record

__all__ = ["dump_records"]

_PIECE: Final = 1 << 20  # bytes that are hashed at once


def dump_records(reader: Reader) -> Iterator[Record]:
    """One record each for header, metadata, chunks, faults, ticks and the end, as they are read."""
    yield _header(reader)
    yield {"type": "metadata", "nbt": to_json(reader.preamble.metadata)}
    for number in range(len(reader.parts)):
        yield _chunk(reader, number)
    for fault in reader.faults:
        yield _error(fault)
    for number in range(len(reader.parts)):
        yield from _ticks(reader, number)
    yield {"type": "end", "ticks": reader.ticks}


def _header(reader: Reader) -> Record:
    header, folder = reader.preamble.header, reader.source.folder
    game = header.layout is Layout.GAME
    form = {"representation": "segmented" if folder else "compacted"} if game else {"layout": "design-text"}
    record = {
        "type": "header",
        **form,
        "version": int(header.layout),
        "flags": header.flags,
        "world_id": str(header.world_id),
        "world_version": header.world_version.hex(),
        "timestamp": header.timestamp,
        "dictionary": header.dictionary,
        **({"data_version": header.data_version} if game else {}),
        "metadata_length": header.metadata_length,
        "index_length": header.index_length,
        "tick_count": header.tick_count,
        "chunk_count": header.chunk_count,
    }
    if folder:
        segments = [part.entry.segment[0] for part in reader.parts]
        digest, _ = _digest(reader, PREAMBLE)
        return record | {
            "finished": reader.finished,
            "preamble_sha256": digest,
            "next_segment_index": max(segments, default=-1) + 1,
        }
    if not game:
        return record
    digest, size = _digest(reader, "")
    return record | {"preamble_length": reader.preamble.length, "file_length": size, "sha256": digest}


def _digest(reader: Reader, name: str) -> tuple[str, int]:
    """The SHA-256 of a file and its length."""
    digest, offset = hashlib.sha256(), 0
    while piece := reader.source.read(name, offset, _PIECE):
        digest.update(piece)
        offset += len(piece)
    return digest.hexdigest(), offset


def _chunk(reader: Reader, number: int) -> Record:
    entry = reader.parts[number].entry
    folder = reader.source.folder
    record = {
        "type": "chunk",
        "chunk": number,
        "start_tick": entry.start,
        "tick_count": entry.ticks,
        "flags": entry.flags,
        "byte_offset": entry.offset,
        **(dict(zip(("segment", "segment_offset"), entry.segment, strict=True)) if folder else {}),
        "compressed_length": entry.length,
        "uncompressed_length": entry.raw_length,
    }
    if folder or reader.preamble.header.layout is Layout.TEXT:
        return record
    try:
        raw, _ = reader.raw(number)
    except Damaged:
        return record  # the error stands in the place of its ticks
    return record | {"raw_sha256": hashlib.sha256(raw).hexdigest()}


def _ticks(reader: Reader, number: int) -> Iterator[Record]:
    chunk, _ = reader.fresh_chunk(number)
    if chunk.snapshot is not None:
        yield {
            "type": "snapshot",
            "chunk": number,
            "count": len(chunk.snapshot),
            "events": [record_of(event) for event in chunk.snapshot],
        }
    for tick in chunk.ticks:
        yield {
            "type": "tick",
            "tick": tick.number,
            "tick_field": tick.field,
            "chunk": number,
            "offset": tick.offset,
            "count": len(tick.events),
            "events": [record_of(event) for event in tick.events],
        }
    if chunk.fault is not None:
        yield _error(chunk.fault) | {"chunk": number, "tick": chunk.known}


def _error(fault: Damaged) -> Record:
    fault.file = None
    return {"type": "error", "offset": fault.offset, "error": str(fault)}
