"""The protocol that every recording offers to a viewer.

A replay stands at one step of its timeline.  The state at a step does not depend on the steps visited before it. Must
not import a format.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from nhlog.change import Change
from nhlog.timeline import Position, Timeline
from nhlog.values import NamedTuple, dataclass

if TYPE_CHECKING:
    from nhlog.errors import Damaged
    from nhlog.plots import Plots

__all__ = [
    "Change",
    "Event",
    "Explorable",
    "Failing",
    "Info",
    "Plottable",
    "Preparing",
    "Remarked",
    "Replay",
    "Searchable",
    "Status",
    "Telling",
    "Told",
]


class Status(StrEnum):
    """Whether a recording is live, finished, in need of recovery or damaged; the same words for every format."""

    LIVE = "live"  # it is not finished: somebody may write more of it
    FINISHED = "finished"
    NEEDS_RECOVERY = "needs recovery"  # it ends inside a record, which a crash left and `nhlog recover` removes
    DAMAGED = "damaged"  # it breaks its rules somewhere; the rest can be seen
    UNREADABLE = "unreadable"  # nothing of it can be seen, whatever the reason; only lists have such


@dataclass(frozen=True, slots=True)
class Info:
    """A recording's description; `start` is UTC microseconds since 1970, `duration` microseconds.

    `idle_limit` is the longest pause that players should show, in microseconds; None if the recording does not say.

    `id` is a stable short name that selects the view: the format's (``nhgame``), or the engine's whose game it is
    (``delve``); `format` is the name shown to people.  `note` is a remark about the recording as it is now, empty if
    there is none.
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
    idle_limit: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event; `step` is the step at which it is complete.

    `text` describes it in words, `source` is its form in the recording.
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
        """The recording's description."""
        ...

    @property
    def timeline(self) -> Timeline:
        """The timeline of its steps."""
        ...

    @property
    def step(self) -> int:
        """The step at which the replay stands."""
        ...

    @property
    def state(self) -> S_co:
        """The state at `step`: immutable, of the format's own type."""
        ...

    def seek(self, step: int) -> None:
        """Stand at `step`, clamped to the timeline.

        Damage inside the recording raises nothing: a state that cannot be rebuilt says so itself.
        """

    def refresh(self) -> Change:
        """Read what has been added to the source, and return what changed.

        If the source was rewound, the replay stands at the new end or where it was, whichever is earlier.
        """
        ...

    def events(self, first: int, last: int) -> Iterator[Event]:
        """The events of steps `first` to `last`, both included, in order; moving meanwhile changes none of them."""
        ...

    def close(self) -> None:
        """Close the source."""


@runtime_checkable
class Searchable(Protocol):
    """A replay with its own text search, because its events do not contain everything that was shown."""

    def search(
        self, pattern: re.Pattern[str], first: int, last: int, *, backwards: bool = False
    ) -> Iterator[Event | int]:
        """Yield the events from `first` to `last` at which a match appears, the last one first if `backwards`.

        Between them, plain step numbers report how far the search has come.
        """
        ...


@runtime_checkable
class Failing(Protocol):
    """A replay of which some states may turn out to be none that can be shown, as one looks at them.

    Each has a `fault`: why it is that of an earlier step, empty if it is not.
    """

    @property
    def unshown(self) -> "Sequence[Damaged]":
        """What was found so far that cannot be shown, and where."""
        ...


@runtime_checkable
class Plottable(Protocol):
    """A replay that can make plots of its whole recording."""

    def plots(self) -> "Plots":
        """The plots of the recording as it is now; the replay must stay open until they are made."""
        ...


@runtime_checkable
class Explorable(Protocol):
    """A replay that finds some of its markers and axes only by running through its steps."""

    @property
    def explored(self) -> int:
        """How many steps have been explored so far."""
        ...

    def explore(self) -> bool:
        """Explore some more steps; returns False if all steps are explored."""
        ...

    def is_explored_for(self, position: Position) -> bool:
        """Whether the position can be found without exploring more."""
        ...


@runtime_checkable
class Preparing(Protocol):
    """A replay that can work in advance for its user, while that one only looks."""

    def prepare(self) -> bool:
        """Work for a moment on what makes later states quicker; returns False where nothing is left."""
        ...


class Told(NamedTuple):
    """A message of a game to its player: the step that brought it, the turn, and the text."""

    step: int
    turn: int
    text: str


@runtime_checkable
class Telling(Protocol):
    """A replay of a game that has messages for its player."""

    def messages(self) -> Iterator[Sequence[Told]]:
        """The messages up to the current step, in pieces, the latest first; each piece takes a moment to find."""
        ...


class Remarked:
    """A state with remarks for the viewer; `note` is such a remark, empty if there is none.

    `check()` returns a remark that takes some time to find; call it before the replay moves.  `asks` is the prompt that
    the player has to answer (see :mod:`nhlog.engines.prompts`), or None; `here` has the hero's column and row on the
    map then.  `told` are the latest messages of the game.
    """

    __slots__ = ()

    @property
    def is_older(self) -> bool:
        """Whether the picture is of a time before the last thing that was done, as there is no newer one."""
        return False

    note: str
    check: Callable[[], str]
    asks: Any
    here: tuple[int, int]
    told: Sequence[str]
