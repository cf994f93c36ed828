"""What those who watch write beside the recording that a player shows: a line to who plays it, and their talk.

The talk is a track of the recording: at each place there is what was said until then, at the end all of it, also what
was said after the end.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from nhlog.replay import Info, Status
from nhlog.timeline import Timeline
from terminal.replay.motion import Motion

if TYPE_CHECKING:
    from nhlog.beside.talk import Said, Talk
    from terminal.messages.sending import Outbox

__all__ = ["Beside", "Place"]

_NONE: Final = ""  # the file of what is no file
_NOBODY: Final = "nobody plays this: one writes and talks while one watches a game"


class Place(Protocol):
    """Where a player stands in a recording."""

    timeline: Timeline
    info: Info
    motion: Motion

    @property
    def step(self) -> int:
        """The step whose state is shown."""
        ...

    @property
    def time(self) -> int:
        """Microseconds from the recording's start."""
        ...


class Beside:
    """The talk beside a recording; `write` sends a line to who plays it, `say` one to all, None where the user cannot.

    `closed` is why neither is possible for this user, in words; empty where at most the administrator turned it off.

    It is looked at with the recording: what is said is shown within a fraction of a second without another watch on a
    file, of which the system has few.
    """

    def __init__(
        self,
        recording: str = _NONE,
        *,
        write: Callable[[str], None] | None = None,
        say: Callable[[str], None] | None = None,
        closed: str = _NOBODY,
    ) -> None:
        self.write = write
        self.say = say
        self.closed = closed
        self._outbox: Outbox | None = None
        self._talk = None if recording == _NONE else _talk_beside(recording)
        self._told: int | None = None  # lines that were there at the last look of `fresh`

        self.hidden = False
        """Whether the user does not want to see the talk."""

    def send(self, write: Callable[[str], None], text: str) -> str:
        """Send a line by `write`, or `say`; returns what became of it."""
        from terminal.messages.sending import Outbox  # who writes nothing has no need of it

        self._outbox = self._outbox or Outbox()
        return self._outbox.send(write, text)

    def send_again(self, now: float) -> str:
        """Send what could not be sent yet, if it is time; returns what became of it, or nothing."""
        return self._outbox.send_again(now) if self._outbox else ""

    def look(self) -> bool:
        """Read what was said meanwhile; returns whether anything was."""
        return self._talk is not None and self._talk.look()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said yet."""
        return self._talk is None or not self._talk.said

    def said(self, place: Place) -> "tuple[Said, ...]":
        """What was said until then."""
        if self._talk is None or not self._talk.said:
            return ()
        start = place.timeline.start
        if start is None or place.step == place.timeline.last:
            return self._talk.said
        return self._talk.until(start + place.time)

    def shown(self, place: Place) -> "tuple[Said, ...]":
        """The same, as far as the user wants to see it."""
        return () if self.hidden else self.said(place)

    def fresh(self, place: Place) -> "Said | None":
        """The latest line, if it was said since the last call, as the recording went on; the user wants to see it."""
        said = self.said(place)
        before, self._told = self._told, len(said)
        is_now = place.info.status is Status.LIVE and place.step == place.timeline.last
        seen = not self.hidden and (is_now or place.motion is not Motion.PAUSED)
        return said[-1] if seen and before is not None and len(said) > before else None


def _talk_beside(recording: str) -> "Talk":
    from nhlog.beside.talk import Talk  # of which most screens show nothing

    return Talk(recording)
