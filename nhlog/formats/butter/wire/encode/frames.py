"""Encoding of frames as version 3 (spec 3), as differences to what a decoder has of the frame before.

So errors do not add up from frame to frame.  The bytes mean the same to the reference and to a corrected reader:
whatever these would read differently is avoided (spec 9).  Two things cannot be: differences of a team's statistics and
of the pause timers are added up by a corrected reader alone (spec 9.3 and 9.4), and only keyframes would spare it that.

A frame that cannot be stored as differences - earlier than the frame before, when a statistic falls or the disc is
gone, beyond the range of a half - becomes a keyframe inside its chunk; so does one a minute after the last keyframe.
"""

from collections.abc import Callable
from struct import Struct
from typing import Final, TypeVar

from nhlog.formats.butter.wire.codes import GOALS, PAUSES, STATUSES
from nhlog.formats.butter.wire.encode.bones import BonesEncoder
from nhlog.formats.butter.wire.encode.differences import HalfDifferences, NeedsKeyframe
from nhlog.formats.butter.wire.encode.players import MOST_ROWS, PlayersEncoder
from nhlog.formats.butter.wire.frames import TIMES
from nhlog.formats.butter.wire.header import Header, Roster
from nhlog.formats.butter.wire.primitives import clamp_to_half, single
from nhlog.formats.butter.wire.rotations import nearest_rotation
from nhlog.formats.butter.wire.values import TEAMS, Disc, Frame, Pause, Payload, Pose, Rules, Score, Throw

__all__ = ["Encoder"]

_Part = TypeVar("_Part")

_KEY: Final = Struct("<HqfB")
_OTHER: Final = Struct("<HHfB")
_KEY_MARK, _OTHER_MARK = 0xFEFC, 0xFEFE
_COMBAT_POINTS: Final = Struct("<Bee")
_SCORE: Final = Struct("<BBBee")
_THROW: Final = Struct("<13e")
_PAYLOAD: Final = Struct("<BBBee")
_RULES: Final = Struct("<q")

_STATUS, _PAUSE, _LAST_SCORE, _LAST_THROW = 1, 2, 4, 8  # the inclusion bits
_VR, _DISC, _PAYLOAD_STATE, _RULES_CHANGED = 16, 32, 64, 128
_MOST_SPAN: Final = 60_000  # ms between two keyframes, as the format's own text says; a difference may say 65535
_MOST_TEXT: Final = 1000  # bytes of a name; the reference gives up at 1024
_NO_TEAM, _NO_PAUSE = 3, 5
_SAME: Final = (0,)  # the only row is where it was
_TEAMS: Final = {name: number for number, name in enumerate(TEAMS)}
_STATUSES: Final[dict[str | None, int]] = {name: number for number, name in enumerate(STATUSES)}
_PAUSES: Final = {name: number for number, name in enumerate(PAUSES)}
_GOALS: Final = {word: number for number, word in enumerate((*GOALS, *map(str, range(len(GOALS), 32))))}  # in 5 bits


