"""Parses the JSON of the game's HTTP API into frames: the inverse of `format`.

Bytes in, values out; raises :class:`Damaged` for anything that is no session.  Older versions of the game give fewer
values; the missing ones are those that the reference takes.  Numbers are accepted for booleans, and every float except
those of directions is rounded to float32, as the game has it.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec

from nhlog.decoding import json_decoder
from nhlog.errors import Damaged
from nhlog.formats.butter.wire import primitives
from nhlog.formats.butter.wire.header import Header, Roster
from nhlog.formats.butter.wire.values import (
    BONES,
    COMBAT,
    IDENTITY,
    BonePlayer,
    Bones,
    Disc,
    Frame,
    Loadout,
    Pause,
    Payload,
    Player,
    Pose,
    Rules,
    Score,
    Stats,
    Team,
    Throw,
    Vector,
)

__all__ = ["Parser"]

_Int = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
_Truth = bool | float
_ORIGIN: Final[Vector] = (0.0, 0.0, 0.0)


class _Transform(msgspec.Struct, frozen=True, gc=False):
    forward: Vector = _ORIGIN
    left: Vector = _ORIGIN
    up: Vector = _ORIGIN
    position: Vector | None = None
    pos: Vector | None = None
    velocity: Vector = _ORIGIN

    @property
    def place(self) -> Vector:
        return self.position or self.pos or _ORIGIN


_NOWHERE: Final = _Transform(*IDENTITY)


class _Stats(msgspec.Struct, frozen=True, gc=False):
    assists: _Int = 0
    blocks: _Int = 0
    catches: _Int = 0
    goals: _Int = 0
    interceptions: _Int = 0
    passes: _Int = 0
    points: _Int = 0
    saves: _Int = 0
    steals: _Int = 0
    shots_taken: _Int = 0
    possession_time: float = 0.0
    stuns: _Int = 0


_NO_STATS: Final = _Stats()


class _Player(msgspec.Struct, frozen=True, gc=False):
    name: str = ""
    userid: _Int = 0
    playerid: _Int = 0
    number: _Int = 0
    level: _Int = 0
    possession: _Truth = False
    blocking: _Truth = False
    stunned: _Truth = False
    invulnerable: _Truth = False
    is_emote_playing: _Truth = False
    ping: _Int = 0
    packetlossratio: float = 0.0
    holding_left: str | _Int | None = None
    holding_right: str | _Int | None = None
    stats: _Stats = _NO_STATS
    head: _Transform = _NOWHERE
    body: _Transform = _NOWHERE
    lhand: _Transform = _NOWHERE
    rhand: _Transform = _NOWHERE
    velocity: Vector = _ORIGIN
    weapon: str | None = msgspec.field(default=None, name="Weapon")
    ordnance: str | None = msgspec.field(default=None, name="Ordnance")
    tac_mod: str | None = msgspec.field(default=None, name="TacMod")
    arm: str | None = msgspec.field(default=None, name="Arm")


class _Team(msgspec.Struct, frozen=True, gc=False):
    team: str | None = None
    possession: _Truth = False
    stats: _Stats | None = None
    players: list[_Player] | None = None


class _Pause(msgspec.Struct, frozen=True, gc=False):
    paused_state: str = "none"
    paused_requested_team: str = "none"
    unpaused_team: str = "none"
    paused_timer: float = 0.0
    unpaused_timer: float = 0.0


class _Score(msgspec.Struct, frozen=True, gc=False):
    team: str = "none"
    point_amount: _Int = 0
    goal_type: str = "unknown"
    person_scored: str = "[INVALID]"
    assist_scored: str = "[INVALID]"
    disc_speed: float = 0.0
    distance_thrown: float = 0.0


_THROW: Final = msgspec.defstruct("_THROW", [(name, float, 0.0) for name in Throw._fields], gc=False)


class _Camera(msgspec.Struct, frozen=True, gc=False):
    vr_position: Vector = _ORIGIN
    vr_forward: Vector = IDENTITY[0]
    vr_left: Vector = IDENTITY[1]
    vr_up: Vector = IDENTITY[2]


class _Session(msgspec.Struct, frozen=True, gc=False):
    teams: list[_Team]
    game_status: str | None = None
    game_clock: float = 0.0
    client_name: str = ""
    sessionid: str = ""
    sessionip: str = ""
    map_name: str = ""
    private_match: _Truth = False
    total_round_count: _Int = 0
    blue_round_score: _Int = 0
    orange_round_score: _Int = 0
    blue_points: float = 0.0
    orange_points: float = 0.0
    blue_team_restart_request: _Truth = False
    orange_team_restart_request: _Truth = False
    left_shoulder_pressed: _Truth = False
    right_shoulder_pressed: _Truth = False
    left_shoulder_pressed2: _Truth = False
    right_shoulder_pressed2: _Truth = False
    pause: _Pause = _Pause()
    last_score: _Score | None = None
    last_throw: _THROW | None = None  # type: ignore[valid-type]
    player: _Camera = _Camera()
    disc: _Transform | None = None
    contested: _Truth = False
    payload_checkpoint: _Int = 0
    payload_defenders: _Int = 0
    payload_distance: float = 0.0
    payload_speed: float = 0.0
    rules_changed_at: _Int = 0
    rules_changed_by: str | None = None


class _BonePlayer(msgspec.Struct, frozen=True, gc=False):
    bone_t: list[float]
    bone_o: list[float]


class _Skeletons(msgspec.Struct, frozen=True, gc=False):
    user_bones: list[_BonePlayer] | None = None


_NO_THROW: Final = Throw(*(0.0,) * 13)
_NO_TEAM: Final = _Team()


class Parser:
    """Parses the sessions of one recording; `roster` is the table of its players so far."""

    def __init__(self, roster: Roster | None = None) -> None:
        self.roster = roster or Roster()
        self._session = json_decoder(_Session, strict=False)
        self._skeletons = json_decoder(_Skeletons, strict=False)

    def header(self, session: bytes) -> Header:
        """The header that version 3 would store, from the JSON of a session; raises :class:`Damaged` if it is none."""
        record = self._decode_session(session)
        return Header(
            version=3,
            interval=300,
            compression="none",
            client_name=record.client_name,
            sessionid=record.sessionid,
            sessionip=record.sessionip,
            people=(),
            total_round_count=record.total_round_count,
            blue_round_score=record.blue_round_score,
            orange_round_score=record.orange_round_score,
            private_match=bool(record.private_match),
            map_name=record.map_name,
        )

    def frame(self, time: int, session: bytes, bones: bytes | None) -> Frame:
        """The frame at `time` (ms since 1970) from the JSON of a session and of its bones; raises :class:`Damaged`."""
        record = self._decode_session(session)
        pause, score, throw, camera, disc = (
            record.pause,
            record.last_score,
            record.last_throw,
            record.player,
            record.disc,
        )
        blue, orange, spectators = [*record.teams, _NO_TEAM, _NO_TEAM, _NO_TEAM][:3]
        clock, blue_points, orange_points, paused, unpaused = _singles(
            (record.game_clock, record.blue_points, record.orange_points, pause.paused_timer, pause.unpaused_timer)
        )
        return Frame(
            time,
            clock,
            record.game_status,
            (blue_points, orange_points),
            bool(record.left_shoulder_pressed)
            | bool(record.right_shoulder_pressed) << 1
            | bool(record.left_shoulder_pressed2) << 2
            | bool(record.right_shoulder_pressed2) << 3,
            (bool(record.blue_team_restart_request), bool(record.orange_team_restart_request)),
            Pause(pause.paused_state, pause.paused_requested_team, pause.unpaused_team, paused, unpaused),
            None if score is None else _score(score),
            Throw._make(_singles(msgspec.structs.astuple(throw))) if throw else _NO_THROW,
            Pose(_vector(camera.vr_position), (camera.vr_forward, camera.vr_left, camera.vr_up)),
            None
            if disc is None
            else Disc(_vector(disc.place), (disc.forward, disc.left, disc.up), _vector(disc.velocity)),
            _payload(record) if record.map_name in COMBAT else None,
            Rules(record.rules_changed_at, record.rules_changed_by),
            (self._team(blue), self._team(orange), self._team(spectators)),
            None if bones is None else self._bones(bones),
        )

    def _decode_session(self, session: bytes) -> _Session:
        try:
            try:
                return self._session.decode(session)
            except UnicodeDecodeError:
                return self._session.decode(session.decode("utf-8", "replace"))
        except RecursionError:
            raise Damaged("not a session: JSON nested too deeply") from None
        except msgspec.MsgspecError as error:
            raise Damaged(f"not a session: {error}") from None

    def _team(self, team: _Team) -> Team:
        players = tuple(map(self._player, team.players)) if team.players else ()
        return Team(bool(team.possession), _stats(team.stats or _NO_STATS), players, team.team)

    def _player(self, record: _Player) -> Player:
        head, body, left, right = record.head, record.body, record.lhand, record.rhand
        numbers = _singles(
            (*head.place, *body.place, *left.place, *right.place, *record.velocity, record.packetlossratio)
        )
        flags = 1 if record.possession else 0
        if record.blocking:
            flags |= 2
        if record.stunned:
            flags |= 4
        if record.invulnerable:
            flags |= 8
        if record.is_emote_playing:
            flags |= 16
        return Player(
            self.roster.person(record.userid, record.name, record.number, record.level),
            record.playerid,
            flags,
            _stats(record.stats),
            record.ping,
            numbers[15],
            (_holding(record.holding_left), _holding(record.holding_right)),
            (numbers[12], numbers[13], numbers[14]),
            numbers[:12],
            (
                (head.forward, head.left, head.up),
                (body.forward, body.left, body.up),
                (left.forward, left.left, left.up),
                (right.forward, right.left, right.up),
            ),
            None
            if record.weapon is None
            else Loadout(record.weapon, record.ordnance or "", record.tac_mod or "", record.arm or ""),
        )

    def _bones(self, bones: bytes) -> Bones | None:
        try:
            skeletons = self._skeletons.decode(bones).user_bones
        except RecursionError:
            raise Damaged("not bones: JSON nested too deeply") from None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Damaged(f"not bones: {error}") from None
        if skeletons is None:
            return None
        for player in skeletons:
            if len(player.bone_t) != 3 * BONES or len(player.bone_o) != 4 * BONES:
                found = f"{len(player.bone_t)} and {len(player.bone_o)}"
                raise Damaged("no bones", expected=f"{3 * BONES} and {4 * BONES} numbers", found=found)
        return tuple(BonePlayer(_singles(player.bone_t), _singles(player.bone_o)) for player in skeletons)


def _singles(values: Sequence[float]) -> tuple[float, ...]:
    """The float32 nearest to each value; raises :class:`Damaged` for a finite number beyond the range of float32."""
    found = primitives.singles(values)
    if math.inf in found or -math.inf in found:
        for value, single in zip(values, found, strict=True):
            if math.isinf(single) and not math.isinf(value):
                raise Damaged("not a session: a number that is too large", expected="a float32", found=value)
    return found


def _single(value: float) -> float:
    return _singles((value,))[0]


def _vector(values: Vector) -> Vector:
    x, y, z = _singles(values)
    return x, y, z


def _stats(record: _Stats) -> Stats:
    stats = Stats._make(msgspec.structs.astuple(record))
    return stats._replace(possession_time=_single(stats.possession_time)) if stats.possession_time else stats


def _score(record: _Score) -> Score:
    score = Score._make(msgspec.structs.astuple(record))
    return score._replace(disc_speed=_single(score.disc_speed), distance_thrown=_single(score.distance_thrown))


def _payload(record: _Session) -> Payload:
    distance, speed = _singles((record.payload_distance, record.payload_speed))
    return Payload(bool(record.contested), record.payload_checkpoint, record.payload_defenders, distance, speed)


def _holding(value: str | int | None) -> str | None:
    return str(value) if isinstance(value, int) else value
