"""The gamestate: an engine's game and the log's clock, which together make a binary save.

A save begins with a head common to all engines (turn, clock, zone); the rest is the engine's own.
"""

import time
import weakref
from collections.abc import Callable
from contextlib import suppress

from nhlog.engines import guarded
from nhlog.engines.guarded import GuardedGame
from nhlog.engines.protocol import Engine, Game, Run
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.log.wire.lines import CLOCK_WRAP, Command, Line
from nhlog.savehead import HEAD_SIZE, SaveHead, format_save_head, parse_save_head, signature_of

__all__ = ["Gamestate", "Mismatch", "Snapshot", "utc_now"]


def utc_now() -> int:
    """The current time in UTC microseconds since 1970."""
    return time.time_ns() // 1000


class Mismatch(NhlogError):
    """The engine saves a loaded game with other bytes than it was loaded from, which is a bug of the engine."""


class Snapshot:
    """An immutable copy of a gamestate at one moment; snapshots with equal saves are equal.

    The save is made at the first access, or at the latest before the game changes.
    """

    def __init__(self, gamestate: "Gamestate") -> None:
        self._gamestate: Gamestate | None = gamestate
        self._save = b""

    @property
    def save(self) -> bytes:
        """The binary save; empty if the engine fails to make one."""
        if self._gamestate is None:
            return self._save
        try:
            return self._gamestate.save()
        except NhlogError:
            return b""

    @property
    def game(self) -> Game | None:
        """The engine's game, to be read only; None after the game has changed, and during a command."""
        return None if self._gamestate is None or self._gamestate.running else self._gamestate.game.inner

    def detach(self) -> None:
        """Make the save, as the game is about to change."""
        self._save, self._gamestate = self.save, None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self.save == other.save

    def __hash__(self) -> int:
        return hash(self.save)

    def __repr__(self) -> str:
        return f"Snapshot({self.save!r})"


def _nobody() -> None:
    """Stand for a weak reference to no snapshot."""


class Gamestate:
    """A game; `clock` is the log's, in microseconds modulo 2**64, `zone` the game's seconds east of UTC.

    Only `run` and `pass_time` change it.  `running` is whether a command is in progress.
    """

    def __init__(self, engine: Engine, game: GuardedGame, clock: int, zone: int) -> None:
        self.engine = engine
        self.game = game
        self.clock = clock
        self.zone = zone
        self.running = False
        self._saved: bytes | None = None  # the save, if it was made since the last change
        self._snapshot: Callable[[], Snapshot | None] = _nobody  # as long as somebody has it

    @classmethod
    def load(cls, engine: Engine, save: bytes) -> "Gamestate":
        """Load a binary save.

        Raises :class:`Unsupported` for another engine's save, :class:`Damaged` for an invalid one, and
        :class:`~nhlog.engines.guarded.EngineFailed`, as do all methods that run the engine.
        """
        head = parse_save_head(save)
        if head is None or head.signature != signature_of(engine.name):
            raise Unsupported(f"not a save of {engine.name}")
        game = guarded.load(engine, save[HEAD_SIZE:])
        if game.turn != head.turn:
            raise Damaged("head and body of the save differ", expected=f"turn {head.turn}", found=game.turn)
        return cls(engine, game, head.clock % CLOCK_WRAP, head.zone)

    @classmethod
    def carry_over(cls, engine: Engine, save: bytes) -> "Gamestate":
        """Load a binary save of an earlier version of the engine; raises :class:`Unsupported` where that cannot be."""
        return cls.load(engine, save[:HEAD_SIZE] + guarded.migrate(engine, save[HEAD_SIZE:]))

    def save(self) -> bytes:
        """The binary save; cached until the game changes."""
        if self._saved is None:
            head = SaveHead(self.game.turn, self.clock, self.zone, signature_of(self.engine.name))
            self._saved = format_save_head(head) + self.game.save()
        return self._saved

    def snapshot(self) -> Snapshot:
        """A snapshot of the current state; cheap until its save is needed."""
        snapshot = self._snapshot() or Snapshot(self)
        self._snapshot = weakref.ref(snapshot)
        return snapshot

    def _change(self) -> None:
        """Detach the snapshot and drop the cached save; to be called before any change."""
        if snapshot := self._snapshot():
            snapshot.detach()
        self._snapshot, self._saved = _nobody, None

    def pass_time(self, delta: int) -> None:
        """Apply a time line, which advances the clock by `delta` microseconds."""
        self._change()
        self.clock = (self.clock + delta) % CLOCK_WRAP

    def run(self, command: Command) -> Run:
        """Carry out a command, like :meth:`nhlog.engines.protocol.Game.run`."""
        run = self.game.run(command)
        answer: Line | None = None
        with suppress(StopIteration):
            while True:
                self._change()
                self.running = True
                answer = yield next(run) if answer is None else run.send(answer)
        self.running = False

    def since(self, utc: int) -> int:
        """The value of a time line for a moment, which is in UTC microseconds since 1970."""
        return (utc + self.zone * 1_000_000 - self.clock) % CLOCK_WRAP

    def checked(self) -> tuple[bytes, "Gamestate"]:
        """The binary save and the gamestate loaded from it; raises :class:`Mismatch` if that saves other bytes."""
        save = self.save()
        loaded = Gamestate.load(self.engine, save)
        if loaded.save() != save:
            raise Mismatch(
                f"{self.engine.name} does not save exactly what it loads", expected=f"{len(save)} same bytes"
            )
        return save, loaded
