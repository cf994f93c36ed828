"""The records of a recording's description and of its state, as `--json` prints them (docs/hollowcube.md).

Times are UTC microseconds since 1970, durations microseconds, sizes bytes.
"""

from collections.abc import Mapping
from typing import Any, Final

from nhlog.formats.hollowcube import FORMAT
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.summary import (
    health_of,
    people_of,
    size_of,
    start_of,
    status_of,
    title_of,
)
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.state import Entity, Run
from nhlog.formats.hollowcube.wire.events import item_record
from nhlog.formats.hollowcube.wire.extension import EXTENSION
from nhlog.formats.hollowcube.wire.header import HEADER_SIZE, TICK, Layout
from nhlog.formats.hollowcube.wire.nbt import plain
from nhlog.operations import Record
from nhlog.replay import Status
from nhlog.values import dataclass

__all__ = ["ByteCounts", "DataVersion", "RecordingInfo", "info_of", "state_record"]

_LAYOUTS: Final = {Layout.TEXT: "text", Layout.GAME: "game"}


@dataclass(frozen=True, slots=True)
class DataVersion:
    """The game's data version, valid from `tick` on."""

    tick: int
    version: int


@dataclass(frozen=True, slots=True)
class ByteCounts:
    """The size of each part of a recording in bytes; `chunks` is the compressed size, `unpacked` that without it."""

    header: int
    metadata: int
    index: int
    chunks: int
    unpacked: int


@dataclass(frozen=True, slots=True)
class RecordingInfo:
    """The description of a recording.

    `world_version` is in hexadecimal digits; `snapshots` counts chunks that begin with one; `segments` is 0 for a
    single file; `metadata` is as plain values, without our extension; `health` is ``sound`` or the first fault.
    """

    format: str
    title: str
    people: tuple[str, ...]
    status: Status
    finished: bool
    layout: str
    version: int
    world_id: str
    world_version: str
    data_version: int | None
    data_versions: tuple[DataVersion, ...]
    dictionary: int
    start: int | None
    end: int | None
    duration: int
    ticks: int
    chunks: int
    snapshots: int
    segments: int
    size: int
    bytes: ByteCounts
    metadata: Mapping[str, Any]
    health: str


def info_of(reader: Reader) -> RecordingInfo:
    """Describe a recording, from its preamble and the sizes of its files."""
    preamble = reader.preamble
    header = preamble.header
    entries = [part.entry for part in reader.parts]
    start, duration = start_of(reader), reader.ticks * TICK
    return RecordingInfo(
        format=FORMAT.name,
        title=title_of(reader),
        people=people_of(reader),
        status=status_of(reader),
        finished=reader.finished,
        layout=_LAYOUTS[header.layout],
        version=int(header.layout),
        world_id=str(header.world_id),
        world_version=header.world_version.hex(),
        data_version=header.data_version,
        data_versions=tuple(DataVersion(*pair) for pair in preamble.extension.data_versions),
        dictionary=header.dictionary,
        start=start,
        end=None if start is None else start + duration,
        duration=duration,
        ticks=reader.ticks,
        chunks=len(entries),
        snapshots=sum(entry.has_snapshot for entry in entries),
        segments=len({part.name for part in reader.parts}) if reader.source.folder else 0,
        size=size_of(reader),
        bytes=ByteCounts(
            header=HEADER_SIZE,
            metadata=max(header.metadata_length, 0),
            index=max(header.index_length, 0),
            chunks=sum(entry.length for entry in entries),
            unpacked=sum(entry.raw_length for entry in entries),
        ),
        metadata={name: plain(tag) for name, tag in preamble.metadata.value.items() if name != EXTENSION},
        health=health_of(reader),
    )


def state_record(replay: CubeReplay) -> Record:
    """The entities, blocks, run and ghost at the step of the replay."""
    now = replay.state
    race = replay.race
    return {
        "tick": now.step,
        "time": now.step * TICK,
        "entities": [_entity_record(number, entity) for number, entity in sorted(now.entities.items())],
        "blocks": [{"position": list(place), "state": block} for place, block in sorted(now.blocks.items())],
        "run": None if now.run is None else _run_record(now.run, now.step),
        "fault": now.fault or None,
        **({} if race is None else {"ghost": _ghost_record(replay, now.step)}),
    }


def _entity_record(number: int, entity: Entity) -> Record:
    return {
        "entity": number,
        "type": entity.kind,
        "position": list(entity.position),
        "velocity": list(entity.velocity),
        "pose": None if entity.pose is None else entity.pose.name,
        "flags": entity.flags,
        "items": [{"slot": slot, **item_record(item)} for slot, item in sorted(entity.items.items())],
        "held": entity.held,
        "using": None if entity.using is None else entity.using.name,
    }


def _run_record(run: Run, tick: int) -> Record:
    elapsed = None if run.started is None else (min(tick, run.ended or tick) - run.started) * TICK
    return {
        "first": run.started,
        "time": elapsed if run.run_time is None else run.run_time * 1000,
        "checkpoints": [
            {"tick": split.tick, "checkpoint": split.checkpoint, "time": split.run_time * 1000} for split in run.splits
        ],
        "resets": run.resets,
        "last": run.ended,
        "reason": None if run.end is None else run.end.name,
    }


def _ghost_record(replay: CubeReplay, step: int) -> Record:
    assert replay.race is not None
    ghost, gap = replay.race.state(step), replay.race.gap(step)
    return {
        "tick": ghost.step,
        "position": list(ghost.player.position),
        "gap": None if gap is None else gap * 1000,
        "splits": [
            {
                "checkpoint": pair.checkpoint,
                "tick": pair.own_tick,
                "ghost_tick": pair.ghost_tick,
                "gap": pair.gap * 1000,
            }
            for pair in replay.race.splits(step)
        ],
    }
