"""A game that an engine knows, as a recording: its log's steps, and between saves what the engine makes of them.

Where the engine cannot follow, the state is that of the latest save, frozen, and says why.  Where a save is lost, it is
what the commands make of the one before, and says so.
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

    @property
    def info(self) -> Info:
        """What the log says, as a game of this engine."""
        info = self.lines.info
        name = self.session.engine.name
        note = info.note or self.session.desync or self.session.carried
        return replace(info, id=name, format=f"{name} game", note=note)

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
        """The state after that line: its save is what the engine would save there, its game is the session's."""
        state, session = self.lines.state, self.session
        gamestate = session.gamestate
        if gamestate is None or session.at != state.step + 1:
            return state
        turn, fault = gamestate.game.turn, session.desync or session.carried
        return replace(state, saved=gamestate.snapshot(), turn=turn, fault=fault)

    def seek(self, step: int) -> None:
        """Stand at line `step`."""
        before = self.step
        self.lines.seek(step)
        if self.step != before or self.session.at != self.step + 1:
            with suppress(*PASSING):  # the state is that of the latest save, until it is looked at again
                self.session.seek(self.step)

    def to_end(self) -> None:
        """Stand where the session stands when it is live: at the end of the log as it is known, and stay there."""
        self.session.seek(None)
        self.lines.catch_up()
        self.lines.seek(self.timeline.last)

    def refresh(self) -> Change:
        """Look at the log once and follow it; after a recovery everything is read again."""
        change = self.lines.refresh()
        with suppress(*PASSING):
            self.session.catch_up()
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
