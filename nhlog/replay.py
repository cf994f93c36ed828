"""The one protocol: what every recording offers to a viewer.

A replay stands at one step of its timeline.  The state at a step is the same whichever way one came there.
Must not import a format.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

from nhlog.change import Change
from nhlog.timeline import Timeline

__all__ = ["Change", "Event", "Info", "Replay", "Status"]


class Status(StrEnum):
    """How a recording stands, the same for every format."""

    LIVE = "live"  # it is not finished: somebody may write more of it
    FINISHED = "finished"
    NEEDS_RECOVERY = "needs recovery"  # it ends inside a record, which a crash left and `nhlog recover` removes
    DAMAGED = "damaged"  # it breaks its rules somewhere; the rest can be seen
    UNREADABLE = "unreadable"  # nothing of it can be seen, whatever the reason; only lists have such


@dataclass(frozen=True, slots=True)
class Info:
    """What a recording says of itself; `start` is UTC microseconds since 1970, `duration` microseconds.

    `id` is the stable short name by which its view is found: that of the format (``nhgame``), or of the engine whose
    game it is (``delve``); `format` is what people read.  `note` is what a viewer should know just now, if anything.
    """

    id: str
    format: str
    title: str
    people: tuple[str, ...]
    start: int | None
    duration: int
    status: Status
    metadata: Mapping[str, str | int] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: at `step` it was complete.

    `text` says it in words, `source` as the recording has it.
    """

    step: int
    text: str
    source: str


S_co = TypeVar("S_co", covariant=True)


class Replay(Protocol[S_co]):
    """An open recording, standing at one step.

    `timeline` and `info` are snapshots: ask again after a :meth:`refresh` that found something.
    """

    @property
    def info(self) -> Info:
        """What the recording says of itself."""

    @property
    def timeline(self) -> Timeline:
        """Its steps."""

    @property
    def step(self) -> int:
        """Where the replay stands."""

    @property
    def state(self) -> S_co:
        """The state at `step`: immutable, of the format's own type."""

    def seek(self, step: int) -> None:
        """Stand at `step`, kept inside the timeline.

        Never raises for damage inside the recording: a state that cannot be rebuilt says so itself.
        """

    def refresh(self) -> Change:
        """Look at the source again; tells what became of it.

        Where it was rewound, the replay stands at the new end or where it was, whichever is earlier.
        """

    def events(self, first: int, last: int) -> Iterator[Event]:
        """What happened in steps `first` to `last`, both included, in order."""

    def close(self) -> None:
        """Give the source back."""
