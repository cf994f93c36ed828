"""The player: a position in a recording, and how it moves with time and commands.

The problem.  A recording has steps, with gaps between them that were a microsecond or a night; it may grow, end, be
taken back or be replaced by another file while it is shown; and whatever comes, the same time has to show the same
step, whether one played there or sought it.

The rules.

1. The position is a step of the recording and a fraction of the gap to the next step, always inside the timeline.
   Everything else (the time that is shown, what is behind it) is computed from them.
2. Time is passed to `advance`: the player has no clock of its own, and does no I/O but through its replay.  What
   passes beyond `LONGEST_ABSENCE` is not played: a suspended process does not leap.
3. How it moves is a table (`motion.NEXT`), how fast is its `tempo`; a gap is waited for as `Tempo.wait` says, at
   every speed and in both directions.
4. What takes long is looked for by its `seeker`, which moves nothing before it has found it.

Rejected: a position in microseconds alone.  Many steps of one recording have the same time; which of them is shown
would depend on where one came from.
"""

from bisect import bisect_left
from dataclasses import replace
from typing import Any, Final, Protocol

from nhlog.errors import NhlogError
from nhlog.replay import Change, Failing, Replay, Status
from nhlog.timeline import MICROSECONDS, Marker, Position
from terminal.replay.beside import Beside
from terminal.replay.motion import NEXT, Idle, Motion, Tempo
from terminal.replay.search import Seeker, to_marker
from terminal.screen.display import Changes
from terminal.text.cuts import taken_back

__all__ = ["Live", "Player"]

LONGEST_ABSENCE: Final = 1.0  # seconds; what passes beyond it (a suspended process) is not played
JUMP_TURNS, JUMP_SECONDS = 50, 600
LEAP_PERCENT: Final = 10
EVENT_SHOWN: Final = 5.0  # seconds for which a message about what happened meanwhile stands, unless a key is pressed

_AT_END: Final = "this is the end"
_AT_START: Final = "this is the start"
_AT_NEWEST: Final = "waiting for more"
_OVER: Final = "the recording is finished"


class News:
    """What happened to a recording while it is shown, and what keeps it from being read."""

    def __init__(self) -> None:
        self._event: tuple[str, float | None] = ("", None)  # and since when it is told
        self._hindered: tuple[NhlogError, float] | None = None  # and since when

        self.now: float | None = None
        """The time, in seconds of any clock; None before any has passed."""

    def tell(self, event: str) -> None:
        """Show a message for some seconds."""
        self._event = event, self.now

    def is_old(self, message: str) -> bool:
        """Whether a message is of what happened, and was shown for long enough; asked for with each frame."""
        event, since = self._event
        self._event = event, self.now if since is None else since
        return since is not None and message == event and (self.now or 0.0) >= since + EVENT_SHOWN

    def hinder(self, error: NhlogError) -> None:
        """Note, until the recording is read again, what keeps it from being read."""
        self._hindered = error, self._hindered[1] if self._hindered else self.now or 0.0

    def read(self) -> None:
        """Note that the recording was read."""
        self._hindered = None

    @property
    def trouble(self) -> str:
        """Why the recording cannot be read now; empty if it can."""
        if self._hindered is None:
            return ""
        from nhlog.log.locks.holders import Holder  # rarely anything is in the way

        error, since = self._hindered
        return error.found.stuck((self.now or 0.0) - since) if isinstance(error.found, Holder) else error.message


class Live(Protocol):
    """That others write the recording which is shown."""

    @property
    def changes(self) -> Changes | None:
        """Reports new data of the recording at once; None where it is looked at from time to time."""
        ...

    def advance(self, now: float) -> None:
        """Do what is due at the time `now`, in seconds."""

    def event(self) -> str:
        """What others did to it since the last call, if it takes more words than the player has; else empty."""
        ...

    def close(self) -> None:
        """Stop listening for changes."""


