"""The reference decoder: stored frames added up as the reference does it, its bugs included (spec 7 and 9).

A frame is decoded from its own chunk alone, so a chunk can be decoded without those before it.
"""

from collections.abc import Iterable, Iterator
from operator import add, itemgetter
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.codes import GOALS, HOLDINGS, LOADOUTS, PAUSES, STATUSES
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.primitives import single, singles
from nhlog.formats.butter.wire.stored import Numbers, StoredFrame, StoredPlayer, StoredTeam
from nhlog.formats.butter.wire.values import (
    IDENTITY,
    NO_STATS,
    NOBODY,
    TEAMS,
    Disc,
    Frame,
    Pause,
    Payload,
    Person,
    Player,
    Pose,
    Rules,
    Score,
    Stats,
    Team,
    Throw,
    Vector,
)

__all__ = ["BLANK", "NEW_PLAYER", "NO_CHANGE", "ReferenceDecoder", "add_singles"]

NO_CHANGE: Final = (-0.0,) * 12  # added, it changes no float, not even a zero's sign
_ORIGIN: Final[Vector] = (0.0, 0.0, 0.0)


def _getters(bits: int) -> tuple[Any, Any]:
    """Functions that pick the 12 differences and the 4 rotations of a player, for one value of the `parts` bits.

    They pick from the stored numbers followed by the substitutes for those that are left out.
    """
    places, rotations, at = {}, {}, 0
    for part in range(4):
        if bits >> 2 * part & 1:
            places[part] = at
            at += 3
        if bits >> 2 * part + 1 & 1:
            rotations[part] = at
            at += 1
    picked = [places.get(part, at + 3 * part) + axis for part in range(4) for axis in range(3)]
    return itemgetter(*picked), itemgetter(*(rotations.get(part, at + part) for part in range(4)))


_GETTERS: Final = tuple(map(_getters, range(256)))
_MOVES: Final = 0b01010101  # the positions among the parts of a player
_ALL: Final = 0xFF
_Known = tuple[Player, tuple[float, ...]]  # a player, and what stands for a position left out in the next frame

NEW_PLAYER: Final = Player(NOBODY, 0, 0, NO_STATS, 0, 0.0, (None, None), _ORIGIN, _ORIGIN * 4, (IDENTITY,) * 4, None)
_TEAM: Final = Team(False, NO_STATS, ())
BLANK: Final = Frame(
    time=0,
    clock=0.0,
    status=None,
    points=(0.0, 0.0),
    inputs=0,
    restarts=(False, False),
    pause=Pause("none", "none", "none", 0.0, 0.0),
    last_score=None,
    last_throw=Throw(*(0.0,) * 13),
    vr=Pose(_ORIGIN, IDENTITY),
    disc=None,
    payload=None,
    rules=Rules(0, None),
    teams=(_TEAM, _TEAM, _TEAM),
    bones=None,
)


def add_singles(base: tuple[float, ...], differences: tuple[float, ...]) -> tuple[float, ...]:
    """Add each difference to its number, rounded to float32."""
    return singles([*map(add, base, differences)])


