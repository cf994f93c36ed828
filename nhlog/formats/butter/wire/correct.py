"""The corrected decoder: stored frames added up as they were meant, with what the reference's decoder loses.

As in the reference, a frame is decoded from its own chunk alone.  The differences (numbers of spec 9):

* a position, the disc or the camera that is left out repeats its last difference (2): a writer leaves it out if its
  bytes are those of the frame before, so that it stands still only if these are zero;
* differences of a team's statistics and of the pause timers are added up (3, 4); a timer starts at zero, or at the
  least value that keeps it from becoming negative;
* restart requests and combat points stay until they change (5, 6), and statistics may fall (7), as may a ping in
  version 1;
* players with the same name, and those missing in the table, are told apart by their `playerid` (spec 6);
* a rotation that the writer could not pack is no rotation.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.decode import NEW_PLAYER, NO_CHANGE, ReferenceDecoder, add_singles
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.primitives import single
from nhlog.formats.butter.wire.stored import Numbers, StoredFrame, StoredTeam
from nhlog.formats.butter.wire.values import Disc, Frame, Pause, Person, Player, Pose, Stats, Team

__all__ = ["CorrectedDecoder", "Lift"]

_TIMER: Final = (-0.0, -0.0)
_NO_LIFT: Final = (0.0, 0.0)
_COUNTERS: Final = 10  # statistics that are one byte each
_TIME, _STUNS = 10, 11


Lift = tuple[float, float]
"""By how much the two pause timers of a keyframe and of those that count from it have to be raised, so that none is
negative.
"""


class CorrectedDecoder(ReferenceDecoder):
    """Decodes the stored frames of one chunk, without the reference's bugs.

    `lifts` has one for each keyframe whose frames were given by `frames`.
    """

    def __init__(self, header: Header) -> None:
        super().__init__(header)
        self.lifts: list[Lift] = []
        self._keyframes = 0

    def _forget(self) -> None:
        super()._forget()
        self._keyframes += 1
        self._vr_step: tuple[float, ...] = NO_CHANGE[:3]
        self._disc_step: tuple[float, ...] = NO_CHANGE[:6]
        self._timer_step: tuple[float, ...] = _TIMER

    def frames(self, stored: Iterable[StoredFrame]) -> Iterator[tuple[bool, Frame]]:
        """Each frame with whether it is a keyframe; raises :class:`Damaged` behind the last that can be decoded."""
        row: list[tuple[bool, Frame]] = []
        fault = None
        try:
            for key, frame in super().frames(stored):
                if key:
                    yield from self._lifted(row)
                    row = []
                row.append((key, frame))
        except Damaged as error:
            fault = error
        yield from self._lifted(row)
        if fault is not None:
            raise fault

    def frames_at_once(self, stored: Iterable[StoredFrame], lifts: Sequence[Lift]) -> Iterator[tuple[bool, Frame]]:
        """What :meth:`frames` gives, but each frame as soon as it is decoded: the `lifts` are known from before.

        Without any, no timer has to be raised.
        """
        for key, frame in super().frames(stored):
            yield key, _lift(frame, lifts[self._keyframes - 1]) if lifts else frame

    def _lifted(self, row: list[tuple[bool, Frame]]) -> Iterator[tuple[bool, Frame]]:
        """A keyframe and the frames that count from it, with their pause timers raised."""
        if not row:
            return
        paused = max(-frame.pause.paused_timer for _, frame in row)
        unpaused = max(-frame.pause.unpaused_timer for _, frame in row)
        lift = max(paused, 0.0), max(unpaused, 0.0)
        self.lifts.append(lift)
        for key, frame in row:
            yield key, _lift(frame, lift)

    def _points(self, stored: StoredFrame) -> tuple[float, float]:
        return (float(stored.points[0]), float(stored.points[1])) if stored.points else self._last.points

    def _restarts(self, stored: StoredFrame) -> tuple[bool, bool]:
        return super()._restarts(stored) if stored.pause else self._last.restarts

    def _pause(self, stored: StoredFrame) -> Pause:
        pause, last = super()._pause(stored), self._last.pause
        if stored.pause:
            self._timer_step = stored.pause[2:]
        paused, unpaused = add_singles((last.paused_timer, last.unpaused_timer), self._timer_step)
        return pause._replace(paused_timer=paused, unpaused_timer=unpaused)

    def _vr(self, stored: Numbers) -> Pose:
        if stored:
            self._vr_step = stored[:3]
        last = self._last.vr
        x, y, z = add_singles(last.position, self._vr_step)
        return Pose((x, y, z), stored[3] if stored else last.rotation)

    def _disc(self, stored: Numbers) -> Disc | None:
        last = self._last.disc
        if stored:
            dx, dy, dz, rotation, *speeds = stored
            self._disc_step = (dx, dy, dz, *speeds)
        elif last is None:
            return None
        else:
            rotation = last.rotation
        base = (*last.position, *last.velocity) if last else (0.0,) * 6
        x, y, z, u, v, w = add_singles(base, self._disc_step)
        return Disc((x, y, z), rotation, (u, v, w))

    def _team_stats(self, stored: StoredTeam, last: Team) -> Stats:
        return self._summed(last.stats, stored.stats) if stored.stats else last.stats

    def _identify(self, who: Person, playerid: int, known: dict[Any, Any]) -> Any:
        """The row in the table, with `playerid` if the row is 0 or is used by another player of this frame."""
        if who.row and who.row not in self._known:
            other = known.get(who.row)
            if other is None or other[0].playerid == playerid or (who.row, playerid) not in known:
                return who.row
        return who.row, playerid

    def _new_player(self, key: bool, ping: Numbers, parts: int) -> tuple[Player, tuple[float, ...]]:
        return NEW_PLAYER, NO_CHANGE

    def _elided(self, differences: tuple[float, ...]) -> tuple[float, ...]:
        return differences if any(differences) else NO_CHANGE

    def _pinged(self, last: int, difference: int) -> int:
        return last + difference

    def _summed(self, last: Stats, stored: Numbers) -> Stats:
        sums = [_wrapped(*pair) for pair in zip(last[:_COUNTERS], stored[:_COUNTERS], strict=True)]
        return Stats._make((*sums, single(last.possession_time + stored[_TIME]), last.stuns + stored[_STUNS]))


def _lift(frame: Frame, lift: Lift) -> Frame:
    if lift == _NO_LIFT:
        return frame
    one, two = add_singles((frame.pause.paused_timer, frame.pause.unpaused_timer), lift)
    return frame._replace(pause=frame.pause._replace(paused_timer=one, unpaused_timer=two))


def _wrapped(last: int, difference: int) -> int:
    """Add a stored byte to a counter that may fall: a byte of 128 or more stands for a negative difference."""
    total = last + difference - (256 if difference > 127 and last else 0)
    return total if total >= 0 else total + 256
