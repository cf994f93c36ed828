"""The gamestate: an engine's game and the log's clock, which together are what a binary save holds.

A save begins with the head that all engines share (turn, clock, zone); what follows is the engine's own.
"""

import weakref
from collections.abc import Callable
from contextlib import suppress

from nhlog.engines import guarded
from nhlog.engines.guarded import GuardedGame
from nhlog.engines.protocol import Engine, Game, Run
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.log.wire.lines import CLOCK_WRAP, Command, Line
from nhlog.savehead import HEAD_SIZE, SaveHead, format_save_head, parse_save_head, signature_of

__all__ = ["Gamestate", "Mismatch", "Snapshot"]


class Mismatch(NhlogError):
    """The engine makes another save of the game than the one it was loaded from: it has a fault."""


class Snapshot:
    """What a gamestate was at one moment, whatever becomes of it; equal to another whose save is the same.

    The save is made when somebody asks for it, or at the latest when the game goes on.
    """

    def __init__(self, gamestate: "Gamestate") -> None:
        self._gamestate: Gamestate | None = gamestate
        self._save = b""

    @property
    def save(self) -> bytes:
        """The binary save; empty where the engine fails to make one."""
        if self._gamestate is None:
            return self._save
        try:
            return self._gamestate.save()
        except NhlogError:
            return b""

    @property
    def game(self) -> Game | None:
        """The engine's own game, to be looked at, not run; None once it went on, and in the middle of a command."""
        return None if self._gamestate is None or self._gamestate.running else self._gamestate.game.inner

    def detach(self) -> None:
        """Keep the save: the game is about to change."""
        self._save, self._gamestate = self.save, None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self.save == other.save

    def __hash__(self) -> int:
        return hash(self.save)

    def __repr__(self) -> str:
        return f"Snapshot({self.save!r})"


def _nobody() -> None:
    """Nobody has a snapshot."""


class Gamestate:
    """A game; `clock` is the log's, in microseconds modulo 2**64, `zone` the game's seconds east of UTC.

    It changes by `run` and `pass_time` alone.  `running` says that a command is in its middle.
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
        """What was saved; raises :class:`Unsupported` for another engine's save, :class:`Damaged` for a bad one.

        And :class:`~nhlog.engines.guarded.EngineFailed`, as all that runs the engine.
        """
        head = parse_save_head(save)
        if head is None or head.signature != signature_of(engine.name):
            raise Unsupported(f"no save of {engine.name}")
        game = guarded.load(engine, save[HEAD_SIZE:])
        if game.turn != head.turn:
            raise Damaged("the save's head and body differ", expected=f"turn {head.turn}", found=game.turn)
        return cls(engine, game, head.clock % CLOCK_WRAP, head.zone)

    def save(self) -> bytes:
        """The binary save; made once, as long as nothing changes."""
        if self._saved is None:
            head = SaveHead(self.game.turn, self.clock, self.zone, signature_of(self.engine.name))
            self._saved = format_save_head(head) + self.game.save()
        return self._saved

    def snapshot(self) -> Snapshot:
        """What this is now; costs nothing until its save is asked for."""
        snapshot = self._snapshot() or Snapshot(self)
        self._snapshot = weakref.ref(snapshot)
        return snapshot

    def _change(self) -> None:
        """To be called before anything changes."""
        if snapshot := self._snapshot():
            snapshot.detach()
        self._snapshot, self._saved = _nobody, None

    def pass_time(self, delta: int) -> None:
        """Take a time line."""
        self._change()
        self.clock = (self.clock + delta) % CLOCK_WRAP

    def run(self, command: Command) -> Run:
        """Carry out a command; as :meth:`nhlog.engines.protocol.Game.run`."""
        run = self.game.run(command)
        answer: Line | None = None
        with suppress(StopIteration):
            while True:
                self._change()
                self.running = True
                answer = yield next(run) if answer is None else run.send(answer)
        self.running = False

    def since(self, utc: int) -> int:
        """The time line for that moment, in UTC microseconds since 1970."""
        return (utc + self.zone * 1_000_000 - self.clock) % CLOCK_WRAP

    def checked(self) -> tuple[bytes, "Gamestate"]:
        """The binary save, and the gamestate that was loaded from it; raises :class:`Mismatch` unless they agree."""
        save = self.save()
        loaded = Gamestate.load(self.engine, save)
        if loaded.save() != save:
            raise Mismatch(f"{self.engine.name} does not save what it loads", expected=f"{len(save)} same bytes")
        return save, loaded
