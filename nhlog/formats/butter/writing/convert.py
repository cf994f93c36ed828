"""`nhlog convert`: writes a recording, or an excerpt of it, as .butter or .echoreplay.

Chunks of a .butter file that lie completely inside the excerpt are copied, or only recompressed if the compression
changes; of the last one its first frames are.  The rest is encoded again, and the report lists the loss of precision.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from nhlog.errors import Damaged, Usage
from nhlog.files import atomic
from nhlog.formats.butter.reading.source import ECHOREPLAY
from nhlog.formats.butter.reading.stream import ButterStream, EchoreplayStream, FrameStream, open_stream
from nhlog.formats.butter.wire.echoreplay.lines import format_lines
from nhlog.formats.butter.wire.header import Header, format_header, storable, stored_header
from nhlog.formats.butter.wire.packing import DEFAULT_COMPRESSION, pack
from nhlog.formats.butter.wire.values import Frame
from nhlog.formats.butter.writing.excerpt import Excerpt, Piece, plan_chunks, resolve_excerpt
from nhlog.formats.butter.writing.file import INTERVAL, check_form, write_chunks
from nhlog.formats.butter.writing.recode import Recoder
from nhlog.formats.butter.writing.zip import zipped
from nhlog.operations import Record
from nhlog.progress import report

__all__ = ["convert"]

_ENDING: Final = ".butter"


def convert(
    source: str,
    target: str,
    *,
    first: str | None = None,
    last: str | None = None,
    interval: int | None = None,
    compression: str | None = None,
    force: bool = False,
) -> Record:
    """Write frames `first` to `last` (positions, both included) to `target`, as .butter or .echoreplay by its name.

    `interval` is the number of frames per chunk, `compression` one of ``none gzip zstd_3 zstd_7 zstd_15 zstd_22``; the
    defaults are those of the source, and ``gzip`` in chunks of 300 for an .echoreplay.  Returns the record described in
    docs/butter.md; its ``error`` tells what of the source could not be read.

    Raises :class:`Usage` for invalid arguments or a target that exists (without `force`), :class:`Unsupported` for a
    session with values that .butter cannot store, :class:`~nhlog.errors.NhlogError` if a file cannot be read or
    written.
    """
    if not target.endswith((_ENDING, ECHOREPLAY)):
        raise Usage("unknown ending of the file name", file=target, expected=f"{_ENDING} or {ECHOREPLAY}")
    check_form(interval, compression)
    if target.endswith(ECHOREPLAY) and (interval or compression):
        raise Usage(f"{'--interval' if interval else '--compression'} does not apply to {ECHOREPLAY}", file=target)
    excerpt = resolve_excerpt(source, first, last)
    with open_stream(source) as stream:
        if target.endswith(ECHOREPLAY):
            report = _to_echoreplay(stream, target, excerpt, force)
        elif isinstance(stream, ButterStream) and interval in (None, stream.header.interval):
            report = _to_butter(stream, target, excerpt, compression or stream.header.compression, force)
        else:
            report = _reencode(stream, target, excerpt, interval, compression, force)
        if not report["frames"] and not stream.faults.count:
            stream.faults.add(Damaged("the file has no frame", file=source, expected="a frame"))
        packing = str(report.get("compression", ""))
        return {
            "source": source,
            "target": target,
            "first": excerpt.first if excerpt else 0,
            **report,
            "source_size": os.path.getsize(source),
            **({"note": _ZSTD} if packing.startswith("zstd") else {}),
            "error": stream.faults.summary(),
        }


_ZSTD: Final = "the published C# reader cannot read zstd; --compression gzip is read by all"


def _selected(frames: Iterator[Frame], excerpt: Excerpt | None) -> Iterator[Frame]:
    return frames if excerpt is None else islice(frames, excerpt.first, excerpt.stop)


def _to_echoreplay(stream: FrameStream, target: str, excerpt: Excerpt | None, force: bool) -> Record:
    """Write every frame as a line."""
    count = 0

    def counted() -> Iterator[Frame]:
        nonlocal count
        for frame in _selected(stream.frames(), excerpt):
            count += 1
            yield frame

    size = atomic.write(target, zipped(os.path.basename(target), format_lines(stream.header, counted())), force=force)
    return {"frames": count, "size": size}


def _reencode(
    stream: EchoreplayStream | ButterStream,
    target: str,
    excerpt: Excerpt | None,
    interval: int | None,
    compression: str | None,
    force: bool,
) -> Record:
    """Encode every frame again."""
    stays = stream.header if isinstance(stream, ButterStream) else None
    header, changed = storable(
        replace(
            stream.header,
            version=3,
            interval=interval or (stays.interval if stays else 0) or INTERVAL,
            compression=compression or (stays.compression if stays else DEFAULT_COMPRESSION),
        )
    )
    recoder = Recoder(header, stream.roster, header.compression)
    sizes: Sequence[int] = ()

    def complete(found: Sequence[int]) -> bytes:
        nonlocal sizes
        sizes = found
        return format_header(replace(header, people=tuple(stream.roster.people), sizes=tuple(found)))

    size = write_chunks(
        target, recoder.chunks(_selected(stream.frames(), excerpt), header.interval), complete, force=force
    )
    recoder.loss.headers(stream.header, stored_header(header))
    return _report(header, recoder, len(sizes), 0, recoder.loss.frames, size) | {"changed": changed}


def _to_butter(stream: ButterStream, target: str, excerpt: Excerpt | None, compression: str, force: bool) -> Record:
    """Copy the chunks that can be copied, and encode the rest again."""
    reader = stream.reader
    outline = reader.outline()
    for fault in outline.faults.values():
        stream.faults.add(fault)
    plan = [*plan_chunks(reader, outline, excerpt or Excerpt(0, len(outline.times)))]
    header = replace(stream.header, version=3, compression=compression)
    recoder = Recoder(header, stream.roster, compression)

    def chunks() -> Iterator[bytes]:
        for number, piece in enumerate(plan):
            report("writing", number, len(plan))
            if not piece.stays:
                yield from recoder.chunks(_frames(stream, piece, outline.firsts[piece.chunk]), piece.stop - piece.first)
            elif piece.whole and compression == stream.header.compression:
                yield reader.stored(piece.chunk)
            else:
                yield pack(reader.first_frames(piece.chunk, piece.stop), compression)

    size = write_chunks(target, chunks(), lambda sizes: format_header(replace(header, sizes=tuple(sizes))), force=force)
    frames = sum(piece.stop - piece.first for piece in plan)
    return _report(header, recoder, len(plan), sum(piece.stays for piece in plan), frames, size)


def _frames(stream: ButterStream, piece: Piece, begin: int) -> Iterator[Frame]:
    """The frames of a piece; if they have bones, the file is decoded from its start."""
    frames = stream.reader.chunk(piece.chunk).frames[piece.first : piece.stop]
    if all(frame.bones is None for frame in frames):
        return iter(frames)
    with open_stream(stream.reader.path) as again:
        return iter([*islice(again.frames(), begin + piece.first, begin + piece.stop)])


def _report(header: Header, recoder: Recoder, chunks: int, copied: int, frames: int, size: int) -> Record:
    return {
        "frames": frames,
        "chunks": chunks,
        "copied": copied,
        "anew": recoder.loss.frames,
        "interval": header.interval,
        "compression": header.compression,
        "size": size,
        "loss": [record for record in recoder.loss.records() if record["largest"] != 0],
    }
