"""A game whose engine may have faults: whatever its code raises, and whatever it says that is no answer, is our error.

Who plays or watches a game must not fall with its engine.  So what a game says of itself is asked once after each
change, where a fault can still be told from a fault of the log; looking at a game that stands cannot fail.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from nhlog.engines.prompts import Prompt
from nhlog.engines.protocol import (
    Engine,
    Game,
    MayFall,
    NeedsPast,
    NewGame,
    Run,
    TellsMessages,
    TellsVitals,
    TellsWorlds,
    Vitals,
)
from nhlog.errors import Damaged, NhlogError, Unsupported, Usage
from nhlog.log.wire.lines import Command, Line

__all__ = ["EngineFailed", "GuardedGame", "begin", "load", "recall", "vitals", "world", "world_of"]

MAX_TURN = (1 << 32) - 1  # what the head of a save has room for
MAX_SAID = 200  # characters of what an exception says

T = TypeVar("T")


class EngineFailed(NhlogError):
    """The engine failed: the fault is in its code, not in the log."""


class GuardedGame:
    """A game as :class:`~nhlog.engines.protocol.Game`; `inner` is the engine's own, for those who draw it.

    Making one and calling it raise :class:`EngineFailed`, and besides that only :class:`Damaged`,
    :class:`Unsupported` and :class:`Usage`, as the engine does.
    """

    turn: int
    here: tuple[str, int, int]
    incomplete: bool
    state: str
    ending: str
    bones: tuple[str, bytes] | None
    messages: tuple[str, ...]

    def __init__(self, engine: str, inner: Game) -> None:
        self.inner = inner
        self._engine = engine
        self._look()

    def _look(self) -> None:
        """Ask the game what it says of itself."""
        for name, is_answer in _ANSWERS.items():
            setattr(self, name, _ask(self._engine, partial(getattr, self.inner, name), is_answer, name))
        told = _ask(self._engine, lambda: _messages_of(self.inner), _is_told, "messages")
        self.messages = tuple(told or ())

    def record(self) -> dict[str, Any]:
        """What the hero perceives."""
        record: dict[str, Any] = _ask(self._engine, lambda: self.inner.record(), _is(dict), "record")
        return record

    def save(self) -> bytes:
        """The whole neutral state."""
        save: bytes = _ask(self._engine, lambda: self.inner.save(), _is(bytes), "save")
        return save

    def at_once(self, command: Command) -> tuple[str, ...] | None:
        """What a command tells that takes no time and changes nothing; None if it has to be run."""
        told = _ask(self._engine, lambda: self.inner.at_once(command), _is_told, "at_once")
        return None if told is None else tuple(told)

    def run(self, command: Command) -> Run:
        """Carry out a command."""
        run: Run = _ask(self._engine, lambda: self.inner.run(command), lambda run: hasattr(run, "send"), "run")
        answer: Line | None = None
        while True:
            prompt = _ask(self._engine, partial(_step, run, answer), _is(Prompt | None), "a prompt")
            self._look()
            if prompt is None:
                return
            answer = yield prompt


def begin(engine: Engine, options: NewGame) -> GuardedGame:
    """A new game; raises :class:`Usage` for options that the engine does not know, :class:`EngineFailed`."""
    return GuardedGame(engine.name, _ask(engine.name, lambda: engine.new(options)))


def load(engine: Engine, save: bytes) -> GuardedGame:
    """The game that was saved; raises :class:`Damaged` for bytes that are no such save, :class:`EngineFailed`."""
    return GuardedGame(engine.name, _ask(engine.name, lambda: engine.load(save)))


def migrate(engine: Engine, save: bytes) -> bytes:
    """A save of an earlier version as one of this; raises :class:`Unsupported`, :class:`EngineFailed`."""
    return _ask(engine.name, lambda: engine.migrate(save), _is(bytes), "migrate")


def recall(engine: NeedsPast, name: str, first: bytes, commands: Iterable[Command], save: bytes) -> None:
    """Have the engine of this `name` know the past of a save.

    Raises :class:`Damaged`, :class:`Unsupported` where the game cannot go on here, :class:`EngineFailed`.
    """
    if not _ask(name, lambda: engine.recalls(save), _is(bool), "recalls"):
        _ask(name, lambda: engine.recall(first, commands, save))


def leads_on(engine: MayFall, name: str, save: bytes) -> bool:
    """Whether the engine of this `name` can go on from a save; raises :class:`EngineFailed`."""
    return _ask(name, lambda: engine.leads_on(save), _is(bool), "leads_on")


def vitals(engine: Engine, save: bytes) -> Vitals | None:
    """How the hero of a save is; None for an engine that does not tell.  Raises :class:`Damaged`, `EngineFailed`."""
    if not isinstance(engine, TellsVitals):
        return None
    return _ask(engine.name, lambda: engine.vitals(save), _is(Vitals), "vitals")


def world(engine: TellsWorlds, name: str, save: bytes) -> str:
    """The world of a save of the engine of this `name`; raises :class:`Damaged`, :class:`EngineFailed`."""
    return _ask(name, lambda: engine.world(save), _is(str), "world")


def world_of(engine: TellsWorlds, name: str, seed: int) -> str:
    """The world of the games of this seed of the engine of this `name`; raises :class:`EngineFailed`."""
    return _ask(name, lambda: engine.world_of(seed), _is(str), "world_of")


def _step(run: Run, answer: Line | None) -> Prompt | None:
    """What the command asks next; None where it is done."""
    try:
        return next(run) if answer is None else run.send(answer)
    except StopIteration:
        return None


def _ask(engine: str, ask: Callable[[], T], is_answer: Callable[[T], bool] = lambda _: True, name: str = "") -> T:
    """What the engine answers; raises :class:`EngineFailed` where that is none."""
    try:
        answer = ask()
    except (Damaged, Unsupported, Usage):
        raise
    except (Exception, SystemExit) as error:
        raise EngineFailed(f"{engine} failed: {type(error).__name__}: {_words(error)}") from error
    if not is_answer(answer):
        raise EngineFailed(f"{engine} failed: its {name} is a {type(answer).__name__}, or out of range")
    return answer


def _words(error: BaseException) -> str:
    """What an exception says, in one line; nothing where even that fails."""
    try:
        return " ".join(str(error).split())[:MAX_SAID]
    except Exception:
        return ""


def _messages_of(game: Game) -> Sequence[str]:
    return game.messages if isinstance(game, TellsMessages) else ()


def _is(kind: Any) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kind)


def _is_told(value: object) -> bool:
    return value is None or (isinstance(value, list | tuple) and all(isinstance(text, str) for text in value))


def _is_place(value: object) -> bool:
    match value:
        case (str(), int(), int()):
            return True
    return False


def _is_bones(value: object) -> bool:
    match value:
        case None | (str(), bytes()):
            return True
    return False


_ANSWERS: dict[str, Callable[[Any], bool]] = {
    "turn": lambda turn: isinstance(turn, int) and 0 <= turn <= MAX_TURN,
    "here": _is_place,
    "incomplete": _is(bool),
    "state": _is(str),
    "ending": _is(str),
    "bones": _is_bones,
}
