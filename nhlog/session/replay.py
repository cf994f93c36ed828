"""A game that an engine knows, as a recording: its log's steps, and between saves what the engine makes of them.

Where the engine cannot follow, the state is that of the latest save, frozen, and says why.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from nhlog.engines import engine_named
from nhlog.formats.nhgame.engine import engine_name
from nhlog.formats.nhgame.replay import LogReplay
from nhlog.formats.nhgame.state import Entry, LogState
from nhlog.log.log import Log
from nhlog.replay import Change, Info
from nhlog.session.desync import PASSING
from nhlog.session.session import Session
from nhlog.timeline import Timeline

__all__ = ["GameReplay", "engine_of", "with_engine"]


class GameReplay:
    """A session, standing at one of its log's lines (see :class:`nhlog.replay.Replay`); `format` names the game."""

    def __init__(self, session: Session, lines: LogReplay) -> None:
        self.session = session
        self.lines = lines
        self._state: LogState | None = None

    @property
    def info(self) -> Info:
        """What the log says, as a game of this engine."""
        info = self.lines.info
        name = self.session.engine.name
        return replace(info, id=name, format=f"{name} game", note=info.note or self.session.desync)

    @property
    def timeline(self) -> Timeline:
        """The log's lines."""
        return self.lines.timeline

    @property
    def step(self) -> int:
        """The line at which the replay stands."""
        return self.lines.step

    @property
    def state(self) -> LogState:
        """The state after that line: its save is what the engine would save there."""
        if self._state is None:
            self._state = self._state_here()
        return self._state

    def _state_here(self) -> LogState:
        state, session = self.lines.state, self.session
        gamestate = session.gamestate
        if gamestate is None or session.at != state.step + 1:
            return state
        return replace(state, save=gamestate.save(), turn=gamestate.game.turn, fault=state.fault or session.desync)

    def seek(self, step: int) -> None:
        """Stand at line `step`."""
        before = self.step
        self.lines.seek(step)
        if self.step != before or self.session.at != self.step + 1:
            self._state = None
            with suppress(*PASSING):  # the state is that of the latest save, until it is looked at again
                self.session.seek(self.step)

    def to_end(self) -> None:
        """Stand where the session stands when it is live: at the log's end, wherever that comes to be."""
        self.session.seek(None)
        self.lines.refresh()
        self.lines.seek(self.timeline.last)
        self._state = None

    def refresh(self) -> Change:
        """Follow the log; after a recovery everything is read again."""
        change = self.lines.refresh()
        if change is not Change.NOTHING or self.session.at != self.step + 1:
            self._state = None
        with suppress(*PASSING):
            self.session.refresh()
            if change is Change.REWOUND:
                self.session.seek(self.step)
        return change

    def events(self, first: int, last: int) -> Iterator[Entry]:
        """The log's."""
        return self.lines.events(first, last)

    def close(self) -> None:
        """Close the file."""
        self.lines.close()


def engine_of(log: Log) -> str:
    """The name of the engine of the log, as far as its saves, or else its first line, tell."""
    return engine_name(log.header.identification.version, log.columns.head)


def with_engine(lines: LogReplay) -> GameReplay:
    """The same log as a game; raises :class:`~nhlog.errors.Unsupported` where there is no engine for it."""
    session = Session(lines.log, engine_named(engine_of(lines.log)))
    session.seek(lines.step)
    return GameReplay(session, lines)
