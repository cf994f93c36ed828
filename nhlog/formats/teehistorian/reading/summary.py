"""A recording as a whole, from one pass over it; a damaged or cut one as far as it goes.

Moments are UTC microseconds since 1970, spans microseconds; ticks are counted as the recording does.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.dump import UNKNOWN, extra_kind
from nhlog.formats.teehistorian.reading.counter import Skimmer
from nhlog.formats.teehistorian.reading.reader import Reading, read
from nhlog.formats.teehistorian.reading.stays import Roll, Stay
from nhlog.formats.teehistorian.reading.world import World
from nhlog.formats.teehistorian.replay import FORMAT, TICK
from nhlog.formats.teehistorian.wire.codec import BadMessage
from nhlog.formats.teehistorian.wire.header import Header

__all__ = ["Summary", "health", "info", "summarise"]

Record = dict[str, Any]
_KINDS: Final = {"player_diff": "player_change", "input_diff": "input", "input_new": "input"}
_SILENT: Final = ("ex", "tick_skip", "finish")  # what has no record of its own kind


@dataclass(frozen=True, slots=True)
class Summary:
    """`counts` are messages by the kinds of `dump`; `error` is what ended the reading early.

    `size` is in bytes, unpacked; `junk` of them come after the end.
    """

    header: Header
    world: World
    roll: Roll
    counts: Counter[str]
    size: int
    junk: int
    error: Damaged | None


def summarise(path: str) -> Summary:
    """The recording in `path`."""
    reading, skimmer, roll = read(path), Skimmer(), Roll()
    world = World(roll.hear)
    error = _go(reading, skimmer, world)
    splitter = reading.splitter
    return Summary(reading.header, world, roll, _counts(skimmer), splitter.end, splitter.junk, error)


def _go(reading: Reading, skimmer: Skimmer, world: World) -> Damaged | None:
    try:
        for messages in reading.batches():
            try:
                world.play(messages)
            except BadMessage as error:
                skimmer.take(messages[: error.offset])
                return reading.misfit(error, messages)
            skimmer.take(messages)
        reading.check(world.tick)
    except Damaged as error:
        return error
    return None


def _counts(skimmer: Skimmer) -> Counter[str]:
    counts: Counter[str] = Counter()
    for kind, count in skimmer.counts.items():
        if kind not in _SILENT:
            counts[_KINDS.get(kind, kind)] += count
    for name, count in skimmer.extras.items():
        counts[extra_kind(name) if name else UNKNOWN] += count
    return Counter(dict(sorted(counts.items())))


def health(summary: Summary) -> str:
    """ "sound", or what is wrong in words."""
    if summary.error:
        return summary.error.what
    return f"{summary.junk} bytes after the end" if summary.junk else "sound"


def info(path: str) -> Record:
    """The recording as a whole."""
    summary = summarise(path)
    header, start, last = summary.header, summary.header.start, summary.world.tick
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
        "messages": sum(summary.counts.values()),
        "counts": dict(summary.counts),
        "players": [_stay(stay, last) for stay in summary.roll.stays],
        "finishes": [
            {"tick": it.tick, "time": it.time * TICK, "player": it.player or None, "team": it.team}
            for it in summary.roll.finishes
        ],
        "alive": [{"cid": cid, "x": x, "y": y} for cid, (x, y) in sorted(summary.world.places.items())],
        "health": health(summary),
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
