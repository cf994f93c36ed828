"""The differences between two recordings of a session, field by field.

Frames are paired by their recorded time, players by their userid; frames that only one of the recordings has are
counted, and do not affect the rest.  The difference of positions and velocities is a distance, that of rotations an
angle, that of non-numeric fields the number of frames in which they differ; a part of a frame that only one of them has
is infinitely different.
"""

from collections.abc import Iterable, Iterator
from math import dist, inf, isfinite
from typing import Any, Final

from nhlog.formats.butter.reading.stream import open_stream
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.rotations import angle_between, angle_between_rotations
from nhlog.formats.butter.wire.values import BONES, BonePlayer, Bones, Frame, Person, Player, Stats, Team
from nhlog.operations import Record

__all__ = ["UNITS", "Differences", "diff", "pair_frames"]

UNITS: Final = {
    "client": "recording",
    "session": "recording",
    "server": "recording",
    "map": "recording",
    "private": "recording",
    "rounds": "recording",
    "round_scores": "recording",
    "time": "µs",
    "game_clock": "s",
    "points": "",
    "pause_timer": "s",
    "disc.position": "m",
    "disc.rotation": "degrees",
    "disc.velocity": "m/s",
    "camera.position": "m",
    "camera.rotation": "degrees",
    "head.position": "m",
    "head.rotation": "degrees",
    "body.position": "m",
    "body.rotation": "degrees",
    "left_hand.position": "m",
    "left_hand.rotation": "degrees",
    "right_hand.position": "m",
    "right_hand.rotation": "degrees",
    "velocity": "m/s",
    "ping": "ms",
    "packet_loss": "",
    "stats": "",
    "possession_time": "s",
    "team.stats": "",
    "team.possession_time": "s",
    "last_score": "",
    "last_throw": "",
    "payload": "",
    "bones.position": "m",
    "bones.rotation": "degrees",
    "status": "frames",
    "inputs": "frames",
    "restart_requests": "frames",
    "pause": "frames",
    "goal": "frames",
    "rules": "frames",
    "possession": "frames",
    "players": "frames",
    "number": "frames",
    "level": "frames",
    "flags": "frames",
    "holding": "frames",
    "loadout": "frames",
    "skeletons": "frames",
}
"""Every field, with the unit of its difference; ``frames`` for fields that are only compared for equality, and
``recording`` for those of them that a recording has once."""

_PARTS: Final = tuple(
    (f"{part}.position", f"{part}.rotation", 3 * number, number)
    for number, part in enumerate(("head", "body", "left_hand", "right_hand"))
)
_TIME: Final = Stats._fields.index("possession_time")


