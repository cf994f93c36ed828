"""Echo VR sessions: header and frames inside the chunks of a .butter, JSON in the lines of an .echoreplay."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from struct import Struct
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

from nhlog.formats.butter.operations import convert
from nhlog.formats.butter.wire.frames import read_frames
from nhlog.formats.butter.wire.header import COMPRESSIONS, Header, format_header, parse_header
from nhlog.formats.butter.wire.packing import WRITABLE_COMPRESSIONS, pack, unpack
from nhlog.formats.butter.wire.stored import layouts
from nhlog.formats.butter.wire.values import MAPS, Person
from nhlog.formats.butter.writing.zip import zipped
from scripts.fuzzing.mutants.change import (
    SAMPLES,
    around,
    bend,
    bend_bytes,
    bend_json,
    bend_parts,
    bend_text,
    excerpt,
    json_bytes,
    rarely,
    signed,
)

__all__ = ["mutant"]

_SAMPLE: Final = SAMPLES / "arena.butter"
_FRAMES: Final = 4  # of a chunk that we take, at most
_LINES: Final = 4
_CHEAP: Final = tuple(name for name in WRITABLE_COMPRESSIONS if name != "zstd_22")
_TIMED: Final = Struct("<qf")  # a keyframe's time and clock, behind its mark
_COMBAT: Final = "mpl_combat_dyson"
_ARENA: Final = "mpl_arena_a"


@dataclass(frozen=True)
class _Seed:
    """A header, and the frames of each chunk as bytes."""

    header: Header
    chunks: tuple[tuple[bytes, ...], ...]


@cache
def _texts() -> tuple[bytes, ...]:
    """The sample's frames as lines of an .echoreplay."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sample.echoreplay"
        convert(str(_SAMPLE), str(path))
        with ZipFile(path) as archive:
            return tuple(archive.read(archive.namelist()[0]).splitlines())


@cache
def _lines() -> tuple[tuple[bytes, Any, Any], ...]:
    """The same: the time, the session and the bones of each, decoded."""
    split = [line.split(b"\t") for line in _texts()]
    return tuple(
        (time, json.loads(session), json.loads(bones[0]) if bones else None) for time, session, *bones in split
    )


@cache
def _seed(combat: bool) -> _Seed:
    data = _SAMPLE.read_bytes() if not combat else _in_combat()
    header = parse_header(data)
    assert header
    chunks, at = [], header.end
    for size in header.sizes:
        raw = b"".join(unpack(data[at : at + size], header.compression))
        starts = [frame.offset for frame in read_frames([raw], layouts(header)[0])]
        chunks.append(tuple(raw[start:end] for start, end in zip(starts, [*starts[1:], len(raw)], strict=True)))
        at += size
    return _Seed(replace(header, compression="gzip"), tuple(chunks))


