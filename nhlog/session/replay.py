"""A game whose engine is installed as a replay: the steps of its log, and the engine's states between saves.

If the engine cannot follow the lines, the state stays that of the latest save, and its `fault` says why.  If a
save is lost, the state is computed from the commands after the save before, and its `fault` says so.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from nhlog.engines import engine_named
from nhlog.engines.prompts import LookForBones
from nhlog.errors import Unsupported
from nhlog.formats.nhgame.engine import engine_name, head_of
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.state import Entry, LogState
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command
from nhlog.replay import Change, Info, Told
from nhlog.session.desync import PASSING
from nhlog.session.session import NotNow, Session, messages_before
from nhlog.timeline import Timeline

if TYPE_CHECKING:
    from nhlog.plots import Plots

__all__ = ["GameReplay", "engine_of", "with_engine"]


class GameReplay:
    """A session as a replay, standing at one of its log's lines (see :class:`nhlog.replay.Replay`)."""

    def __init__(self, session: Session, lines: LogReplay) -> None:
        self.session = session
        self.lines = lines

    @property
    def info(self) -> Info:
        """The description of the log, with the engine's name as format."""
        name = self.session.engine.name
        return replace(self.lines.info, id=name, format=f"{name} game")

    @property
    def timeline(self) -> Timeline:
        """The timeline of the log's lines."""
        return self.lines.timeline

    @property
    def step(self) -> int:
        """The line at which the replay stands."""
        return self.lines.step

    @property
    def state(self) -> LogState:
        """The state after that line, with the engine's game, and the save that the engine would make there."""
        state, session = self.lines.state, self.session
        gamestate = session.following.gamestate
        if gamestate is None or session.following.at != state.step + 1:
            return state
        game, fault = gamestate.game, session.following.desync or session.following.carried
        asks = None if isinstance(session.prompt, LookForBones) else session.prompt
        return replace(
            state,
            saved=gamestate.snapshot(),
            turn=game.turn,
            fault=fault,
            note=fault or session.following.frozen,
            check=self._check,
            asks=asks,
            here=game.here[1:],
            told=() if fault else game.messages,
        )

    def _check(self) -> str:
        with suppress(*PASSING):
            return self.session.following.check()
        return ""

    def look(self, name: str) -> tuple[str, ...]:
        """The messages of one of the engine's `looks` at this line.

        Raises :class:`Unsupported` for another command, :class:`NotNow` where the game cannot say.
        """
        if name not in self.session.engine.looks:
            raise Unsupported(f"{self.session.engine.name} has no look named {name}")
        told = self.session.game.at_once(Command(name))
        if told is None:
            raise NotNow("not while a prompt is open")
        return told

    def messages(self) -> Iterator[Sequence[Told]]:
        """The game's messages up to this line, the latest first, piece by piece (see `messages_before`)."""
        return messages_before(self.session)

    def seek(self, step: int) -> None:
        """Go to line `step`, clamped to the timeline."""
        before = self.step
        self.lines.seek(step)
        if self.step != before or self.session.following.at != self.step + 1:
            with suppress(*PASSING):  # the state is that of the latest save, until it is looked at again
                self.session.seek(self.step)

    def to_end(self) -> None:
        """Go to the end of the log and follow it, so that the session is live."""
        self.session.seek(None)
        self.lines.catch_up()
        self.lines.seek(self.timeline.last)

    def refresh(self) -> Change:
        """Read what was added to the log, and return what changed; after a recovery everything is read again."""
        change = self.lines.refresh()
        with suppress(*PASSING):
            self.session.catch_up()
            if change is Change.REWOUND:
                self.session.seek(self.step)
        return change

    def events(self, first: int, last: int) -> Iterator[Entry]:
        """The events of the log's lines `first` to `last`."""
        return self.lines.events(first, last)

    def plots(self) -> "Plots":
        """The plots of the game."""
        return self.lines.plots()

    def close(self) -> None:
        """Close the file."""
        self.lines.close()


def engine_of(log: Log) -> str:
    """The name of the log's engine, from its saves, else from its first line."""
    return engine_name(log.header.identification.version, head_of(log))


def with_engine(lines: LogReplay) -> GameReplay:
    """Open a log's replay as a game; raises :class:`~nhlog.errors.Unsupported` if there is no engine for it."""
    session = Session(lines.log, engine_named(engine_of(lines.log)))
    session.seek(lines.step)
    return GameReplay(session, lines)
