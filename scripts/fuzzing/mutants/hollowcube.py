"""Hollow Cube recordings in both layouts, files and folders: header, NBT, index, and tick records inside the frames."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from struct import Struct, error
from tempfile import TemporaryDirectory
from typing import Any, Final

from nhlog.compression import ZSTD, Compressor
from nhlog.errors import Damaged
from nhlog.formats.hollowcube.operations import ConvertOptions, convert
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, segment_name
from nhlog.formats.hollowcube.wire.chunks import decode_chunk
from nhlog.formats.hollowcube.wire.events import EVENTS
from nhlog.formats.hollowcube.wire.header import Header, Layout, build_header
from nhlog.formats.hollowcube.wire.index import SNAPSHOT
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag, write_nbt
from nhlog.formats.hollowcube.wire.primitives import read_var_int, write_var_int
from scripts.fuzzing.mutants.change import (
    SAMPLES,
    around,
    bend,
    bend_bytes,
    bend_parts,
    bend_text,
    excerpt,
    rarely,
    signed,
    var_int,
)

__all__ = ["mutant"]

_COUNT: Final = Struct(">H")
_PLACE: Final = Struct(">Q")
_INTEGERS: Final = {Kind.BYTE: 8, Kind.SHORT: 16, Kind.INT: 32, Kind.LONG: 64}
_ARRAYS: Final = {Kind.BYTE_ARRAY: 8, Kind.INT_ARRAY: 32, Kind.LONG_ARRAY: 64}
_COUNTS: Final = ("timestamp", "tick_count", "chunk_count", "metadata_length", "index_length", "dictionary", "flags")
_NAMES: Final = ("data_versions", "dictionary", "moments", "ticks", "world_version")  # of the extension
_DEPTHS: Final = (5, 120, 140, 5000)


@dataclass(frozen=True)
class _Piece:
    """A chunk: how many ticks it has, its snapshot block, its tick records."""

    ticks: int
    flags: int
    snapshot: bytes
    records: tuple[bytes, ...]


@dataclass(frozen=True)
class _Seed:
    header: Header
    metadata: Tag
    pieces: tuple[_Piece, ...]


@cache
def _seed(name: str, layout: Layout) -> _Seed:
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "case.replay")
        convert(str(SAMPLES / f"{name}.replay"), path, ConvertOptions(layout=layout))
        reader = open_reader(path)
        try:
            pieces = []
            for number, (entry, _, _) in enumerate(reader.parts):
                raw, _ = reader.raw(number)
                chunk = decode_chunk(raw, layout, entry.start, entry.ticks, entry.has_snapshot)
                records = tuple(raw[tick.offset : tick.end] for tick in chunk.ticks)
                first = chunk.ticks[0].offset if chunk.ticks else len(raw)
                pieces.append(_Piece(entry.ticks, entry.flags, raw[:first], records))
            return _Seed(reader.preamble.header, reader.preamble.metadata, tuple(pieces))
        finally:
            reader.close()


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A few chunks of a recording with a few ticks each, bent in one to four places."""
    seed = _seed(chance.choice(("run", "ghost")), chance.choice((Layout.TEXT, Layout.GAME)))
    pieces = [_shortened(chance, piece) for piece in excerpt(chance, seed.pieces, 4)]
    header, metadata = seed.header, seed.metadata
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        match chance.randrange(6):
            case 0:
                header = _bend_header(chance, header)
            case 1:
                bent = _bend_tag(chance, metadata)
                metadata = bent if bent.kind is Kind.COMPOUND else Tag(Kind.COMPOUND, {"a": bent})
            case _:
                pieces = bend_parts(chance, pieces, _bend_piece)
    return _written(chance, header, metadata, pieces)


def _shortened(chance: Random, piece: _Piece) -> _Piece:
    """Its first ticks; all of them now and then."""
    return piece if rarely(chance, 6) else replace(piece, records=piece.records[: chance.choice((1, 5, 20))])


def _bend_header(chance: Random, header: Header) -> Header:
    if rarely(chance, 6):
        return replace(header, layout=chance.choice(list(Layout)), world_version=bytes(16))
    if rarely(chance, 6) and header.layout is Layout.GAME:
        return replace(header, data_version=signed(bend(chance, header.data_version or 0), 32))
    name = chance.choice(_COUNTS)
    number = bend(chance, getattr(header, name))
    short = name in ("flags", "dictionary")
    fitting = around(number, 16) if short else signed(number, 64 if name == "timestamp" else 32)
    return replace(header, **{name: fitting})


