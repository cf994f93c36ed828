"""What a recorder finds in its folder: nothing, or a recording that it goes on with where the last session stopped.

A session that died leaves segments that the preamble does not list, and a chunk that it had not ended: both are taken
in.  Nothing but drafts is changed here.
"""

import os
from contextlib import closing
from dataclasses import replace

from nhlog.errors import Damaged, Usage
from nhlog.files import atomic
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, segment_number
from nhlog.formats.hollowcube.state import NOTHING, FrozenScene, Scene
from nhlog.formats.hollowcube.wire.events import PLAYER, DestroyEntity, Event
from nhlog.formats.hollowcube.wire.extension import RunEventTable, read_extension, with_extension
from nhlog.formats.hollowcube.wire.header import Header
from nhlog.formats.hollowcube.wire.index import Entry
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.writing.chunker import RawChunk
from nhlog.formats.hollowcube.writing.facts import Facts
from nhlog.values import dataclass

__all__ = ["Beginning", "resumed"]


@dataclass(frozen=True, slots=True)
class Beginning:
    """The start of a session: the complete chunks that there are, and the state behind them.

    `leaving` are its first events, `adopted` the segments missing in the preamble, `open` the chunk that the last
    session did not end; `ticks` counts that, too.
    """

    header: Header
    metadata: Tag
    run_events: RunEventTable
    ticks: int = 0
    entries: tuple[Entry, ...] = ()
    next_segment: int = 0
    scene: FrozenScene = NOTHING
    leaving: tuple[Event, ...] = ()
    adopted: tuple[str, ...] = ()
    open: RawChunk | None = None


def resumed(folder: str, facts: Facts) -> Beginning:
    """The beginning of a new recording, or the end of an existing one.

    Raises :class:`Usage` for a finished recording or another one, :class:`Damaged` for one that must be recovered.
    """
    names = os.listdir(folder)
    for name in names:
        if name.startswith(atomic.DRAFT):  # of a recorder that died
            os.unlink(os.path.join(folder, name))
    if FINISHED in names:
        raise Usage("the recording is finished", file=folder)
    if PREAMBLE not in names and not any(segment_number(name) is not None for name in names):
        header, metadata = facts.beginning()
        return Beginning(header, metadata, RunEventTable())
    with closing(open_reader(folder)) as reader:
        if reader.faults:
            raise Damaged(f"recover it before continuing it: {reader.faults[0].what}", file=folder)
        _require_compatible(folder, facts, reader.preamble.header)
        return _continued(reader, facts)


def _continued(reader: Reader, facts: Facts) -> Beginning:
    listed, settled = len(reader.preamble.entries), reader.settled
    scene, header = _last_state(reader), reader.preamble.header
    return Beginning(
        header=header,
        metadata=_with_data_version(reader.preamble.metadata, header, facts.data_version, reader.ticks),
        run_events=_run_events(reader),
        ticks=reader.ticks,
        entries=tuple(part.entry for part in reader.parts[:settled]),
        next_segment=reader.parts[settled - 1].entry.segment[0] + 1 if settled else 0,
        scene=scene,
        # a session numbers its entities anew, and those of the last one would stay for ever (spec 5)
        leaving=tuple(DestroyEntity(number) for number in scene.entities if number != PLAYER),
        adopted=tuple({part.name: None for part in reader.parts[listed:settled]}),
        open=_open_chunk(reader) if settled < len(reader.parts) else None,
    )


def _open_chunk(reader: Reader) -> RawChunk:
    """The whole ticks of the chunk that was not ended, as a chunk."""
    entry = reader.parts[-1].entry
    raw, _ = reader.raw(len(reader.parts) - 1)
    return RawChunk(entry.start, entry.ticks, entry.flags, raw, 0)


def _run_events(reader: Reader) -> RunEventTable:
    """The recording's table, completed from the chunks that it does not cover; unknown if there is no table."""
    extension = reader.preamble.extension
    if extension.covered_ticks is None:
        return RunEventTable(None if reader.parts else ())
    run_events = RunEventTable(extension.run_events)
    for number, part in enumerate(reader.parts):
        if part.entry.end > extension.covered_ticks:
            chunk, _ = reader.fresh_chunk(number)
            run_events.add_all(tick for tick in chunk.ticks if tick.number >= extension.covered_ticks)
    return run_events


def _require_compatible(folder: str, facts: Facts, header: Header) -> None:
    """Raise :class:`Usage` if the recording is of another world, version of the world or layout (spec 2)."""
    wanted, _ = facts.beginning()
    for what, told, ours, theirs in (
        ("world", facts.world_id, wanted.world_id, header.world_id),
        ("world version", facts.world_version, wanted.world_version, header.world_version),
        ("layout", facts.layout, int(wanted.layout), int(header.layout)),
    ):
        if told is not None and ours != theirs:
            raise Usage(f"the recording is of another {what}", file=folder, expected=theirs, found=ours)


def _last_state(reader: Reader) -> FrozenScene:
    """The state at the recording's end, computed from the last chunk with a snapshot on."""
    numbers = range(len(reader.parts))
    first = next((number for number in reversed(numbers) if reader.parts[number].entry.has_snapshot), 0)
    scene = Scene()
    for number in numbers[first:]:
        chunk, _ = reader.fresh_chunk(number)
        if chunk.fault is not None:
            raise Damaged(f"the end of the recording cannot be read: {chunk.fault.what}", file=reader.source.path)
        for events in (chunk.snapshot or (), *(tick.events for tick in chunk.ticks)):
            for event in events:
                scene.apply(event)
    return scene.freeze()


def _with_data_version(metadata: Tag, header: Header, version: int | None, tick: int) -> Tag:
    """The metadata with the game's data version from `tick` on, if it differs from the one before."""
    extension = read_extension(metadata)
    known = extension.data_versions[-1][1] if extension.data_versions else header.data_version
    if version is None or version == known:
        return metadata
    before: tuple[tuple[int, int], ...] = extension.data_versions
    if not before and tick and header.data_version is not None:
        before = ((0, header.data_version),)
    return with_extension(metadata, replace(extension, data_versions=(*before, (tick, version))))
