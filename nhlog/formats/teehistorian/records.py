"""Events and states as records; docs/teehistorian.md has the keys."""

from collections.abc import Iterator
from typing import Final

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.dump import error_record
from nhlog.formats.teehistorian.reading.events import TICK, client_of, describe
from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.reading.reader import Reader, read_records
from nhlog.formats.teehistorian.state import GameState, Tee
from nhlog.formats.teehistorian.wire.messages import Input, PlayerChange
from nhlog.operations import Record

__all__ = ["event_records", "state_record"]

_FREQUENT: Final = (PlayerChange, Input)  # they change nobody's name


def event_records(path: str) -> Iterator[Record]:
    """One record per event; the last one has ``error`` if the recording is damaged or incomplete."""
    reader, players = Reader(path), dict[int, Player]()
    try:
        for tick, offset, message in read_records(reader):
            event = describe(players, message)
            known = None if isinstance(message, _FREQUENT) else updated_player(players, message)
            if event:
                cid = client_of(message)
                player = players.get(cid) if cid is not None else None
                yield {
                    "tick": tick,
                    "time": tick * TICK,
                    "offset": offset,
                    "kind": event[0],
                    "cid": cid,
                    "player": player.name if player else None,
                    "text": event[1],
                }
            if known:
                players[known.cid] = known
    except Damaged as error:
        yield error_record(error, reader.world.tick)
    for flaw in reader.flaws():
        yield error_record(flaw, reader.world.tick)


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