def _bend_tag(chance: Random, tag: Tag) -> Tag:
    """A value of the tree bent, or exchanged for one of another type; now and then one that is our extension's."""
    kind, value = tag.kind, tag.value
    if kind is Kind.COMPOUND and value and not rarely(chance, 6):
        name = chance.choice(list(value))
        if rarely(chance, 8):
            return Tag(kind, {bend_text(chance, key) if key == name else key: inner for key, inner in value.items()})
        return Tag(kind, {**value, name: _bend_tag(chance, value[name])})
    if kind is Kind.COMPOUND and not rarely(chance, 3):
        return Tag(kind, {**value, chance.choice(_NAMES): _any_tag(chance)})
    match kind:
        case _ if rarely(chance, 5):
            return _any_tag(chance)
        case Kind.STRING:
            return Tag(kind, bend_text(chance, value))
        case Kind.BYTE_ARRAY:
            return Tag(kind, _signed_bytes(bend_bytes(chance, bytes(number & 0xFF for number in value))))
        case _ if kind in _INTEGERS:
            return Tag(kind, signed(bend(chance, value), _INTEGERS[kind]))
        case _ if kind in _ARRAYS:
            return Tag(
                kind, tuple(bend_parts(chance, value, lambda chance, one: signed(bend(chance, one), _ARRAYS[kind])))
            )
    return _any_tag(chance)


def _any_tag(chance: Random) -> Tag:
    kind = chance.choice(list(Kind)[1:])
    value: Any
    match kind:
        case Kind.STRING:
            value = bend_text(chance, "ada")
        case Kind.FLOAT | Kind.DOUBLE:
            value = chance.choice((0.0, float("nan"), float("inf")))
        case Kind.COMPOUND | Kind.LIST:
            tag = Tag(Kind.COMPOUND, {})
            for _ in range(chance.choice((0, 1, 3, 100))):
                tag = Tag(Kind.COMPOUND, {"a": tag})
            return tag
        case Kind.BYTE_ARRAY:
            value = _signed_bytes(chance.randbytes(chance.randrange(40)))
        case _ if kind in _ARRAYS:
            value = tuple(signed(bend(chance, number), _ARRAYS[kind]) for number in range(chance.randrange(6)))
        case _:
            value = signed(bend(chance, 7), _INTEGERS[kind])
    return Tag(kind, value)


def _signed_bytes(data: bytes) -> tuple[int, ...]:
    return tuple(memoryview(data).cast("b").tolist())


def _bend_piece(chance: Random, piece: _Piece) -> _Piece:
    match chance.randrange(8):
        case 0:
            return replace(piece, ticks=max(bend(chance, piece.ticks), 0))
        case 1:
            return replace(piece, flags=piece.flags ^ chance.choice((SNAPSHOT, 2, 255)))
        case 2:
            return replace(piece, snapshot=bend_bytes(chance, piece.snapshot))
        case 3 if piece.snapshot:
            body = piece.snapshot[2:] + _events(chance)[1]  # behind its length, most of the time
            return replace(piece, snapshot=write_var_int(len(body)) + body)
        case _:
            return replace(piece, records=tuple(bend_parts(chance, piece.records, _bend_record)))


def _bend_record(chance: Random, record: bytes) -> bytes:
    """A tick record: its number bent, its count, its bytes, or made events put into it."""
    try:
        number, at = read_var_int(record, 0)
        (count,) = _COUNT.unpack_from(record, at)
    except (Damaged, error):  # it is bent already
        return bend_bytes(chance, record)
    body = record[at + _COUNT.size :]
    match chance.randrange(6):
        case 0:
            return var_int(chance, bend(chance, number)) + record[at:]
        case 1:
            return record[:at] + _COUNT.pack(around(bend(chance, count), 16)) + body
        case 2 | 3:
            more, made = _events(chance)
            return record[:at] + _COUNT.pack(around(count + more, 16)) + chance.choice((made + body, body + made))
        case _:
            return record[: at + _COUNT.size] + bend_bytes(chance, body)


def _events(chance: Random) -> tuple[int, bytes]:
    """Events of any kind, whose numbers, texts and places may be anything: how many, and their bytes."""
    made = []
    for _ in range(chance.choice((1, 1, 2, 5, 30))):
        kind = chance.choice(list(EVENTS))
        number = list(EVENTS).index(kind) if not rarely(chance, 40) else bend(chance, 15)
        made.append(var_int(chance, number) + b"".join(_field(chance, field.name) for field in EVENTS[kind]))
    return len(made), b"".join(made)


