"""Checks every byte of a recording against the rules of the format.

A fault ends the reading or violates a rule; a note (``fault`` false) is unusual but harmless.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.reading.reader import Incomplete, Reader
from nhlog.formats.teehistorian.wire.codec import decode, encode
from nhlog.formats.teehistorian.wire.extra import EXTRA_NAMES, UnknownExtra, uuid_text
from nhlog.formats.teehistorian.wire.header import Header
from nhlog.formats.teehistorian.wire.split import Splitter
from nhlog.unpacked import UNGUARDED, unguarded

__all__ = ["verify"]

Record = dict[str, Any]
# A number longer than it need be: it ends with nothing, or sets bits that do not count.
_ODD: Final = re.compile(rb"[\x80-\xff]\x00|[\x80-\xff]{4}[\x10-\xff]")
_WANTED: Final = ("game_uuid", "server_version", "start_time", "map_name", "map_size", "map_crc")
_MOST_NOTES: Final = 1000  # a file full of oddities says the same again and again
_EX, _SKIP = 0x4A, 0x41


def verify(path: str) -> Iterator[Record]:
    """The findings in order, then a report with ``sound`` and counts; raises :class:`NhlogError` without a header."""
    reader = Reader(path)
    stream, splitter = reader.stream, Splitter(reader.stream.offset)
    faults: list[Record] = []
    yield from _header(reader.header)
    if unguarded(path):
        yield _finding(0, UNGUARDED, None, None, fault=False)
    messages = notes = 0
    unknown = set[bytes]()
    for piece in reader.pieces():
        offset = splitter.offset
        batch = splitter.feed(piece)
        stream.feed(piece)
        stream.apply()
        messages += len(batch)
        if not faults and reader.header.text("version") == "1":
            faults += _too_new(offset, batch)
        for finding in _notes(offset, batch, unknown):
            notes += 1
            if notes <= _MOST_NOTES:
                yield finding
    faults += _end(reader)
    yield from faults
    yield {
        "sound": not faults,
        "size": stream.end,
        "sound_bytes": min((fault["offset"] for fault in faults), default=stream.end),
        "messages": messages,
        "sound_messages": reader.world.messages,
        "ticks": reader.world.tick,
    }


def _too_new(offset: int, batch: list[bytes]) -> Iterator[Record]:
    """The first EX message, which version 1 does not have."""
    number = next((number for number, message in enumerate(batch) if message[0] == _EX), None)
    if number is not None:
        offset += sum(map(len, batch[:number]))
        yield _finding(offset, "an EX message in a file of version 1", "version 2", "version 1")


def _end(reader: Reader) -> Iterator[Record]:
    stream = reader.stream
    try:
        reader.check()
    except Incomplete as error:
        yield _finding(stream.offset, error.what, "a FINISH at the end", None)
    except Damaged as error:
        yield _fault(error, stream.end)
    if not stream.error:
        yield from map(_fault, reader.flaws())


def _header(header: Header) -> Iterator[Record]:
    for key in _WANTED:
        if not header.text(key):
            yield _finding(0, f"the header has no {key}", None, None, fault=False)
    if header.text("start_time") and header.start is None:
        found = header.text("start_time")[:40]
        yield _finding(0, "the header's start is no time", "2026-11-20T15:07:51+0000", found, fault=False)


def _notes(offset: int, batch: list[bytes], unknown: set[bytes]) -> Iterator[Record]:
    skipped = False
    for message in batch:
        if message[0] == _EX:
            value = decode(message)
            if isinstance(value, UnknownExtra) and value.uuid not in unknown and len(unknown) < _MOST_NOTES:
                unknown.add(value.uuid)
                what = "an EX message that is not laid out as it should be" if value.uuid in EXTRA_NAMES else ""
                yield _finding(
                    offset, what or "an EX message that we do not know", None, uuid_text(value.uuid), fault=False
                )
        elif skipped and message[0] == _SKIP:
            yield _finding(offset, "ticks are skipped twice", "one TICK_SKIP", "two", fault=False)
        if _ODD.search(message) and encode(decode(message)) != message:
            yield _finding(offset, "numbers longer than need be", "the shortest form", None, fault=False)
        skipped = message[0] == _SKIP
        offset += len(message)


def _fault(error: Damaged, offset: int = 0) -> Record:
    return _finding(offset if error.offset is None else error.offset, error.what, error.expected, error.found)


def _finding(offset: int, what: str, expected: object, found: object, *, fault: bool = True) -> Record:
    def text(value: object) -> str | None:
        return None if value is None else str(value)

    return {"offset": offset, "what": what, "expected": text(expected), "found": text(found), "fault": fault}