class Differences:
    """The differences between the pairs of frames that were added; `frames` is the number of pairs."""

    def __init__(self) -> None:
        self.frames = 0
        self._found: dict[str, list[float]] = {name: [0.0, 0.0, 0, -1] for name in UNITS}  # largest, sum, count, where

    def headers(self, one: Header, other: Header) -> None:
        """Compare what the recordings say once; their players are compared in each frame."""
        for name, differs in (
            ("client", one.client_name != other.client_name),
            ("session", one.sessionid.upper() != other.sessionid.upper()),
            ("server", one.sessionip != other.sessionip),
            ("map", one.map_name != other.map_name),
            ("private", one.private_match != other.private_match),
            ("rounds", one.total_round_count != other.total_round_count),
            ("round_scores", _round_scores(one) != _round_scores(other)),
        ):
            found = self._found[name]
            found[0] += differs
            found[2] += 1

    def add(self, one: Frame, other: Frame) -> None:
        """Compare a pair of frames."""
        note, differ = self._note, self._differ
        note("time", 1000 * (one.time - other.time))
        note("game_clock", one.clock - other.clock)
        note("points", dist(one.points, other.points))
        note("pause_timer", dist(one.pause[3:], other.pause[3:]))
        if one.disc and other.disc:
            note("disc.position", dist(one.disc.position, other.disc.position))
            note("disc.rotation", angle_between_rotations(one.disc.rotation, other.disc.rotation))
            note("disc.velocity", dist(one.disc.velocity, other.disc.velocity))
        elif one.disc or other.disc:
            note("disc.position", inf)
        note("camera.position", dist(one.vr.position, other.vr.position))
        note("camera.rotation", angle_between_rotations(one.vr.rotation, other.vr.rotation))
        note("last_throw", _most(one.last_throw, other.last_throw))
        if one.last_score and other.last_score:
            note("last_score", _most(one.last_score[5:], other.last_score[5:]))
            differ("goal", one.last_score[:5] != other.last_score[:5])
        elif one.last_score or other.last_score:
            note("last_score", inf)
        if one.payload and other.payload:
            note("payload", _most(one.payload, other.payload))
        elif one.payload or other.payload:
            note("payload", inf)
        differ("status", one.status != other.status)
        differ("inputs", one.inputs != other.inputs)
        differ("restart_requests", one.restarts != other.restarts)
        differ("pause", one.pause[:3] != other.pause[:3])
        differ("rules", (one.rules[0], one.rules[1] or "") != (other.rules[0], other.rules[1] or ""))
        for team, another in zip(one.teams, other.teams, strict=True):
            self._team(team, another)
        self._bones(one.bones, other.bones)
        self.frames += 1

    def _note(self, name: str, difference: float) -> None:
        found = self._found[name]
        difference = abs(difference)
        if difference:
            if difference != difference:
                difference = float("inf")  # only one of them is no number: those that are alike are not told apart
            found[1] += difference
            if difference > found[0]:
                found[0], found[3] = difference, self.frames
        found[2] += 1

    def _differ(self, name: str, differs: bool) -> None:
        found = self._found[name]
        found[2] += 1
        if differs:
            found[0] += 1
            if found[3] < 0:
                found[3] = self.frames

    def _team(self, one: Team, other: Team) -> None:
        self._tally("team.", one.stats, other.stats)
        self._differ("possession", one.possession != other.possession)
        players = one.players
        if [player.who.userid for player in players] != [player.who.userid for player in other.players]:
            there = {player.who.userid: player for player in other.players}
            pairs = [(player, there[player.who.userid]) for player in players if player.who.userid in there]
        else:
            pairs = [*zip(players, other.players, strict=True)]
        self._differ("players", list(map(_named, players)) != list(map(_named, other.players)))
        for pair in pairs:
            self._player(*pair)

    def _player(self, one: Player, other: Player) -> None:
        note, differ = self._note, self._differ
        if one.places == other.places and one.rotations == other.rotations:
            for position, rotation, _, _ in _PARTS:
                note(position, 0)
                note(rotation, 0)
        else:
            for position, rotation, place, number in _PARTS:
                note(position, dist(one.places[place : place + 3], other.places[place : place + 3]))
                note(rotation, angle_between_rotations(one.rotations[number], other.rotations[number]))
        note("velocity", dist(one.velocity, other.velocity))
        note("ping", one.ping - other.ping)
        note("packet_loss", one.loss - other.loss)
        self._tally("", one.stats, other.stats)
        differ("number", one.who.number != other.who.number)
        differ("level", one.who.level != other.who.level)
        differ("flags", one.flags != other.flags or one.playerid != other.playerid)
        differ("holding", one.holding != other.holding)
        differ("loadout", one.loadout != other.loadout)

    def _tally(self, whose: str, one: Stats, other: Stats) -> None:
        if one == other:
            self._note(f"{whose}stats", 0)
            self._note(f"{whose}possession_time", 0)
            return
        self._note(f"{whose}possession_time", one.possession_time - other.possession_time)
        self._note(f"{whose}stats", _most(one._replace(possession_time=0), other._replace(possession_time=0)))

    def _bones(self, one: bytes | Bones | None, other: bytes | Bones | None) -> None:
        if one is None and other is None:
            return
        assert not isinstance(one, bytes), "bones must be expanded"
        assert not isinstance(other, bytes), "bones must be expanded"
        one, other = one or (), other or ()
        self._differ("skeletons", len(one) != len(other))
        for skeleton, another in zip(one, other, strict=False):
            for difference in _bone_moves(skeleton, another):
                self._note("bones.position", difference)
            for difference in _bone_turns(skeleton, another):
                self._note("bones.rotation", difference)

    def records(self) -> Iterator[Record]:
        """A record per field that both recordings have; ``frame`` is the pair that differs most (or first)."""
        for name, (largest, total, count, frame) in self._found.items():
            if not count:
                continue
            words = UNITS[name] in ("frames", "recording")
            yield {
                "field": name,
                "unit": UNITS[name],
                "largest": _finite(int(largest) if words else largest),
                "mean": None if words else _finite(total / count),
                "frame": None if frame < 0 else int(frame),
                "compared": int(count),
            }


def _round_scores(header: Header) -> tuple[int, int]:
    return header.blue_round_score, header.orange_round_score


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _named(player: Player) -> tuple[int, str]:
    who: Person = player.who
    return who.userid, who.name


def _most(one: Iterable[Any], other: Iterable[Any]) -> float:
    return float(max([abs(a - b) for a, b in zip(one, other, strict=True)]))


def _bone_moves(one: BonePlayer, other: BonePlayer) -> Iterator[float]:
    for at in range(0, 3 * BONES, 3):
        yield dist(one.positions[at : at + 3], other.positions[at : at + 3])


def _bone_turns(one: BonePlayer, other: BonePlayer) -> Iterator[float]:
    for at in range(0, 4 * BONES, 4):
        yield angle_between(one.rotations[at : at + 4], other.rotations[at : at + 4])


def pair_frames(one: Iterable[Frame], other: Iterable[Frame]) -> Iterator[tuple[Frame | None, Frame | None]]:
    """Pair frames of the same time; a frame that only one of the recordings has is paired with None."""
    ones, others = iter(one), iter(other)
    a, b = next(ones, None), next(others, None)
    while a is not None or b is not None:
        if a is None or (b is not None and b.time < a.time):
            yield None, b
            b = next(others, None)
        elif b is None or a.time < b.time:
            yield a, None
            a = next(ones, None)
        else:
            yield a, b
            a, b = next(ones, None), next(others, None)


def diff(a: str, b: str) -> Iterator[Record]:
    """A record per field that both recordings have, then one with the numbers of frames and the errors."""
    differences = Differences()
    only_a = only_b = 0
    with open_stream(a) as one, open_stream(b) as other:
        for left, right in pair_frames(one.frames(), other.frames()):
            if left is None:
                only_b += 1
            elif right is None:
                only_a += 1
            else:
                differences.add(left, right)
        differences.headers(one.header, other.header)
        fields = [*differences.records()]
        yield from fields
        yield {
            "frames": differences.frames,
            "only_a": only_a,
            "only_b": only_b,
            "differing": sum(field["largest"] != 0 for field in fields),
            "error_a": one.faults.summary(),
            "error_b": other.faults.summary(),
        }