class ReferenceDecoder:
    """Decodes the stored frames of one chunk as the reference does it."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self._last = BLANK
        self._known: dict[Any, _Known] = {}

    def frames(self, stored: Iterable[StoredFrame]) -> Iterator[tuple[bool, Frame]]:
        """Each frame with whether it is a keyframe; raises :class:`Damaged` if there is nothing to count from."""
        for frame in stored:
            if self._last is BLANK and not frame.key:
                raise Damaged("the chunk does not begin with a keyframe", offset=0, expected="FCFE", found="FEFE")
            try:
                self._last = self._frame(frame)
            except Damaged as fault:
                fault.offset = frame.offset
                raise
            yield frame.key, self._last

    def _frame(self, stored: StoredFrame) -> Frame:
        if stored.key:
            self._forget()
        last = self._last
        return Frame(
            stored.time + last.time,
            single(stored.clock + last.clock) if last.clock else stored.clock,
            last.status if stored.status is None else _word(STATUSES, stored.status, 0),
            self._points(stored),
            last.inputs if stored.inputs is None else stored.inputs & 15,
            self._restarts(stored),
            self._pause(stored),
            self._score(stored.score) if stored.score else last.last_score,
            Throw._make(stored.throw) if stored.throw else last.last_throw,
            self._vr(stored.vr),
            self._disc(stored.disc),
            _payload(stored.payload) if stored.payload else last.payload,
            Rules(*stored.rules) if stored.rules else last.rules,
            self._teams(stored),
            stored.bones,
        )

    def _forget(self) -> None:
        """Start a keyframe: reset everything that frames count from."""
        self._last = BLANK
        self._known = {}

    def _points(self, stored: StoredFrame) -> tuple[float, float]:
        if stored.points:
            return float(stored.points[0]), float(stored.points[1])
        if self.header.combat and self.header.version == 3:
            return 0.0, 0.0
        return self._last.points

    def _restarts(self, stored: StoredFrame) -> tuple[bool, bool]:
        return _restarts(stored.pause[0]) if stored.pause else (False, False)

    def _pause(self, stored: StoredFrame) -> Pause:
        if not stored.pause:
            return self._last.pause
        flags, state, paused, unpaused = stored.pause
        return Pause(_word(PAUSES, state, -1), TEAMS[flags >> 2 & 3], TEAMS[flags >> 4 & 3], paused, unpaused)

    def _score(self, stored: Numbers) -> Score:
        bits, scorer, assist, speed, distance = stored
        return Score(
            TEAMS[bits & 3],
            3 if bits & 4 else 2,
            GOALS[bits >> 3] if bits >> 3 < len(GOALS) else str(bits >> 3),
            self.header.person(scorer).name,
            self.header.person(assist).name,
            speed,
            distance,
        )

    def _vr(self, stored: Numbers) -> Pose:
        if not stored:
            return self._last.vr
        x, y, z = add_singles(self._last.vr.position, stored[:3])
        return Pose((x, y, z), stored[3])

    def _disc(self, stored: Numbers) -> Disc | None:
        last = self._last.disc
        if not stored:
            return last
        dx, dy, dz, rotation, *speeds = stored
        base = (*last.position, *last.velocity) if last else _ORIGIN * 2
        x, y, z, u, v, w = add_singles(base, (dx, dy, dz, *speeds))
        return Disc((x, y, z), rotation, (u, v, w))

    def _teams(self, stored: StoredFrame) -> tuple[Team, Team, Team]:
        known, self._known = self._known, {}
        a, b, c = (
            Team(team.possession, self._team_stats(team, last), self._players(team.players, known, stored.key))
            for team, last in zip(stored.teams, self._last.teams, strict=True)
        )
        return a, b, c

    def _team_stats(self, stored: StoredTeam, last: Team) -> Stats:
        return Stats._make(stored.stats) if stored.stats else last.stats

    def _players(
        self,
        stored: tuple[StoredPlayer, ...],
        known: dict[Any, _Known],
        key: bool,
    ) -> tuple[Player, ...]:
        """The players of a team.  This is the hot path: one iteration per player and frame."""
        now, identify, elided, make = self._known, self._identify, self._elided, tuple.__new__
        getters = _GETTERS
        players = []
        for who, playerid, flags, stats, ping, holding, velocity, parts, poses, loadout in stored:
            identity = identify(who, playerid, known)
            last, absent = known.get(identity) or self._new_player(key, ping, parts)
            _, _, _, last_stats, last_ping, last_loss, last_holding, last_velocity, last_places, rotations, _ = last
            get_places, get_rotations = getters[parts]
            differences = get_places(poses + absent)
            still = absent is NO_CHANGE and not parts & _MOVES
            player = make(
                Player,
                (
                    who,
                    playerid,
                    flags,
                    self._summed(last_stats, stats) if stats else last_stats,
                    self._pinged(last_ping, ping[0]) if ping else last_ping,
                    single(last_loss + ping[1]) if ping else last_loss,
                    (HOLDINGS[holding[0]], HOLDINGS[holding[1]]) if holding else last_holding,
                    singles([*map(add, last_velocity, velocity)]) if velocity else last_velocity,
                    last_places if still else singles([*map(add, last_places, differences)]),
                    get_rotations(poses + rotations),
                    None if loadout is None else LOADOUTS[loadout],
                ),
            )
            players.append(player)
            if identity not in now:  # the reference takes the first of those who have one identity
                now[identity] = player, elided(differences)
        return tuple(players)

    # the methods that the corrected decoder overrides

    def _identify(self, who: Person, playerid: int, known: dict[Any, Any]) -> Any:
        """The key by which a player is found again in the next frame."""
        return who.userid

    def _new_player(self, key: bool, ping: Numbers, parts: int) -> _Known:
        """The values that a new player counts from; raises :class:`Damaged` if the player is not stored completely."""
        if not ping or not parts & 1 or not (key or parts == _ALL):
            raise Damaged(
                "a difference for a player without complete data", expected="complete data", found="differences"
            )
        return NEW_PLAYER, NO_CHANGE

    def _elided(self, differences: tuple[float, ...]) -> tuple[float, ...]:
        """The differences to use in the next frame for positions that are left out there."""
        return NO_CHANGE

    def _pinged(self, last: int, difference: int) -> int:
        """The ping of a player: the reader of version 1 takes a negative difference for a large positive one."""
        return last + (difference & 0xFFFF if self.header.version == 1 else difference)

    def _summed(self, last: Stats, stored: Numbers) -> Stats:
        """The statistics of a player."""
        sums = [*map(add, last, stored)]
        sums[10] = single(sums[10])
        return Stats._make(sums)


def _word(names: tuple[str, ...], number: int, otherwise: int) -> str:
    return names[number if number < len(names) else otherwise]


def _restarts(flags: int) -> tuple[bool, bool]:
    return bool(flags & 1), bool(flags & 2)


def _payload(stored: Numbers) -> Payload:
    contested, checkpoint, defenders, distance, speed = stored
    return Payload(bool(contested), checkpoint, defenders, distance, speed)
