"""A game standing at a place of its log; playing, watching and replaying differ in the target and in the writer.

The game changes only when a line is read, also if this session wrote it: input has no effect before it is in the log.
Input is accepted only at the end of the log, and only if the log has not changed since the player saw it.
"""

from collections.abc import Callable
from contextlib import suppress

from nhlog.engines.prompts import LookForBones
from nhlog.engines.protocol import Engine
from nhlog.errors import NhlogError, Unsupported
from nhlog.log.append import GameIsOver, InputDropped, Writer
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Bones, Command, Line, Time
from nhlog.session.bones import BonesFolder
from nhlog.session.creation import utc_now
from nhlog.session.desync import PASSING, without_file
from nhlog.session.following import SAVES, Following

__all__ = ["NotNow", "Session"]

_UNTIMED = b"*~+BQ"  # no time line follows these
_CONTINUING = ("repeat", "interrupt")  # what an incomplete game is told


class NotNow(NhlogError):
    """Input is not possible: this is not the end of the log, there is no writer, or the input was not asked for."""


class Session(Following):
    """A game that can also be played, if it has a `writer`; `bones` is the folder of bones, if any.

    With a writer, making one raises :class:`Unsupported` where the engine needs the game's past and cannot go on here.
    """

    def __init__(
        self,
        log: Log,
        engine: Engine,
        *,
        writer: Writer | None = None,
        bones: BonesFolder | None = None,
        now: Callable[[], int] = utc_now,
    ) -> None:
        super().__init__(log, engine)
        self._writer = writer
        self._bones = bones
        self._now = now
        if writer is not None and not (self.over or self.desync or self.frozen):
            self.recall()
            self.seek(None)

    def seek(self, target: int | None) -> None:
        """Go to the state after line `target`; with None, to the end of the log, and follow it.

        At the end a player's game goes on; elsewhere it is shown, as to everybody.
        """
        runs = self._writer is not None and target is None
        if runs != self.runs:
            self.target, self.runs = target, runs
            if self._needs_past is not None:
                self._load()
        super().seek(target)

    def command(self, command: Command) -> tuple[str, ...] | None:
        """Give a command, or continue one (``repeat``); returns when it is done or asks something.

        A command that takes no time and changes nothing is not written to the log; its messages are returned.  For
        all others this returns None.

        Raises :class:`NotNow` and, without having done anything, :class:`InputDropped`,
        :class:`~nhlog.errors.LogRecovered`, :class:`GameIsOver`, :class:`~nhlog.errors.LockNotObtained`.
        """
        if isinstance(self.prompt, LookForBones):  # whoever was to answer it is slow, or gone
            self.settle()
            raise InputDropped("the previous turn was not finished", file=self.log.source.name)
        if self.prompt is not None:
            raise NotNow("answer the prompt first")
        if command.name not in self.engine.commands:
            raise NotNow(f"there is no command {command.name}")
        self._ready()
        if (told := self.game.at_once(command)) is not None:
            return told
        if self.game.incomplete and command.name not in _CONTINUING:
            self._input(Command("interrupt"))
        self._input(command)
        return None

    def answer(self, line: Line) -> None:
        """Answer the prompt; returns and raises as :meth:`command`."""
        if self.prompt is None or not self.prompt.accepts(line):
            raise NotNow("there is no such prompt")
        self._input(line)

    def settle(self) -> None:
        """Write the lines that are missing after a player's program ended during a turn; raises as :meth:`command`."""
        self._ready()
        self.refresh()
        self._finish_turn()

    def _finish_turn(self) -> None:
        """Write the lines that end a turn, whoever began it: answers about bones, time, save line, end of the game."""
        writer = self._ready()
        while isinstance(self.prompt, LookForBones):
            self._write(writer, self._found_bones(self.prompt.name))
        if not self.idle:
            return
        if self._save_due and not self.over:
            self._time(writer)
            if not self.game.incomplete:
                self._write_save(writer)
        if self.game.ending and not self.log.header.finished:
            self._end(writer)

    def carry_over(self) -> None:
        """Continue a game of an earlier version of the engine: convert its newest save to this version, and write it.

        An unfinished turn after that save is dropped, but its time is kept.  Raises
        :class:`~nhlog.errors.Unsupported` if the engine cannot convert it, and otherwise as :meth:`command`.
        """
        assert self._writer is not None
        self.refresh()
        if self._gamestate is None or self.desync:
            raise Unsupported(self.desync)
        saved, _ = self._gamestate.checked()
        self._writer.save(saved, self.game.state)
        self._writer.adopt(self.engine.version)
        self.refresh()

    def describe(self) -> None:
        """Bring the state in the log's header up to date, as when a player comes or leaves; raises as :meth:`command`.

        Between such calls it may be as old as the latest backup.
        """
        unfinished = self._writer and self.live and not self.over and not self.desync
        if self._writer and unfinished and self.log.header.state != self.game.state:
            self._writer.describe(self.game.state)

    def mend(self) -> None:
        """Cut off a partial last line, which a crashed process left; raises as :meth:`command`."""
        if self._writer:
            self._writer.mend()
            self.catch_up()

    def _ready(self) -> Writer:
        """The writer; raises :class:`NotNow` if there is none or the game is not at the end of the log."""
        if self._writer is None:
            raise NotNow("you only watch this game")
        if not self.live:
            raise NotNow("this is not the end of the game")
        if self.desync or self.frozen:
            raise NotNow(f"the game cannot continue: {self.desync or self.frozen}")
        if not self.over:
            self._recall_or_refuse()
        return self._writer

    def _recall_or_refuse(self) -> None:
        """Have the engine know the game's past; raises :class:`NotNow` where it cannot go on."""
        try:
            self.recall()
        except Unsupported as error:
            raise NotNow(f"the game cannot continue: {error.message}") from None

    def _input(self, line: Line) -> None:
        writer = self._ready()
        seen = (self._at, self.recoveries)
        self.refresh()
        if (self._at, self.recoveries) != seen:
            raise InputDropped("somebody else wrote first", file=self.log.source.name)
        if self.over:
            raise GameIsOver("the game is over", file=self.log.source.name)
        self._time(writer)
        if self.idle:
            self._finish_turn()
            self._ready()
        self._write(writer, line)
        with suppress(InputDropped, GameIsOver, *PASSING):  # it is in the log: what is due now can wait, or is done
            self._time(writer)
            self._finish_turn()

    def _write(self, writer: Writer, line: Line) -> None:
        """Append a line, then apply it as any other."""
        try:
            writer.append(line)
        except InputDropped:
            self.refresh()
            raise
        self._follow()

    def _time(self, writer: Writer) -> None:
        """Write the time line that follows input, unless it was written already."""
        if self.log.columns.kinds[-1] in _UNTIMED or self._gamestate is None:
            return
        self._write(writer, Time(self._gamestate.since(self._now())))

    @property
    def _save_due(self) -> bool:
        return self.log.columns.kinds[-1] not in SAVES

    def _write_save(self, writer: Writer) -> None:
        """Save, load, save again and compare; only then write (seed 003, "Save diff")."""
        assert self._gamestate is not None
        try:
            self._written, self._gamestate = self._gamestate.checked()
        except NhlogError as error:
            self._lose(without_file(error))
            return
        try:
            writer.save(self._written, self.game.state)
        except InputDropped:  # another player of the game wrote it
            self._written = b""
            self.refresh()
            raise
        self._follow()

    def _found_bones(self, name: str) -> Bones:
        bones = self._bones.take(name) if self._bones else None
        return Bones(None if bones is None else Blob.of(bones))

    def _end(self, writer: Writer) -> None:
        left = None if self.over else self.game.bones
        if left and self._bones:
            self._bones.leave(*left)
        try:
            writer.finish(self.game.ending)
        except GameIsOver:
            self.refresh()
        self._follow()
