"""What happens in the games of a recording, noted down from one status to the next.

A status may be a mixture of two, where digits were drawn one by one: one that does not follow the last one has to be
followed by another like it.  If both are of another game, that began with the first of them.
"""

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import Final, Self

from nhlog.highlights import Fortunes
from nhlog.screencast.games import Status
from nhlog.timeline import Marker
from nhlog.values import NamedTuple, dataclass

__all__ = ["Course", "Game", "Journal", "Values"]

_FARTHEST: Final = 5000  # turns from one look to the next


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game from event `first` to event `last`: what its status lines told last, and `deepest` the greatest depth.

    `turns` were counted when it ended, `first_turn` is where the recording begins.
    """

    first: int
    last: int
    status: Status
    deepest: int | None = None
    first_turn: int | None = None
    died: bool = False

    @property
    def turns(self) -> int | None:
        """Its newest turn, whole."""
        return None if self.status.turn is None else int(self.status.turn)


class Values(NamedTuple):
    """The values of a number, and the events with which they came."""

    steps: "array[int]"
    values: "array[int]"


class Course:
    """How the hero was: the values of each of the `NUMBERS` of a :class:`Status`, where they changed."""

    NUMBERS: Final = ("hp", "hp_max", "level", "depth", "score", "gold")

    def __init__(self) -> None:
        self.values = {name: Values(array("Q"), array("q")) for name in self.NUMBERS}

    def copy(self) -> Self:
        """One that goes on by itself."""
        other = type(self)()
        other.values = {name: Values(found.steps[:], found.values[:]) for name, found in self.values.items()}
        return other

    def note(self, step: int, status: Status) -> None:
        """Note down what a status tells after an event."""
        for name, (steps, values) in self.values.items():
            value = getattr(status, name)
            if value is not None and (not values or values[-1] != value):
                steps.append(step)
                values.append(value)


class Journal:
    """The `games`, the `markers` of what happened, and the turns, which never fall: a new game has to catch up.

    `course` is how the hero was.
    """

    def __init__(self) -> None:
        self.games: list[Game] = []
        self.markers: list[Marker] = []
        self.course = Course()
        self._steps, self._turns = array("Q"), array("Q")  # where a turn came first
        self._fortunes = Fortunes()
        self._doubtful: tuple[int, Status] | None = None  # the last one and its event, if it does not follow

    def copy(self) -> Self:
        """One that goes on by itself."""
        other = type(self)()
        other.__dict__.update(self.__dict__)
        other.games, other.markers, other.course = self.games[:], self.markers[:], self.course.copy()
        other._steps, other._turns = self._steps[:], self._turns[:]
        return other

    def note(self, step: int, status: Status) -> None:
        """Note down what a status tells after an event."""
        game = self.games[-1] if self.games else None
        if game is None:
            self._begin(step, status)
        elif _follows(game.status, status):
            self._go_on(step, status, game)
        elif self._doubtful is not None and _follows(self._doubtful[1], status):
            if _is_another(game.status, status):
                self._begin_another(*self._doubtful, status.name)
                game = self.games[-1]
            self._go_on(step, status, game)
        else:
            self._doubtful = step, status
            return
        self._doubtful = None
        self._tell(step, status)

    def _begin(self, step: int, status: Status) -> None:
        turn = None if status.turn is None else int(status.turn)
        self.games.append(Game(first=step, last=step, status=status, deepest=status.depth, first_turn=turn))
        self._fortunes = Fortunes()

    def _begin_another(self, step: int, status: Status, name: str) -> None:
        self._begin(step, status)
        self.markers.append(Marker(step, "new game", f"new game: {name or status.name or status.game}"))
        self._tell(step, status)

    def _go_on(self, step: int, status: Status, game: Game) -> None:
        depths = [depth for depth in (game.deepest, status.depth) if depth is not None]
        first = game.first_turn
        self.games[-1] = replace(
            game,
            last=step,
            status=_completed(status, game.status),
            deepest=max(depths, default=None),
            first_turn=int(status.turn) if first is None and status.turn is not None else first,
        )

    def _tell(self, step: int, status: Status) -> None:
        self.course.note(step, status)
        self._fortunes, found = self._fortunes.then(step, status.place, status.level, status.hp, status.hp_max)
        self.markers += found
        if self._fortunes.is_dead != self.games[-1].died:
            self.games[-1] = replace(self.games[-1], died=self._fortunes.is_dead)
        if status.turn is not None and (not self._turns or status.turn >= self._turns[-1] + 1):
            self._steps.append(step)
            self._turns.append(int(status.turn))

    @property
    def turn(self) -> int:
        """The greatest turn so far; 0 if there was none."""
        return self._turns[-1] if self._turns else 0

    def turn_at(self, step: int) -> int:
        """The greatest turn up to an event."""
        found = bisect_right(self._steps, step) - 1
        return self._turns[found] if found >= 0 else 0

    def step_of(self, turn: int) -> int | None:
        """The first event of a turn, or the last one before it; None for a turn that is after all of them."""
        if turn <= 0:
            return 0
        found = bisect_left(self._turns, turn)
        if found == len(self._turns):
            return None
        return self._steps[found] if self._turns[found] == turn else max(self._steps[found] - 1, 0)


_KEPT: Final = ("name", "title", "place", "depth", "turn", "level", "score", "gold")
"""What a status line that is half covered does not tell anew."""


def _completed(status: Status, before: Status) -> Status:
    """The status, with what stood there before where it tells nothing."""
    lacking = [name for name in _KEPT if getattr(status, name) in (None, "")]
    return replace(status, **{name: getattr(before, name) for name in lacking}) if lacking else status


def _follows(before: Status, after: Status) -> bool:
    """Whether the game can have gone on from one status to the other."""
    if before.game != after.game or (before.name and after.name and before.name != after.name):
        return False
    return before.turn is None or after.turn is None or 0 <= after.turn - before.turn <= _FARTHEST


def _is_another(before: Status, after: Status) -> bool:
    """Whether a status that does not follow is one of another game; else a number was read wrongly before."""
    if before.game != after.game or before.name != after.name:
        return True
    return before.turn is not None and after.turn is not None and after.turn < before.turn / 2