class Player:
    """Moves a replay in time, by the user's commands; `live` is None for a recording that nobody writes."""

    before, lacking = 0, ""
    """How many bytes are missing before the recording, and the message about them."""

    tells_more = ""
    """What is said with the recording's end: which key tells more of that."""

    def __init__(
        self, replay: Replay[Any], *, speed: float = 1.0, idle: Idle | None = None, live: Live | None = None
    ) -> None:
        self.replay = replay
        self.live = live
        self.changes = live.changes if live else None
        self.timeline, self.info = replay.timeline, replay.info
        self._fraction, self._changed = 0.0, 0  # how often the recording did
        self._notes: list[Marker] = []

        self.fails = isinstance(replay, Failing)  # each frame wants to know, and the look takes longer than many a line
        """Whether some states of the recording may turn out to be none that can be shown."""

        self.beside = Beside()
        """What those who watch write beside it."""

        self.seeker = Seeker(replay, self.say, self._arrive_at)
        """Looks for places in the recording."""

        self.tempo = Tempo(speed, idle, (replay.info.idle_limit or 0) / MICROSECONDS)
        """How fast it plays."""

        self.motion = Motion.PAUSED
        """How it moves."""

        self.news = News()
        """What happens to the recording meanwhile."""

        self.message = ""
        """That of the last command, or of what happened meanwhile."""

        self.followed = False
        """Whether a live recording was followed."""

        self.replaced = False
        """Whether another file has the recording's name now."""

    def close(self) -> None:
        """Close the recording."""
        if self.live:
            self.live.close()
        self.replay.close()

    def say(self, message: str) -> None:
        """Show a message, up to the next command."""
        self.message = message

    # Where we stand

    @property
    def step(self) -> int:
        """The step whose state is shown."""
        return self.replay.step

    @property
    def time(self) -> int:
        """Microseconds from the recording's start; it advances within a gap, too."""
        start = self.timeline.time(self.step)
        return start + int(self._fraction * self._gap(self.step))

    @property
    def shown(self) -> tuple[object, ...]:
        """Equal values as long as nothing is different to be seen, but for what keys and work change."""
        second, moment = (time // MICROSECONDS for time in (self.time, (self.timeline.start or 0) + self.time))
        return self._changed, self.step, second, moment, self.motion, self.message, self.news.trouble, self.lacking

    @property
    def markers(self) -> list[Marker]:
        """The markers of the recording, as far as they were found, and those added in this player, by step."""
        return sorted((*self.timeline.known_markers, *self._notes), key=lambda marker: marker.step)

    @property
    def behind(self) -> int:
        """The number of single steps to the end of a live recording that was followed; else 0."""
        if not self.followed or self.info.status is not Status.LIVE:
            return 0
        stops = self.timeline.stops
        return len(stops) - bisect_left(stops, self.step) - 1

    @property
    def remark(self) -> str:
        """The remark on the recording; before one that a finished game has, as it is put away, how it ended."""
        note = self.info.note
        return f"{self._ending()}; {note}" if note and self.info.status is Status.FINISHED else note

    # Time passes

    def advance(self, now: float) -> None:
        """Advance to the time `now`, in seconds of any clock that never goes back."""
        before, self.news.now = self.news.now, now
        elapsed = 0.0 if before is None else min(now - before, LONGEST_ABSENCE)
        if self.news.is_old(self.message):
            self.message = ""
        if self.motion is Motion.PLAYING:
            play = self._play_on if self.tempo.direction > 0 else self._play_back
            play(elapsed * self.tempo.speed)
        if self.live:
            self.live.advance(now)
        if told := self.beside.send_again(now):
            self.tell(told)
        if said := self.beside.fresh(self):
            self.tell(str(said))

    def _play_on(self, seconds: float) -> None:
        step = self.step
        while step < self.timeline.last:
            wait = self.tempo.wait(self.timeline, step)
            left = wait * (1 - self._fraction)
            if seconds < left:
                self._fraction += seconds / wait
                break
            seconds -= left
            step, self._fraction = step + 1, 0.0
        came = step > self.step
        self.replay.seek(step)
        if step < self.timeline.last:
            return
        if self.info.status is not Status.LIVE:
            self._act("halt")
            self.message = _AT_END
        elif came:
            self.message = _AT_NEWEST

    def _play_back(self, seconds: float) -> None:
        step = self.step
        while True:
            wait = self.tempo.wait(self.timeline, step)
            done = wait * self._fraction
            if seconds < done:
                self._fraction -= seconds / wait
                break
            seconds -= done
            if step == 0:
                self._fraction = 0.0
                self._act("halt")
                self.message = self._at_start
                break
            step, self._fraction = step - 1, 1.0
        self.replay.seek(step)

    def _gap(self, step: int) -> int:
        """Microseconds recorded between `step` and the next one."""
        return self.timeline.time(step + 1) - self.timeline.time(step) if step < self.timeline.last else 0

    # Verbs: how it moves

    def toggle(self) -> None:
        """Play or pause."""
        if self.tempo.direction > 0:
            stuck = self.step == self.timeline.last and self.info.status is not Status.LIVE
        else:
            stuck = self.step == 0 and self._fraction == 0
        if self.motion is Motion.PAUSED and stuck:
            self.message = f"{_AT_END if self.tempo.direction > 0 else self._at_start}: r turns around"
        else:
            self._act("toggle")

    def follow(self) -> None:
        """Stay at the end of a recording as it grows, or stop following."""
        if self.info.status is Status.FINISHED:
            self.message = "nothing to follow: the recording is finished"
            return
        self._act("follow")
        if self.motion is Motion.FOLLOWING:
            self.followed = True
            self._stand(self.timeline.last)

    def _act(self, act: str) -> None:
        self.motion = NEXT[act][self.motion]

    # Verbs: where to

    def seek(self, step: int) -> None:
        """Go to `step`."""
        self._act("seek")
        self._stand(step)

    def _stand(self, step: int, fraction: float = 0.0) -> None:
        self.replay.seek(step)
        self._fraction = fraction

    def _seek_towards(self, step: int, direction: int) -> None:
        """Stand at `step`, or at least one single step away; sets a message at the ends."""
        if (step - self.step) * direction <= 0:
            step = self.timeline.stop(self.step, direction)
        if (step - self.step) * direction <= 0:
            step = self.timeline.last if direction > 0 else 0
        self.seek(step)
        self._say_ends()

    def _arrive_at(self, step: int, message: str) -> None:
        self.seek(step)
        self._say_ends(message)

    def _say_ends(self, other: str = "") -> None:
        ends = {0: self._at_start, self.timeline.last: _AT_END}
        self.message = other or ends.get(self.step, self.message)

    @property
    def _at_start(self) -> str:
        return f"this is the start of what was received: {self.lacking}" if self.before else _AT_START

    def step_by(self, count: int) -> None:
        """Take `count` single steps and pause."""
        self._seek_towards(self.timeline.stop(self.step, count), 1 if count > 0 else -1)
        self._act("halt")

    def skip(self, seconds: int) -> None:
        """Move by this many seconds of recorded time, back if negative."""
        wanted = self.time + seconds * MICROSECONDS
        step = self.timeline.resolve(Position("time", wanted))
        gap = self._gap(step)
        within = min(max(wanted - self.timeline.time(step), 0), gap)
        self.seek(step)
        self._fraction = within / gap if gap else 0.0
        if not self._fraction:
            self._say_ends()

    def jump(self, direction: int) -> None:
        """Move by 50 turns, or by ten minutes in a recording without turns; forwards (1) or backwards (-1)."""
        if self.timeline.unit == "turn":
            there = Position("turn", direction * JUMP_TURNS, relative=True)
            self._seek_towards(self.timeline.resolve(there, self.step), direction)
        else:
            self.skip(direction * JUMP_SECONDS)

    def leap(self, direction: int) -> None:
        """Move by a tenth of the recording, forwards (1) or backwards (-1)."""
        far = self.timeline.last * LEAP_PERCENT // 100
        self._seek_towards(min(max(self.step + direction * far, 0), self.timeline.last), direction)

    def start(self) -> None:
        """Go to the start."""
        self.seek(0)
        self._say_ends()

    def to_marker(self, direction: int) -> None:
        """Go to the next marker forwards (1) or backwards (-1)."""
        self.seeker.look_for(to_marker(self.replay, self._notes, direction))

    def add_marker(self) -> None:
        """Mark the current step, until the player is closed."""
        note = Marker(self.step, "note", f"note {len(self._notes) + 1}")
        self._notes.append(note)
        self.message = f"{note.name} set: ] and [ find it"

    def go_on_as(self, other: "Player") -> None:
        """Go on where another player stands, and as it moves, which shows another version of the recording."""
        offset, known, further = self.timeline.axes["offset"], other.timeline, other.before - self.before

        def here(step: int) -> int:  # by where it ends: what a snapshot begins with stands for all that is before
            end = known.at("offset", step + 1) - 1 if step < known.last else known.at("offset", step)
            return offset.step(end + further)

        self.motion, self.followed, self.tempo = other.motion, other.followed, other.tempo
        self.seeker.go_on_as(other.seeker)
        self.beside.hidden = other.beside.hidden
        self._notes = [replace(note, step=here(note.step)) for note in other._notes]
        followed = self.motion is Motion.FOLLOWING
        self._stand(self.timeline.last if followed else here(other.step), 0.0 if followed else other._fraction)

    # The recording changes

    def refresh(self) -> None:
        """Check whether the recording grew, was rewound or finished, and adapt to it."""
        if self.beside.look():
            self._changed += 1
        saw_end = self.followed and self.info.status is Status.FINISHED and self.step == self.timeline.last
        try:
            change = self.replay.refresh()
        except NhlogError as error:
            self.news.hinder(error)
            return
        self.news.read()
        if change is Change.NOTHING:
            return
        self._changed += 1
        before, noted = self.timeline.last, self.info.note
        self.timeline, self.info = self.replay.timeline, self.replay.info
        if self.info.note != noted or self.message == _AT_NEWEST:
            self.message = self.remark
        self._fraction = 0.0 if self.step == self.timeline.last else self._fraction
        if change is Change.REWOUND:
            self.seeker.give_up()
            self._notes = [note for note in self._notes if note.step <= self.timeline.last]
            self.tell(taken_back(self.timeline.unit, before - self.timeline.last))
            if saw_end and self.info.status is Status.LIVE:
                self.motion = Motion.FOLLOWING  # nobody meant to pause: the end did
        self.replaced = change is Change.REPLACED
        if self.motion is Motion.FOLLOWING:
            self._stand(self.timeline.last)
        if change is Change.FINISHED:
            self.message = self._ending()
            self.motion = Motion.PAUSED if self.motion is Motion.FOLLOWING else self.motion
        if self.live and (event := self.live.event()):
            self.tell(event)

    def end(self, message: str) -> None:
        """Take in that no more can come, for a recording that was not finished; `message` says so."""
        waited = self.info.status is Status.LIVE and self.info.note
        self.info = replace(self.info, status=Status.FINISHED, note=message if waited else self.info.note)
        self.message = message
        self.motion = Motion.PAUSED if self.motion is Motion.FOLLOWING else self.motion

    def tell(self, event: str) -> None:
        """Show for some seconds what happened."""
        self.message = event
        self.news.tell(event)

    def _ending(self) -> str:
        """The message at the end of the recording."""
        told = next((last.name for last in self.timeline.markers[-1:] if last.step == self.timeline.last), _OVER)
        return f"{told}: {self.tells_more}" if self.tells_more else told