def _field(chance: Random, name: str) -> bytes:
    """A field's bytes; places and moves in any of the forms that there are."""
    match name:
        case "entity" | "entityType" | "slot" | "block" | "pose" | "reason":
            return var_int(chance, chance.choice((0, 1, 2, 7, bend(chance, 3))), 5)
        case "delta" | "velocity" | "hand" | "flags":
            return chance.randbytes(chance.choice((0, 1, 1, 6, 10))) + b"\0" * chance.choice((0, 1, 6))
        case "position":
            places = [signed(bend(chance, 0x4034), 16) & 0xFFFF for _ in range(16)]
            return b"".join(_COUNT.pack(place) for place in places)[: chance.choice((8, 32))]
        case "checkpointId":
            text = bend_text(chance, "meadow").encode("utf-8", "surrogatepass")
            return var_int(chance, len(text), 5) + text
        case "items":
            return b"\x01" + var_int(chance, 2, 5) + _nbt(chance, Tag(Kind.COMPOUND, {"id": Tag(Kind.STRING, "stone")}))
    return var_int(chance, bend(chance, 1000))


def _nbt(chance: Random, tag: Tag) -> bytes:
    """The tree as bytes; now and then one that is deeper than any may be."""
    if rarely(chance, 20):
        return bytes((Kind.COMPOUND,)) + b"\x0a\0\x01a" * chance.choice(_DEPTHS)
    data = write_nbt(_plain(tag))
    return bend_bytes(chance, data) if rarely(chance, 10) else data


def _plain(tag: Tag) -> Tag:
    """The tree without texts that its writer refuses."""
    if tag.kind is Kind.COMPOUND:
        return Tag(tag.kind, {name[:2000]: _plain(inner) for name, inner in tag.value.items()})
    if tag.kind is Kind.STRING:
        return Tag(tag.kind, tag.value[:5000])
    return tag


def _written(chance: Random, header: Header, metadata: Tag, pieces: list[_Piece]) -> Mapping[str, bytes]:
    """The file or the folder; numbers of the index are wrong now and then."""
    wrong = chance.choice((0, 0, 0, 30))
    folder = rarely(chance, 6)

    def said(number: int) -> int:
        return bend(chance, number) if wrong and rarely(chance, wrong) else number

    pack = Compressor(ZSTD, 1, checksum=not rarely(chance, 3))
    raws = [piece.snapshot + b"".join(piece.records) for piece in pieces]
    frames = [pack(raw) for raw in raws]
    if rarely(chance, 12):
        frames = bend_parts(chance, frames, bend_bytes)
    body = _nbt(chance, metadata)
    ends = sum(piece.ticks for piece in pieces)

    def index(begin: int) -> bytes:
        parts, start, at = [], 0, begin
        for piece, raw, frame in zip(pieces, raws, frames, strict=False):
            numbers = (said(start), said(piece.ticks)), (said(len(frame)), said(len(raw)))
            first, second = (b"".join(write_var_int(signed(number, 32)) for number in pair) for pair in numbers)
            parts.append(first + bytes((around(piece.flags, 8),)) + _PLACE.pack(around(said(at), 64)) + second)
            start, at = start + piece.ticks, at + len(frame)
        return b"".join(parts)

    length = len(index(0))
    honest = replace(
        header,
        tick_count=signed(ends, 32),
        chunk_count=len(frames),
        metadata_length=len(body),
        index_length=length,
    )
    if not rarely(chance, 8):
        honest = replace(honest, timestamp=header.timestamp, flags=header.flags, dictionary=header.dictionary)
    else:
        honest = header
    if honest.layout is Layout.TEXT:
        honest = replace(honest, world_version=honest.world_version.ljust(16, b"\0")[:16])
    preamble = build_header(honest) + body
    preamble += index(0 if folder else len(preamble) + length)
    if rarely(chance, 15):
        preamble = bend_bytes(chance, preamble)
    chunks = b"".join(frames)
    if folder:
        files = {PREAMBLE: preamble, segment_name(0): chunks}
        if rarely(chance, 2):
            files[FINISHED] = b""
        if rarely(chance, 4):
            del files[chance.choice(list(files))]
        return {f"case/{name}": data for name, data in files.items()}
    return {"case.replay": preamble + chunks}
