"""The gamestate: an engine's game and the log's clock, which together are what a binary save holds.

A save begins with the head that all engines share (turn, clock, zone); what follows is the engine's own.
"""

from nhlog.engines.protocol import Engine, Game
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.log.lines import CLOCK_WRAP
from nhlog.savehead import HEAD_SIZE, SaveHead, format_save_head, parse_save_head, signature_of

__all__ = ["Gamestate", "Mismatch"]


class Mismatch(NhlogError):
    """The engine makes another save of the game than the one it was loaded from: it has a fault."""


class Gamestate:
    """A game; `clock` is the log's, in microseconds modulo 2**64, `zone` the game's seconds east of UTC."""

    def __init__(self, engine: Engine, game: Game, clock: int, zone: int) -> None:
        self.engine = engine
        self.game = game
        self.clock = clock
        self.zone = zone

    @classmethod
    def load(cls, engine: Engine, save: bytes) -> "Gamestate":
        """What was saved; raises :class:`Unsupported` for another engine's save, :class:`Damaged` for a bad one."""
        head = parse_save_head(save)
        if head is None or head.signature != signature_of(engine.name):
            raise Unsupported(f"no save of {engine.name}")
        game = engine.load(save[HEAD_SIZE:])
        if game.turn != head.turn:
            raise Damaged("the save's head and body differ", expected=f"turn {head.turn}", found=game.turn)
        return cls(engine, game, head.clock % CLOCK_WRAP, head.zone)

    def save(self) -> bytes:
        """The binary save."""
        head = SaveHead(self.game.turn, self.clock, self.zone, signature_of(self.engine.name))
        return format_save_head(head) + self.game.save()

    def pass_time(self, delta: int) -> None:
        """Take a time line."""
        self.clock = (self.clock + delta) % CLOCK_WRAP

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
