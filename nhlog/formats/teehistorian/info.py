"""The description of a recording: its header, its players, finished races, and the positions at the end.

Times are UTC microseconds since 1970, durations microseconds; ticks are those of the recording.
"""

from collections.abc import Mapping

from nhlog.formats.teehistorian import FORMAT
from nhlog.formats.teehistorian.dump import count_kinds
from nhlog.formats.teehistorian.reading.attendance import Finish, Stay
from nhlog.formats.teehistorian.reading.events import TICK
from nhlog.formats.teehistorian.reading.summary import summarise
from nhlog.formats.teehistorian.wire.header import Header
from nhlog.values import dataclass

__all__ = ["FinishInfo", "LivingTee", "RecordedMap", "StayInfo", "TeehistorianInfo", "recording_info"]


@dataclass(frozen=True, slots=True)
class RecordedMap:
    """The map as named in the header: `size` in bytes, digests of its file in hexadecimal; empty if missing."""

    name: str
    size: int | None
    sha256: str
    crc: str


@dataclass(frozen=True, slots=True)
class StayInfo:
    """The time of a player on the server: `joined` and `left` are ticks, `time` a duration.

    `left` and `reason` are None for a player who has not left; `client` is the version text of the player's program.
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
    """A race finished at a tick, by a `player` or a `team` (the other is None); `time` is its duration."""

    tick: int
    time: int
    player: str | None
    team: int | None


@dataclass(frozen=True, slots=True)
class LivingTee:
    """The position of a tee at the end, in world units."""

    cid: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class TeehistorianInfo:
    """The description of a recording; `counts` are messages by the types of :func:`dump`, `size` is uncompressed."""

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


def recording_info(path: str) -> TeehistorianInfo:
    """Describe a recording, as far as it can be read; raises :class:`NhlogError` if it has no header."""
    summary = summarise(path)
    header, start, last = summary.header, summary.header.start, summary.world.tick
    counts = count_kinds(summary.counts, summary.extras)
    return TeehistorianInfo(
        format=FORMAT.name,
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