def _in_combat() -> bytes:
    """The sample as if it were played with weapons."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "combat.echoreplay", Path(folder) / "combat.butter"
        lines = [
            line.replace(_ARENA.encode(), _COMBAT.encode()).replace(b"Echo_Arena", b"Echo_Combat") for line in _texts()
        ]
        source.write_bytes(b"\r\n".join(lines) + b"\r\n")
        convert(str(source), str(target))
        return target.read_bytes()


def mutant(chance: Random) -> Mapping[str, bytes]:
    """A part of a session in one of its two forms, bent in one to four places."""
    return _butter(chance) if not rarely(chance, 3) else _echoreplay(chance)


# .butter


def _butter(chance: Random) -> Mapping[str, bytes]:
    seed = _seed(rarely(chance, 4))
    header = seed.header
    chunks = [chunk[: chance.randint(1, _FRAMES)] for chunk in excerpt(chance, seed.chunks, 2)]
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        if rarely(chance, 4):
            header = _bend_header(chance, header)
        else:
            chunks = bend_parts(chance, chunks, lambda chance, chunk: tuple(bend_parts(chance, chunk, _bend_frame)))
    if rarely(chance, 3):
        header = replace(header, compression=chance.choice(_CHEAP))
    stored = [pack(b"".join(chunk), header.compression) for chunk in chunks]
    if rarely(chance, 12):
        stored = bend_parts(chance, stored, bend_bytes)
    sizes = [len(chunk) for chunk in stored]
    if rarely(chance, 10):
        sizes = bend_parts(chance, sizes, lambda chance, size: around(bend(chance, size), 32))
    head = format_header(replace(header, sizes=tuple(sizes)))
    if rarely(chance, 10):
        head = bend_bytes(chance, head)
    elif rarely(chance, 15):  # version, interval, or compression
        head = b"%c" % around(bend(chance, head[0]), 8) + head[1:3] + b"%c" % chance.randrange(9) + head[4:]
    return {"case.butter": head + b"".join(stored)}


def _bend_header(chance: Random, header: Header) -> Header:
    match chance.randrange(6):
        case 0:
            return replace(header, map_name=chance.choice(MAPS), private_match=rarely(chance, 2))
        case 1:
            return replace(header, client_name=bend_text(chance, header.client_name).replace("\0", "")[:1000])
        case 2:
            return replace(header, interval=around(bend(chance, header.interval), 16))
        case 3:
            return replace(header, compression=chance.choice(COMPRESSIONS))
        case 4:
            return replace(header, version=chance.choice((1, 2, 3)))
        case _:
            return replace(header, people=tuple(bend_parts(chance, header.people, _bend_person)[:255]))


def _bend_person(chance: Random, person: Person) -> Person:
    match chance.randrange(3):
        case 0:
            return person._replace(name=bend_text(chance, person.name).replace("\0", "")[:1000])
        case 1:
            return person._replace(userid=signed(bend(chance, person.userid), 64))
        case _:
            return person._replace(level=around(bend(chance, person.level), 8))


def _bend_frame(chance: Random, frame: bytes) -> bytes:
    """Its time and clock, a stretch of halves, or its bytes."""
    match chance.randrange(8):
        case 0 if len(frame) > 20:
            time, clock = _TIMED.unpack_from(frame, 2)
            clock = chance.choice((clock, float("inf"), float("nan"), -1e30, -1.0))
            return frame[:2] + _TIMED.pack(signed(bend(chance, time), 64), clock) + frame[14:]
        case 1 | 2:
            at = chance.randrange(2, len(frame)) if len(frame) > 2 else 0
            odd = chance.choice((b"\x00\x7c", b"\x00\xfc", b"\x01\x7e", b"\xff\x7b"))  # infinities, no number, the most
            return frame[:at] + odd * chance.choice((1, 1, 3, 30)) + frame[at:][len(odd) :]
        case _:
            return bend_bytes(chance, frame)


# .echoreplay


def _echoreplay(chance: Random) -> Mapping[str, bytes]:
    lines = excerpt(chance, _lines(), _LINES)
    bends = chance.choice((0, 1, 1, 2, 4))
    for _ in range(bends):
        lines = bend_parts(chance, lines, _bend_line)
    texts = [_line(chance, line) for line in lines]
    if rarely(chance, 8):
        texts = bend_parts(chance, texts, bend_bytes)
    data = b"".join(text + chance.choice((b"\r\n", b"\r\n", b"\n")) for text in texts)
    if rarely(chance, 10):
        data = data.rstrip(b"\r\n")
    if rarely(chance, 4):
        data = b"".join(zipped("case.echoreplay", [data]))
        data = bend_bytes(chance, data) if rarely(chance, 4) else data
    return {"case.echoreplay": data}


def _bend_line(chance: Random, line: tuple[bytes, Any, Any]) -> tuple[bytes, Any, Any]:
    time, session, bones = line
    match chance.randrange(8):
        case 0:
            return bend_bytes(chance, time), session, bones
        case 1:
            return time, session, bend_json(chance, bones)
        case 2 if isinstance(session, dict) and session.get("teams"):
            return time, {**session, "teams": bend_json(chance, session["teams"])}, bones
        case 3 if isinstance(session, dict):
            return time, {**session, "map_name": chance.choice((_ARENA, _COMBAT, "", 7))}, bones
        case _:
            return time, bend_json(chance, session), bones


def _line(chance: Random, line: tuple[bytes, Any, Any]) -> bytes:
    time, session, bones = line
    columns = [time, json_bytes(chance, session)]
    if bones is not None:
        columns.append(json_bytes(chance, bones))
    if rarely(chance, 60):
        columns = bend_parts(chance, columns, bend_bytes)
    return b"\t".join(columns)
