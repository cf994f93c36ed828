"""A summary of a file, made in one pass: the number of frames, the time of each, and the events to mark on a timeline.

Positions are not decoded for it, and only the last frame of each chunk is held in memory.
"""

from array import array
from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.butter.reading.events import SessionEvent, marker_events
from nhlog.formats.butter.wire.correct import CorrectedDecoder, Lift
from nhlog.formats.butter.wire.decode import NEW_PLAYER
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.stored import Numbers, StoredTeam
from nhlog.formats.butter.wire.values import Disc, Frame, Person, Player, Pose, Stats, Team
from nhlog.values import NamedTuple

__all__ = ["Chunk", "Outline", "OutlineDecoder"]


_SECOND: Final = 1_000_000  # µs
_LONGEST: Final = 1e9  # seconds beyond which a game's clock is damaged


class Chunk(NamedTuple):
    """A decoded chunk: its frames, for each whether it is a keyframe, and a fault, mostly one behind the last frame.

    `lifts` says for each keyframe by how much pause timers were raised; it is empty where none was.
    """

    frames: tuple[Frame, ...]
    keys: tuple[bool, ...]
    fault: Damaged | None
    lifts: tuple[Lift, ...] = ()


class Outline:
    """A summary of the frames of a file.

    `firsts` has the number of the first frame of each chunk and, as its last item, the number of frames; `times` are ms
    since 1970 as recorded, `clocks` the game clock in µs; `keys` the numbers of the keyframes; `events` those to mark
    on a timeline; `faults` those of the chunks, by number; `bones` is whether the first frame has bones.  `lifts`
    are those of the chunks that have some, by number, `lasts` the newest frame at the end of each chunk.
    """

    def __init__(self) -> None:
        self.bones = False
        self.firsts: list[int] = [0]
        self.times: array[int] = array("q")
        self.clocks: array[int] = array("q")
        self.keys: list[int] = []
        self.events: list[SessionEvent] = []
        self.faults: dict[int, Damaged] = {}
        self.lifts: dict[int, tuple[Lift, ...]] = {}
        self.lasts: list[Frame | None] = []

    def before(self, chunk: int) -> "Outline":
        """The outline of the chunks before number `chunk`."""
        part, frames = Outline(), self.firsts[chunk]
        part.bones = self.bones
        part.firsts = self.firsts[: chunk + 1]
        part.times, part.clocks = self.times[:frames], self.clocks[:frames]
        part.keys = self.keys[: bisect_left(self.keys, frames)]
        part.events = [event for event in self.events if event.step < frames]
        part.faults = {number: fault for number, fault in self.faults.items() if number < chunk}
        part.lifts = {number: lifts for number, lifts in self.lifts.items() if number < chunk}
        part.lasts = self.lasts[:chunk]
        return part

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return len(self.firsts) - 1

    def clock_setbacks(self) -> str:
        """How often the recorded time goes back, in words; an empty string if it never does."""
        count = sum(later < time for time, later in pairwise(self.times))
        if not count:
            return ""
        return "the recorded clock goes back " + ("once" if count == 1 else f"{count} times")

    def chunk_of(self, step: int) -> int:
        """The number of the chunk that contains frame `step`."""
        return bisect_right(self.firsts, step) - 1

    def add(self, chunk: Chunk) -> None:
        """Add the next chunk; its frames need no positions and statistics."""
        last = self.lasts[-1] if self.lasts else None
        for key, frame in zip(chunk.keys, chunk.frames, strict=True):
            step = len(self.times)
            if not step:
                self.bones = frame.bones is not None
            if key:
                self.keys.append(step)
            if last is not None:
                self.events.extend(marker_events(last, frame, step))
            self.times.append(frame.time)
            self.clocks.append(int(frame.clock * _SECOND) if abs(frame.clock) < _LONGEST else 0)
            last = frame
        if chunk.fault is not None:
            self.faults[self.chunks] = chunk.fault
        if chunk.lifts:
            self.lifts[self.chunks] = chunk.lifts
        self.lasts.append(last)
        self.firsts.append(len(self.times))


class OutlineDecoder(CorrectedDecoder):
    """Decodes frames for the outline: the players of each team, but no positions and no statistics."""

    def __init__(self, header: Header) -> None:
        super().__init__(header)
        self._seen: dict[tuple[Person, int], Player] = {}

    def _vr(self, stored: Numbers) -> Pose:
        return self._last.vr

    def _disc(self, stored: Numbers) -> Disc | None:
        return None

    def _team_stats(self, stored: StoredTeam, last: Team) -> Stats:
        return last.stats

    def _players(self, stored: tuple[Any, ...], known: dict[Any, Any], key: bool) -> tuple[Player, ...]:
        seen = self._seen
        return tuple([seen.get((player[0], player[1])) or self._see(player[0], player[1]) for player in stored])

    def _see(self, who: Person, playerid: int) -> Player:
        player = self._seen[who, playerid] = NEW_PLAYER._replace(who=who, playerid=playerid)
        return player
