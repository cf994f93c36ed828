"""Events and states as records; docs/teehistorian.md has the keys."""

from collections.abc import Iterator

from nhlog.formats.teehistorian.dump import error_record
from nhlog.formats.teehistorian.reading.events import TICK, TeeEvent
from nhlog.formats.teehistorian.reading.index import Index
from nhlog.formats.teehistorian.state import GameState, Tee
from nhlog.operations import Record

__all__ = ["event_record", "fault_records", "state_record"]


def event_record(event: TeeEvent) -> Record:
    """An event as a record."""
    return {
        "kind": event.kind,
        "step": event.step,
        "tick": event.step,
        "time": event.step * TICK,
        "offset": event.offset,
        "cid": event.cid,
        "player": event.player or None,
        "text": event.text,
    }


def fault_records(index: Index) -> Iterator[Record]:
    """What ended the reading, and what is wrong otherwise."""
    fault, headers = index.fault(), index.header.fault  # that of the header is among the flaws, too
    if fault is not None and (headers is None or fault.what != headers.what):
        yield error_record(fault, index.tick)
    for flaw in index.flaws():
        yield error_record(flaw, index.tick)


def state_record(here: GameState) -> Record:
    """The positions and pressed keys of all players, as a record."""
    return {"tick": here.step, "time": here.step * TICK, "players": [_player(tee) for tee in here.tees]}


def _player(tee: Tee) -> Record:
    x, y = tee.place or (None, None)
    return {
        "cid": tee.cid,
        "name": tee.name,
        "clan": tee.clan,
        "team": tee.team,
        "level": tee.level or None,
        "ready": tee.ready,
        "alive": tee.alive,
        "x": x,
        "y": y,
        "input": None if tee.input is None else _input(tee),
    }


def _input(tee: Tee) -> Record:
    return {
        "direction": tee.direction,
        "aim_x": tee.aim[0],
        "aim_y": tee.aim[1],
        "jump": tee.jumps,
        "fire": tee.fires,
        "hook": tee.hooks,
        "weapon": tee.weapon or None,
        "flags": tee.flags,
    }
