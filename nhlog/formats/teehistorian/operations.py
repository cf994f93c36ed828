"""What the verbs of the command line do with one recording, but for what has a module of its own.

Spans are microseconds, ticks as the recording counts them.
"""

from collections.abc import Iterator
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.dump import error_record
from nhlog.formats.teehistorian.reading.events import client_of, told
from nhlog.formats.teehistorian.reading.players import Player, changed
from nhlog.formats.teehistorian.reading.reader import read, records
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.replay import TICK, TeeReplay
from nhlog.formats.teehistorian.state import Tee
from nhlog.formats.teehistorian.wire.messages import Input, PlayerChange

__all__ = ["events", "state"]

Record = dict[str, Any]
_FREQUENT: Final = (PlayerChange, Input)  # they change nobody's name


def events(path: str) -> Iterator[Record]:
    """One record per event; the last one has ``error`` where the recording is damaged or cut."""
    world, players = World(), dict[int, Player]()
    try:
        for tick, offset, message in records(read(path), world):
            event = told(players, message)
            known = None if isinstance(message, _FREQUENT) else changed(players, message)
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
        yield error_record(error, world.tick)


def state(replay: TeeReplay) -> Record:
    """Where everybody is, and what he presses, where the replay stands."""
    here = replay.state
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
