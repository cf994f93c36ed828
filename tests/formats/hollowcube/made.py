"""Recordings for tests, made from ticks: lone files and folders of segments, in both layouts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from uuid import UUID

import zstandard

from nhlog.formats.hollowcube.state import Scene
from nhlog.formats.hollowcube.wire.chunks import Tick, write_snapshot, write_tick
from nhlog.formats.hollowcube.wire.enums import End, Hand, Pose, Reset
from nhlog.formats.hollowcube.wire.events import (
    RUN_EVENTS,
    AbsoluteMove,
    ChangeHeldSlot,
    CheckpointReached,
    CheckpointReset,
    ClearGhostBlocks,
    DeltaMove,
    DestroyEntity,
    EntityState,
    Event,
    HandAnimation,
    ItemUse,
    RunEnd,
    RunStart,
    SetBlock,
    SetItem,
    SpawnEntity,
)
from nhlog.formats.hollowcube.wire.extension import Extension, with_extension
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, Header, Layout, build_header
from nhlog.formats.hollowcube.wire.index import SNAPSHOT, Entry, segment_offset, write_entry
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag, write_nbt
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector

__all__ = ["EVERY_KIND", "NONE", "Made", "Raw", "item", "parcel", "put", "run", "walk"]

WORLD = UUID("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
NONE = Tag(Kind.COMPOUND, {})
STILL = Vector(0.0, 0.0, 0.0)

Ticks = Sequence[Sequence[Event]]


def item(name: str, count: int = 1) -> Tag:
    values = {"id": Tag(Kind.STRING, f"minecraft:{name}")} | ({} if count == 1 else {"count": Tag(Kind.INT, count)})
    return Tag(Kind.COMPOUND, values)


EVERY_KIND: Ticks = (
    (AbsoluteMove(0, Pos(0.5, 64.0, 0.5, 0.0, 0.0), STILL), RunStart(), ClearGhostBlocks()),
    (EntityState(0, Pose.SNEAKING, 0x0A), SetItem(0, {4: item("diamond", 12), 45: item("air")}), ChangeHeldSlot(0, 4)),
    (),
    (SpawnEntity(1, 72, Pos(3.0, 64.0, 2.0, 90.0, 0.0)), HandAnimation(0, Hand.MAIN), ItemUse(0, Hand.OFF)),
    (DeltaMove(0, Pos(0.25, 0.0, 1.0, 45.0, 11.25), Vector(1.0, 0.0, -1.0)), SetBlock(BlockPosition(-4, 70, 12), 2987)),
    (CheckpointReached("one", 250), EntityState(1, Pose.STANDING, 0x40)),
    (),
    (SetBlock(BlockPosition(1, 63, 1), 1), SetBlock(BlockPosition(-4, 70, 12), 0), ItemUse(0, None)),
    (CheckpointReset(Reset.RELOG, 400), AbsoluteMove(0, Pos(0.5, 64.0, 1.5, -90.0, 0.0), STILL)),
    (DestroyEntity(1), CheckpointReached("two", 450)),
    (),
    (RunEnd(End.FINISH, 550), ClearGhostBlocks()),
    (),
)


def walk(ticks: int, step: float = 0.25) -> Ticks:
    """A walk to the east; the first tick says from where."""
    delta = DeltaMove(0, Pos(step, 0.0, 0.0, -90.0, 0.0), STILL)
    return [(AbsoluteMove(0, Pos(0.0, 64.0, 0.0, 0.0, 0.0), STILL),), *[(delta,)] * (ticks - 1)]


def run(ticks: int, checkpoints: dict[int, str], step: float = 0.25) -> Ticks:
    """A run of such a walk, from its first tick to its last."""
    made = [list(events) for events in walk(ticks, step)]
    made[0].append(RunStart())
    for tick, name in checkpoints.items():
        made[tick].append(CheckpointReached(name, tick * 50))
    made[-1].append(RunEnd(End.FINISH, (ticks - 1) * 50))
    return made


@dataclass(frozen=True)
class Raw:
    """A chunk before it is packed."""

    start: int
    ticks: int
    raw: bytes
    flags: int = 0


@dataclass(frozen=True)
class Made:
    """A recording of these ticks; each chunk has `size` of them, and each segment `segment` chunks."""

    ticks: Ticks
    layout: Layout = Layout.TEXT
    size: int = 5
    segment: int = 1
    snapshots: bool = True
    table: bool = True
    checksum: bool = True
    metadata: Tag = NONE
    header: Header = field(
        default=Header(Layout.TEXT, WORLD, bytes(range(16)), 1_795_187_205_278, 0, 0, 0, 0),
    )

    def chunks(self) -> Iterator[Raw]:
        scene = Scene()
        for start in range(0, len(self.ticks), self.size):
            ticks = self.ticks[start : start + self.size]
            opening = tuple(scene.snapshot()) if self.snapshots else ()
            text = self.layout is Layout.TEXT
            raw = write_snapshot(opening) if text and self.snapshots else b""
            for number, events in enumerate(ticks):
                first = (ClearGhostBlocks(), *opening) if not text and self.snapshots and start and not number else ()
                if events or not text or number == len(ticks) - 1:  # which says where the chunk ends
                    raw += write_tick(number if text else start + number, (*first, *events))
                for event in events:
                    scene.apply(event)
            yield Raw(start, len(ticks), raw, SNAPSHOT if self.snapshots or not text else 0)

    def pack(self, raw: bytes) -> bytes:
        return zstandard.ZstdCompressor(write_checksum=self.checksum).compress(raw)

    def own_metadata(self) -> Tag:
        if not self.table:
            return self.metadata
        run_events = []
        for number, events in enumerate(self.ticks):
            chosen = tuple(event for event in events if isinstance(event, RUN_EVENTS))
            if chosen:
                run_events.append(Tick(number, number, 0, 0, 0, chosen))
        return with_extension(self.metadata, Extension(run_events=tuple(run_events), covered_ticks=len(self.ticks)))

    def preamble(self, entries: Sequence[Entry]) -> bytes:
        metadata, index = write_nbt(self.own_metadata()), b"".join(map(write_entry, entries))
        header = replace(
            self.header,
            layout=self.layout,
            data_version=4900 if self.layout is Layout.GAME else None,
            metadata_length=len(metadata),
            index_length=len(index),
            tick_count=entries[-1].end if entries else 0,
            chunk_count=len(entries),
        )
        return build_header(header) + metadata + index

    def data(self, chunks: Sequence[Raw] | None = None) -> bytes:
        """It in one file."""
        chunks = list(self.chunks()) if chunks is None else chunks
        frames = [self.pack(chunk.raw) for chunk in chunks]

        def entries(base: int) -> list[Entry]:
            made = []
            for chunk, frame in zip(chunks, frames, strict=True):
                made.append(Entry(chunk.start, chunk.ticks, chunk.flags, base, len(frame), len(chunk.raw)))
                base += len(frame)
            return made

        index = sum(len(write_entry(entry)) for entry in entries(0))
        base = HEADER_SIZE + len(write_nbt(self.own_metadata())) + index
        return self.preamble(entries(base)) + b"".join(frames)

    def files(self, finished: bool = True) -> dict[str, bytes]:
        """It in segments, by name, in the order in which they are written."""
        found: dict[str, bytes] = {}
        entries = []
        for number, chunk in enumerate(self.chunks()):
            segment = number // self.segment
            name = f"segment-{segment:03d}.dat"
            before = found.get(name, b"")
            frame = self.pack(chunk.raw)
            place = segment_offset(segment, len(before))
            entries.append(Entry(chunk.start, chunk.ticks, chunk.flags, place, len(frame), len(chunk.raw)))
            found[name] = before + frame
        found["preamble.dat"] = self.preamble(entries)
        return found | ({"finished": b""} if finished else {})

    def write(self, folder: Path, finished: bool = True) -> Path:
        """It in segments in a new folder."""
        folder.mkdir()
        for name, data in self.files(finished).items():
            (folder / name).write_bytes(data)
        return folder


PARCEL = b"parcel\n"


def parcel(files: dict[str, bytes]) -> bytes:
    """A folder as bytes that can grow, in the order in which its files are written."""
    return b"".join(
        bytes((len(name),)) + name.encode() + len(data).to_bytes(4, "big") + data for name, data in files.items()
    )


def put(path: Path, data: bytes, at: int = len(PARCEL)) -> int:
    """The file or the folder that `data` is; of a folder, what is not complete yet is a segment or is not there.

    Files before `at` are there already.  Gives where the first file begins that is not complete.
    """
    if not data.startswith(PARCEL):
        path.write_bytes(data)
        return 0
    path.mkdir(exist_ok=True)
    while at < len(data):
        name_end = at + 1 + data[at]
        name = data[at + 1 : name_end].decode()
        size = int.from_bytes(data[name_end : name_end + 4], "big")
        content = data[name_end + 4 : name_end + 4 + size]
        is_whole = name_end + 4 + size <= len(data)
        if is_whole or (name_end + 4 < len(data) and name.startswith("segment")):
            (path / ".draft").write_bytes(content)
            (path / ".draft").rename(path / name)
        if not is_whole:
            break
        at = name_end + 4 + size
    return at
