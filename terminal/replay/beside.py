"""What those who watch write beside the recording that a player shows: a line to who plays it, and their talk.

The talk is a track of the recording: at each place there is what was said until then, at the end all of it, also what
was said after the end.

Who plays notices that somebody came after some seconds, and only then there is a file to write to: a line that was
written sooner is sent again until it is taken.  Only a refusal of another kind is one that the user sees.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from nhlog.errors import NhlogError
from nhlog.replay import Info, Status
from nhlog.timeline import Timeline
from terminal.replay.motion import Motion

if TYPE_CHECKING:
    from nhlog.beside.talk import Said, Talk

__all__ = ["Beside", "Place"]

_NONE: Final = ""  # the file of what is no file
_AGAIN: Final = 0.5  # seconds until a line is sent again,
_MOST_TRIES: Final = 20  # so often: who plays a program looks who watches every four seconds (`terminal.hosting.mail`)


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


@dataclass(slots=True)
class _Unsent:
    """A line, how it is written, and how often that was tried."""

    text: str
    write: Callable[[str], None]
    tries: int = 0


class Beside:
    """The talk beside a recording; `write` sends a line to who plays it, `say` one to all, None where the user cannot.

    It is looked at with the recording: what is said is shown within a fraction of a second without another watch on a
    file, of which the system has few.
    """

    def __init__(
        self,
        recording: str = _NONE,
        *,
        write: Callable[[str], None] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.write = write
        self.say = say
        self._talk = None if recording == _NONE else _talk_beside(recording)
        self._told: int | None = None  # lines that were there at the last look of `fresh`
        self._unsent = deque[_Unsent]()  # in the order in which they are sent
        self._due = 0.0  # when to try again

        self.hidden = False
        """Whether the user does not want to see the talk."""

    def send(self, write: Callable[[str], None], text: str) -> str:
        """Send a line by `write`, or `say`, behind those which are still to be sent; returns what became of it."""
        self._unsent.append(_Unsent(text, write))
        return f"sending: {text}" if len(self._unsent) > 1 else self._try_first()

    def send_again(self, now: float) -> str:
        """Send what could not be sent yet, if it is time; returns what became of it, or nothing."""
        if not self._unsent or now < self._due:
            return ""
        self._due = now + _AGAIN
        return self._try_first()

    def _try_first(self) -> str:
        from nhlog.beside.file import NotYet  # who writes nothing has no need of it

        line = self._unsent[0]
        line.tries += 1
        try:
            line.write(line.text)
            told = f"sent: {line.text}"
        except NotYet as error:
            if line.tries < _MOST_TRIES:
                return f"sending: {line.text}"
            told = error.what
        except NhlogError as error:
            told = error.what
        self._unsent.popleft()
        return told

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