class Encoder:
    """Encodes the frames of one session; the names in them are looked up in `roster`."""

    def __init__(self, header: Header, roster: Roster) -> None:
        self._arena, self._combat = header.arena, header.combat
        self._ruled = header.arena and header.private_match
        self._roster = roster
        self._players = PlayersEncoder(arena=header.arena, combat=header.combat)
        self._bones = BonesEncoder()
        self._time = self._key_time = 0
        self._clock = 0.0
        self._status = self._pause = b""
        self._whole: dict[int, tuple[object, bytes]] = {}  # what was recorded, and stored, by bit
        self._moves = {_PAUSE: HalfDifferences(2), _VR: HalfDifferences(3), _DISC: HalfDifferences(6)}
        self._stood = {_VR: b"", _DISC: b""}

    def frame(self, frame: Frame, *, key: bool) -> bytes:
        """The bytes of the next frame: a keyframe with `key`, else only if differences cannot store it.

        Raises :class:`ValueError` for a time that no reader takes.
        """
        if frame.time not in TIMES:
            raise ValueError(f"a time of {frame.time} ms")
        if key or not self._key_time <= self._time <= frame.time <= self._key_time + _MOST_SPAN:
            return self._frame(frame, True)
        try:
            return self._frame(frame, False)
        except NeedsKeyframe:
            return self._frame(frame, True)

    def _frame(self, frame: Frame, key: bool) -> bytes:
        parts = (
            (_STATUS, self._status_bytes(frame, key)),
            (_PAUSE, self._pause_bytes(frame.pause, frame.restarts, key)),
            (_LAST_SCORE, self._kept(_LAST_SCORE, frame.last_score, self._score, key) if self._arena else b""),
            (_LAST_THROW, self._kept(_LAST_THROW, frame.last_throw, _throw, key)),
            (_VR, self._vr_bytes(frame.vr, key)),
            (_DISC, self._disc_bytes(frame.disc, key) if self._arena else b""),
            (_PAYLOAD_STATE, self._kept(_PAYLOAD_STATE, frame.payload, _payload, key) if self._combat else b""),
            (_RULES_CHANGED, self._kept(_RULES_CHANGED, frame.rules, _rules, key) if self._ruled else b""),
        )
        bits = sum([bit for bit, part in parts if part])
        clock = single(frame.clock) if key else self._clock_step(frame.clock)
        head = (
            _KEY.pack(_KEY_MARK, frame.time, clock, bits)
            if key
            else _OTHER.pack(_OTHER_MARK, frame.time - self._time, clock, bits)
        )
        players = self._players.teams(frame.teams, key=key)
        assert not isinstance(frame.bones, bytes), "bones must be expanded"
        bones = self._bones.section(frame.bones, key=key)
        self._time = frame.time
        if key:
            self._key_time = frame.time
        self._clock = clock if key else single(self._clock + clock)
        return b"".join((head, *[part for _, part in parts], players, bones))

    def _clock_step(self, clock: float) -> float:
        step = single(clock - self._clock)
        if step - step:  # not finite
            raise NeedsKeyframe
        return step

    def _status_bytes(self, frame: Frame, key: bool) -> bytes:
        """Status, points and inputs; nothing if they are unchanged, and then the reference reads combat points as 0."""
        status = _STATUSES.get(frame.status, 0)
        blue, orange = frame.points
        if self._arena:
            stored = bytes((status, _byte(blue), _byte(orange), frame.inputs & 15))
        elif self._combat:
            stored = _COMBAT_POINTS.pack(status, clamp_to_half(blue), clamp_to_half(orange)) + bytes(
                (frame.inputs & 15,)
            )
        else:
            stored = bytes((status, frame.inputs & 15))
        if stored == self._status and not (key or (self._combat and any(frame.points))):
            return b""
        self._status = stored
        return stored

    def _pause_bytes(self, pause: Pause, restarts: tuple[bool, bool], key: bool) -> bytes:
        """The pause; never left out while a restart is requested, as the reference would drop the request."""
        flags = (
            restarts[0]
            | restarts[1] << 1
            | _TEAMS.get(pause.paused_requested_team, _NO_TEAM) << 2
            | _TEAMS.get(pause.unpaused_team, _NO_TEAM) << 4
        )
        step = self._moves[_PAUSE].step((pause.paused_timer, pause.unpaused_timer), _SAME, key=key)
        stored = bytes((flags, _PAUSES.get(pause.paused_state, _NO_PAUSE))) + step
        if stored == self._pause and not (key or any(restarts)):
            return b""
        self._pause = stored
        return stored

    def _kept(self, bit: int, part: _Part | None, form: Callable[[_Part], bytes], key: bool) -> bytes:
        """A part that is stored whole; nothing if it is unchanged."""
        recorded, stored = self._whole.get(bit, (None, b""))
        if part is None:
            if stored and not key:  # a decoder would keep it
                raise NeedsKeyframe
            self._whole.pop(bit, None)
            return b""
        if part is not recorded and part != recorded:
            found = form(part)
            self._whole[bit] = part, found
            return found if key or found != stored else b""
        return stored if key else b""

    def _score(self, score: Score) -> bytes:
        number = _GOALS.get(score.goal_type.replace("_", " "), 0)
        return _SCORE.pack(
            _TEAMS.get(score.team, _NO_TEAM) | (score.point_amount != 2) << 2 | number << 3,
            self._row(score.person_scored),
            self._row(score.assist_scored),
            clamp_to_half(score.disc_speed),
            clamp_to_half(score.distance_thrown),
        )

    def _row(self, name: str) -> int:
        row = self._roster.row(name)
        return row if row <= MOST_ROWS else 0

    def _vr_bytes(self, vr: Pose, key: bool) -> bytes:
        moved = self._moves[_VR].step(vr.position, _SAME, key=key)
        return self._moving(_VR, moved + nearest_rotation(vr.rotation).to_bytes(4, "little"), key)

    def _disc_bytes(self, disc: Disc | None, key: bool) -> bytes:
        if disc is None:
            if self._stood[_DISC] and not key:  # a decoder would keep it
                raise NeedsKeyframe
            self._moves[_DISC], self._stood[_DISC] = HalfDifferences(6), b""
            return b""
        moved = self._moves[_DISC].step(disc.position + disc.velocity, _SAME, key=key)
        return self._moving(_DISC, moved[:6] + nearest_rotation(disc.rotation).to_bytes(4, "little") + moved[6:], key)

    def _moving(self, bit: int, stored: bytes, key: bool) -> bytes:
        """A part with differences; left out only if they are zero now and were before, which all readers read alike."""
        if stored == self._stood[bit] and not (key or any(stored[:6]) or any(stored[10:])):
            return b""
        self._stood[bit] = stored
        return stored


def _byte(value: float) -> int:
    """A number as a byte, rounded down and clamped to 0..255; 0 for NaN."""
    return int(min(max(value, 0), 255)) if value == value else 0


def _throw(throw: Throw) -> bytes:
    return _THROW.pack(*map(clamp_to_half, throw))


def _payload(payload: Payload) -> bytes:
    contested, checkpoint, defenders, distance, speed = payload
    return _PAYLOAD.pack(contested, _byte(checkpoint), _byte(defenders), clamp_to_half(distance), clamp_to_half(speed))


def _rules(rules: Rules) -> bytes:
    changed_by = (rules.changed_by or "").encode("ascii", "replace").replace(b"\0", b"?")
    return _RULES.pack(rules.changed_at) + changed_by[:_MOST_TEXT] + b"\0"
