"""What can be done with a recording, as the registry of formats calls it; docs/teehistorian.md has the keys of records.

Moments are UTC microseconds since 1970, spans microseconds; ticks are counted as the recording does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

from nhlog.cache import Cache, Fingerprint, entry_name, fingerprint
from nhlog.errors import Damaged
from nhlog.files import File
from nhlog.formats.teehistorian.dump import count_kinds, dump, error_record
from nhlog.formats.teehistorian.reading.attendance import Finish, Stay
from nhlog.formats.teehistorian.reading.events import client_of, describe
from nhlog.formats.teehistorian.reading.players import Player, updated_player
from nhlog.formats.teehistorian.reading.reader import Reader, read_records
from nhlog.formats.teehistorian.reading.summary import summarise
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.replay import FORMAT, TICK, TeeReplay, open_replay
from nhlog.formats.teehistorian.state import Tee
from nhlog.formats.teehistorian.stats import stats
from nhlog.formats.teehistorian.verify import verify
from nhlog.formats.teehistorian.wire.header import Header
from nhlog.formats.teehistorian.wire.messages import Input, PlayerChange
from nhlog.formats.teehistorian.writing.convert import convert
from nhlog.operations import Listing, Operations, Record
from nhlog.replay import Status

__all__ = [
    "OPERATIONS",
    "FinishInfo",
    "LivingTee",
    "RecordedMap",
    "StayInfo",
    "TeehistorianInfo",
    "TeehistorianListing",
    "events",
    "info",
    "listing",
    "state",
]

MOST_NAMES: Final = 64  # people in one line
_FREQUENT: Final = (PlayerChange, Input)  # they change nobody's name


# info


@dataclass(frozen=True, slots=True)
class RecordedMap:
    """The map as the header names it: `size` in bytes, digests of its file in hexadecimal; empty where it does not."""

    name: str
    size: int | None
    sha256: str
    crc: str


@dataclass(frozen=True, slots=True)
class StayInfo:
    """A stay of a player: `joined` and `left` are ticks, `left` and `reason` None while it goes on; `time` is a span.

    `client` is what the program of the player calls itself.
    """

    cid: int
    name: str
    clan: str
    protocol: str
    client: str | None
    joined: int
    left: int | None
    time: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class FinishInfo:
    """A race finished at a tick, by a `player` or a `team` (the other is None); `time` is how long it took."""

    tick: int
    time: int
    player: str | None
    team: int | None


@dataclass(frozen=True, slots=True)
class LivingTee:
    """Where a tee was at the end, in world units."""

    cid: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class TeehistorianInfo:
    """A recording as a whole; `counts` are messages by the types of :func:`dump`, `size` counts unpacked bytes."""

    format: str
    version: str
    server_version: str
    server: str
    port: int | None
    game: str
    game_id: str
    previous_game_id: str | None
    map: RecordedMap
    start: int | None
    end: int | None
    duration: int
    ticks: int
    size: int
    messages: int
    counts: Mapping[str, int]
    players: tuple[StayInfo, ...]
    finishes: tuple[FinishInfo, ...]
    alive: tuple[LivingTee, ...]
    health: str


def info(path: str) -> TeehistorianInfo:
    """The recording as a whole, a damaged one as far as it goes; raises :class:`NhlogError` where it has no header."""
    summary = summarise(path)
    header, start, last = summary.header, summary.header.start, summary.world.tick
    counts = count_kinds(summary.counts, summary.extras)
    return TeehistorianInfo(
        format=FORMAT,
        version=f"{header.text('version')}.{header.text('version_minor') or '0'}",
        server_version=header.text("server_version"),
        server=header.text("server_name"),
        port=header.number("server_port"),
        game=header.text("game_type"),
        game_id=header.text("game_uuid"),
        previous_game_id=header.text("prev_game_uuid") or None,
        map=_map(header),
        start=start,
        end=None if start is None else start + last * TICK,
        duration=last * TICK,
        ticks=last,
        size=summary.size,
        messages=sum(counts.values()),
        counts=counts,
        players=tuple(_stay(stay, last) for stay in summary.attendance.stays),
        finishes=tuple(map(_finish, summary.attendance.finishes)),
        alive=tuple(LivingTee(cid, x, y) for cid, (x, y) in sorted(summary.world.places.items())),
        health=summary.health,
    )


def _map(header: Header) -> RecordedMap:
    return RecordedMap(
        name=header.text("map_name"),
        size=header.number("map_size"),
        sha256=header.text("map_sha256"),
        crc=header.text("map_crc"),
    )


def _stay(stay: Stay, last: int) -> StayInfo:
    player = stay.player
    return StayInfo(
        cid=player.cid,
        name=player.name,
        clan=player.clan,
        protocol="0.7" if player.seven else "0.6",
        client=player.version or None,
        joined=stay.first,
        left=stay.last,
        time=((last if stay.last is None else stay.last) - stay.first) * TICK,
        reason=stay.reason if stay.last is not None else None,
    )


def _finish(finish: Finish) -> FinishInfo:
    return FinishInfo(finish.tick, finish.time * TICK, finish.player or None, finish.team)


# listing


@dataclass(frozen=True, slots=True, kw_only=True)
class TeehistorianListing(Listing):
    """A recording in one line; `title` is the map's name, `finishes` how many race times the server took."""

    server: str
    finishes: int


class _Known(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What one pass found in a file, for the cache: reading a whole recording takes seconds."""

    source: Fingerprint | None
    title: str
    server: str
    people: tuple[str, ...]
    finishes: int
    start: int | None
    duration: int
    status: Status


_CACHE: Final = Cache("teehistorian", 2, _Known)


def listing(path: str) -> TeehistorianListing:
    """The recording in one line, from the cache where the file is as it was.

    Raises :class:`CannotOpen`, and another :class:`NhlogError` where it has no header.
    """
    with File(path) as file:
        stamp, source = file.stamp(), fingerprint(file)
    known = _CACHE.load(entry_name(stamp.identity))
    if known is None or known.source != source:
        known = _summarised(path, source)
        _CACHE.store(entry_name(stamp.identity), known)
    return TeehistorianListing(
        file=path,
        format=FORMAT,
        title=known.title,
        server=known.server,
        people=known.people,
        finishes=known.finishes,
        start=known.start,
        duration=known.duration,
        changed=stamp.modified // 1000,
        size=stamp.size,
        status=known.status,
    )


def _summarised(path: str, source: Fingerprint | None) -> _Known:
    summary = summarise(path)
    header, names = summary.header, dict.fromkeys(stay.player.called for stay in summary.attendance.stays)
    return _Known(
        source=source,
        title=header.text("map_name"),
        server=header.text("server_name"),
        people=tuple(names)[:MOST_NAMES],
        finishes=len(summary.attendance.finishes),
        start=header.start,
        duration=summary.world.tick * TICK,
        status=summary.status,
    )


# events and state


def events(path: str) -> Iterator[Record]:
    """One record per event; the last one has ``error`` where the recording is damaged or incomplete."""
    reader, world, players = Reader(path), World(), dict[int, Player]()
    try:
        for tick, offset, message in read_records(reader, world):
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
    for flaw in reader.flaws():
        yield error_record(flaw, world.tick)


def state(replay: TeeReplay) -> Record:
    """Where everybody is, and which keys they press, where the replay stands."""
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


OPERATIONS: Final = Operations(
    open=open_replay,
    info=info,
    listing=listing,
    dump=dump,
    state=state,
    verify=verify,
    events=events,
    stats=stats,
    convert=convert,
)
