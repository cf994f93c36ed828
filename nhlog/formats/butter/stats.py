"""Statistics of the players and teams of a session, added up from its frames.

A team's sums are those of its players, as the team statistics in the file are less reliable (spec 9.3).
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from nhlog.errors import Damaged
from nhlog.formats.butter.reading.source import faults_of, open_source
from nhlog.formats.butter.wire.values import NO_STATS, Frame, Person, Player, Stats
from nhlog.operations import Record, fault_records
from nhlog.progress import report

__all__ = ["session_stats"]

_TEAMS = ("blue", "orange", "spectators")
_STEP_MOST = 2.0  # metres between two frames: who goes farther was put there


class _PlayerStats:
    """One player's sums."""

    def __init__(self, who: Person) -> None:
        self.who = who
        self.frames: Counter[str] = Counter()
        self.distance = 0.0
        self.top_speed = 0.0
        self.possession = 0
        self.pings: Counter[int] = Counter()
        self.losses: Counter[float] = Counter()
        self.stats = NO_STATS
        self.place: tuple[float, ...] | None = None

    def add(self, player: Player, team: str) -> None:
        self.frames[team] += 1
        self.possession += player.flags & 1
        self.pings[player.ping] += 1
        self.losses[player.loss] += 1
        self.stats = player.stats
        place = player.places[:3]
        if self.place is not None and (step := math.dist(place, self.place)) < _STEP_MOST:
            self.distance += step
        self.place = place
        speed = math.hypot(*player.velocity)
        if self.top_speed < speed < math.inf:
            self.top_speed = speed


def session_stats(path: str) -> Iterator[Record]:
    """A record per player, in order of appearance, one per team, and one with ``error`` if the file is damaged."""
    faults: list[Damaged] = []
    frames = 0
    with open_source(path) as source:

        def counted() -> Iterator[Frame]:
            nonlocal frames
            for number in range(source.count):
                report("counting", number, source.count)
                chunk = source.chunk(number)
                faults.extend([chunk.fault] if chunk.fault else [])
                frames += len(chunk.frames)
                yield from chunk.frames

        yield from _stats(counted())
        yield from fault_records(faults_of(source, frames, faults))


def _stats(frames: Iterable[Frame]) -> Iterator[Record]:
    known: dict[tuple[Person, int], _PlayerStats] = {}
    before: Frame | None = None
    for frame in frames:
        here = set()
        for team_name, team in zip(_TEAMS, frame.teams, strict=True):
            for player in team.players:
                who = (player.who, 0 if player.who.row else player.playerid)
                here.add(who)
                tally = known.get(who) or known.setdefault(who, _PlayerStats(player.who))
                tally.add(player, team_name)
        if before is not None and len(before.players) != len(frame.players):
            for who, tally in known.items():
                tally.place = tally.place if who in here else None
        before = frame
    for tally in known.values():
        yield _player(tally)
    for team_name in _TEAMS:
        yield _team(team_name, [tally for tally in known.values() if _side(tally) == team_name], before)


def _side(tally: _PlayerStats) -> str:
    """The team in which a player was for the most frames."""
    return tally.frames.most_common(1)[0][0]


def _player(tally: _PlayerStats) -> Record:
    frames = tally.frames.total()
    return {
        "kind": "player",
        "player": tally.who.name,
        "userid": tally.who.userid,
        "number": tally.who.number,
        "level": tally.who.level,
        "team": _side(tally),
        "frames": frames,
        "distance": round(tally.distance, 3),
        "top_speed": round(tally.top_speed, 3),
        "possession": round(100 * tally.possession / frames, 2),
        "ping": _spread(tally.pings),
        "loss": _spread(tally.losses),
        "stats": _summed([tally.stats]),
    }


def _team(name: str, session_stats: list[_PlayerStats], last: Frame | None) -> Record:
    points = last.points[_TEAMS.index(name)] if last is not None and name != _TEAMS[2] else 0.0
    frames = max((tally.frames.total() for tally in session_stats), default=0)
    return {
        "kind": "team",
        "team": name,
        "players": [tally.who.name for tally in session_stats],
        "points": points,
        "frames": frames,
        "distance": round(sum(tally.distance for tally in session_stats), 3),
        "top_speed": round(max((tally.top_speed for tally in session_stats), default=0.0), 3),
        "possession": round(100 * sum(tally.possession for tally in session_stats) / frames, 2) if frames else 0.0,
        "stats": _summed([tally.stats for tally in session_stats]),
    }


def _spread(values: Counter[Any]) -> dict[str, float]:
    """Minimum, median and maximum of the values, without NaN; zeros if there are none."""
    ordered = sorted(value for value in values if value == value)
    if not ordered:
        return {"min": 0, "median": 0, "max": 0}
    half, middle = values.total() / 2, ordered[0]
    for middle in ordered:
        half -= values[middle]
        if half <= 0:
            break
    return {"min": ordered[0], "median": middle, "max": ordered[-1]}


def _summed(rows: list[Stats]) -> dict[str, float]:
    sums: dict[str, float] = {name: sum(getattr(row, name) for row in rows) for name in Stats._fields}
    sums["possession_time"] = round(sums["possession_time"], 3)
    return sums
