"""What can be done with a recording, as the registry of formats calls it.

Moments are UTC microseconds since 1970, spans microseconds; ticks are counted as the recording does.
"""

from collections.abc import Iterator
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.dump import count_kinds, error_record
from nhlog.formats.teehistorian.reading.attendance import Stay
from nhlog.formats.teehistorian.reading.events import client_of, describe
from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.reading.reader import Reader, read_records
from nhlog.formats.teehistorian.reading.summary import summarise
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.replay import FORMAT, TICK, TeeReplay
from nhlog.formats.teehistorian.state import Tee
from nhlog.formats.teehistorian.wire.messages import Input, PlayerChange

__all__ = ["events", "info", "state"]

Record = dict[str, Any]
_FREQUENT: Final = (PlayerChange, Input)  # they change nobody's name


def info(path: str) -> Record:
    """The recording as a whole."""
    summary = summarise(path)
    header, start, last = summary.header, summary.header.start, summary.world.tick
    counts = count_kinds(summary.counts, summary.extras)
    return {
        "format": FORMAT,
        "version": f"{header.text('version')}.{header.text('version_minor') or '0'}",
        "server_version": header.text("server_version"),
        "server": header.text("server_name"),
        "port": header.number("server_port"),
        "game": header.text("game_type"),
        "game_id": header.text("game_uuid"),
        "previous_game_id": header.text("prev_game_uuid") or None,
        "map": {
            "name": header.text("map_name"),
            "size": header.number("map_size"),
            "sha256": header.text("map_sha256"),
            "crc": header.text("map_crc"),
        },
        "start": start,
        "end": None if start is None else start + last * TICK,
        "duration": last * TICK,
        "ticks": last,
        "size": summary.size,
        "messages": sum(counts.values()),
        "counts": counts,
        "players": [_stay(stay, last) for stay in summary.attendance.stays],
        "finishes": [
            {"tick": it.tick, "time": it.time * TICK, "player": it.player or None, "team": it.team}
            for it in summary.attendance.finishes
        ],
        "alive": [{"cid": cid, "x": x, "y": y} for cid, (x, y) in sorted(summary.world.places.items())],
        "health": summary.health,
    }


def _stay(stay: Stay, last: int) -> Record:
    player = stay.player
    return {
        "cid": player.cid,
        "name": player.name,
        "clan": player.clan,
        "protocol": "0.7" if player.seven else "0.6",
        "client": player.version or None,
        "joined": stay.first,
        "left": stay.last,
        "time": ((last if stay.last is None else stay.last) - stay.first) * TICK,
        "reason": stay.reason if stay.last is not None else None,
    }


def events(path: str) -> Iterator[Record]:
    """One record per event; the last one has ``error`` where the recording is damaged or cut."""
    world, players = World(), dict[int, Player]()
    try:
        for tick, offset, message in read_records(Reader(path), world):
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
