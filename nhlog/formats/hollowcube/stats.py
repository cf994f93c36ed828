"""Statistics of each entity and each run of a recording, and its events as records; chunks are read once, in order."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import dist, isfinite
from typing import Final

from nhlog.formats.hollowcube.race import best_run, pair_splits
from nhlog.formats.hollowcube.reading.history import History, runs_of
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.state import PLAYER_TYPE, Run, Scene
from nhlog.formats.hollowcube.wire.enums import FLAGS
from nhlog.formats.hollowcube.wire.events import (
    PLAYER,
    EntityState,
    Event,
    HandAnimation,
    ItemUse,
    SpawnEntity,
    record_of,
)
from nhlog.formats.hollowcube.wire.header import TICK, TICKS_PER_SECOND
from nhlog.formats.hollowcube.words import event_words
from nhlog.operations import Record, fault_records
from nhlog.progress import report

__all__ = ["event_records", "stats_records"]

_LEAP: Final = 8.0  # blocks in one tick: even rockets carry no one that far, so one was put there


@dataclass(slots=True)
class _Tally:
    """The counts of an entity."""

    kind: int
    first: int
    last: int
    moves: int = 0
    distance: float = 0.0
    fastest: float = 0.0
    swings: int = 0
    uses: int = 0
    flags: int = 0
    since: int = 0
    flagged: Counter[str] = field(default_factory=Counter)

    def carry_flags(self, tick: int) -> None:
        """Add the ticks for which the flags were set, up to `tick`."""
        for name, bit in FLAGS.items():
            if self.flags & bit:
                self.flagged[name] += tick - self.since
        self.since = tick


def stats_records(reader: Reader, ghost: Reader | None) -> Iterator[Record]:
    """One record per entity, then one per run, and with a `ghost` one per checkpoint that both reached.

    The last one has ``error``, if the recording is damaged.
    """
    history = _history(reader)
    yield from _entities(reader)
    for number, run in enumerate(runs_of(history.run_events or []), 1):
        yield _run(number, run)
    if ghost is not None:
        yield from _splits(best_run(history) or Run(), best_run(_history(ghost)) or Run())
    yield from fault_records(reader.known_faults)


def _history(reader: Reader) -> History:
    history = History(reader)
    history.extend()
    return history


def _entities(reader: Reader) -> Iterator[Record]:
    tallies = {PLAYER: _Tally(PLAYER_TYPE, 0, 0)}
    scene = Scene()
    kinds: Counter[str] = Counter()
    for number in range(len(reader.parts)):
        report("counting", number, len(reader.parts))
        chunk, _ = reader.fresh_chunk(number)
        for event in chunk.snapshot or ():
            scene.apply(event)
        for tick in chunk.ticks:
            for event in tick.events:
                kinds[type(event).__name__] += 1
                _count(tallies, scene, event, tick.number)
    ticks = reader.ticks
    for number, tally in sorted(tallies.items()):
        if number == PLAYER:
            tally.last = max(ticks - 1, 0)
        tally.carry_flags(tally.last + 1)
        yield _entity_record(number, tally, kinds if number == PLAYER else None)


def _count(tallies: dict[int, _Tally], scene: Scene, event: Event, tick: int) -> None:
    """Apply an event, and count it for the entity that it is about."""
    number = getattr(event, "entity", None)
    if number is None:  # an event without an entity
        scene.apply(event)
        return
    if isinstance(event, SpawnEntity) and number not in tallies:
        tallies[number] = _Tally(event.entity_type, tick, tick)
    tally = tallies.get(number)
    before = scene.position_of(number)
    scene.apply(event)
    if tally is None:
        return
    tally.last = tick
    if isinstance(event, HandAnimation):
        tally.swings += 1
    elif isinstance(event, ItemUse):
        tally.uses += event.hand is not None
    elif isinstance(event, EntityState):
        tally.carry_flags(tick)
        tally.flags = event.flags
    after = scene.position_of(number)
    if before is not None and after is not None and before != after:
        way = dist(before[:3], after[:3])
        tally.moves += 1
        if isfinite(way) and way < _LEAP and before[:3] != (0.0, 0.0, 0.0):
            tally.distance += way
            tally.fastest = max(tally.fastest, way)


def _entity_record(number: int, tally: _Tally, kinds: Counter[str] | None) -> Record:
    return {
        "kind": "entity",
        "entity": number,
        "type": tally.kind,
        "first": tally.first,
        "last": tally.last,
        "moves": tally.moves,
        "distance": round(tally.distance, 3),
        "fastest": round(tally.fastest * TICKS_PER_SECOND, 3),
        "swings": tally.swings,
        "uses": tally.uses,
        "flags": {name: ticks * TICK for name, ticks in tally.flagged.items() if ticks},
        **({} if kinds is None else {"events": dict(kinds)}),
    }


def _run(number: int, run: Run) -> Record:
    return {
        "kind": "run",
        "run": number,
        "first": run.started,
        "last": run.ended,
        "reason": None if run.end is None else run.end.name,
        "time": None if run.run_time is None else run.run_time * 1000,
        "resets": run.resets,
        "checkpoints": [
            {"tick": split.tick, "checkpoint": split.checkpoint, "time": split.run_time * 1000} for split in run.splits
        ],
    }


def _splits(own: Run, ghost: Run) -> Iterator[Record]:
    for pair in pair_splits(own, ghost):
        yield {
            "kind": "split",
            "checkpoint": pair.checkpoint,
            "tick": pair.own_tick,
            "ghost_tick": pair.ghost_tick,
            "gap": pair.gap * 1000,
        }


def event_records(replay: CubeReplay, first: int, last: int) -> Iterator[Record]:
    """A record per event of these ticks, without moves and repetitions in snapshots."""
    for tick, event in replay.timed_events(first, last):
        yield {
            "kind": type(event).__name__,
            "step": tick,
            "tick": tick,
            "time": tick * TICK,
            "text": event_words(event),
            "event": record_of(event),
        }
