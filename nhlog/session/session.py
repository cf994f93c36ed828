"""A game standing at a place of its log; playing, watching and replaying differ in the target and in who may write.

What the game structures are is made of the log's lines up to `at` alone.  They change only because a line was read,
also when it is we who wrote it: no input does anything before it is in the log.  Input is taken only where the target
is the end of the log, and only if the log is as it was when the person saw it.

The locations of log spec section 9: `backup <= bsave <= gamestate < end`.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from nhlog.engines.prompts import LookForBones, Prompt
from nhlog.engines.protocol import Engine, Game, Run
from nhlog.errors import Damaged, NhlogError
from nhlog.log.append import GameIsOver, InputDropped, Writer
from nhlog.log.columns import Columns
from nhlog.log.log import Log
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.lines import Backup, Bones, Command, Diff, GameOver, Line, ScoreLookup, Time
from nhlog.session.bones import BonesFolder
from nhlog.session.creation import utc_now
from nhlog.session.desync import PASSING, last_loadable, without_file
from nhlog.session.gamestate import Gamestate

__all__ = ["Locations", "NotNow", "Session"]

_SAVES = b"*~"
_UNTIMED = b"*~+BQ"  # no time line follows these
_CONTINUING = ("repeat", "interrupt")  # what an incomplete game is told


class NotNow(NhlogError):
    """Input that cannot be taken here: what is shown is not the end of the log, or nobody asked for it."""


class Locations(NamedTuple):
    """Byte offsets in the log: the latest backup, the save in force, the last line taken in, and the one after it."""

    backup: int
    bsave: int
    gamestate: int
    end: int


class Session:
    """An open log and what its engine makes of it.

    `target` is the line to stand at, or None for the end of the log, wherever that comes to be.  `prompt` is what the
    game is asking since line `asked`, None between commands.  `over` says that the log's last line was read.  `desync`
    says why lines cannot be followed: then the game stands frozen at the last save that could be loaded, until the
    next one is reached.  `diverged` says where the engine made something else of the lines than what was saved after
    them.  `recoveries` counts how often the log was recovered or rewound under us.
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
        self.log = log
        self.engine = engine
        self.target: int | None = None
        self.recoveries = 0
        self._writer = writer
        self._bones = bones
        self._now = now
        self._load()

    # where we stand

    @property
    def game(self) -> Game:
        """The game as it stands; raises :class:`Damaged` where no save could be loaded."""
        if self._gamestate is None:
            raise Damaged(self.desync or "no save can be loaded", file=self.log.source.name)
        return self._gamestate.game

    @property
    def gamestate(self) -> Gamestate | None:
        """The same with the log's clock; None where no save could be loaded."""
        return self._gamestate

    @property
    def at(self) -> int:
        """How many lines of the log are taken in."""
        return self._at

    @property
    def live(self) -> bool:
        """Whether the game is shown as it is at the end of the log."""
        return self.target is None and self._at == len(self.log)

    @property
    def idle(self) -> bool:
        """Whether a command is carried out no further: nothing is asked."""
        return self._run is None

    @property
    def locations(self) -> Locations:
        """Where we are, in bytes."""
        columns = self.log.columns
        save = self._save
        return Locations(
            columns.backup_offset(max(columns.backup_at(save), 0)),
            columns.offsets[columns.save_lines[save]],
            columns.offsets[self._at - 1],
            columns.after(self._at - 1),
        )

    # going somewhere

    def seek(self, target: int | None) -> None:
        """Stand after line `target`, or at the end and stay there."""
        self.target = target
        wanted = self._last
        save = self.log.columns.save_at(wanted - 1)
        if self._columns is None or wanted < self._at or save > self._save:
            self._load()
        else:
            self._follow()

    def refresh(self) -> bool:
        """Look at the log once and `catch_up`."""
        self.log.refresh()
        return self.catch_up()

    def catch_up(self) -> bool:
        """Follow what is known of the log now, whoever looked at it; whether that changed the game."""
        if self.log.columns is not self._columns:
            self.recoveries += self._columns is not None
            self._load()
            return True
        before = self._at
        self._follow()
        return self._at != before

    @property
    def _last(self) -> int:
        """How many lines are to be taken in."""
        return len(self.log) if self.target is None else min(self.target + 1, len(self.log))

    def _load(self) -> None:
        """Begin anew at the save in force at the target; what cannot be loaded is frozen at the save before it."""
        self._columns: Columns | None = None  # nothing is known until the save was read
        columns = self.log.columns
        self._gamestate: Gamestate | None = None
        self._run: Run | None = None
        self.prompt: Prompt | None = None
        self.asked = 0
        self.over = False
        self.desync = ""
        self.diverged = ""
        self._written = b""
        self._save = max(columns.save_at(self._last - 1), 0)
        self._at = columns.save_lines[self._save] + 1 if columns.save_lines else 0
        self._take_save(self._save)
        if self._gamestate is None:
            self._load_earlier()
        self._columns = columns
        self._follow()

    def _load_earlier(self) -> None:
        """Show the last save that can be loaded, frozen."""
        loadable = last_loadable(self.log, self.engine, self._save)
        if loadable is not None:
            self._gamestate = Gamestate.load(self.engine, self.log.save(loadable.save))

    # lines come in

    def _follow(self) -> None:
        """Take in what there is; a line that cannot be read now for want of a lock is the next one still."""
        while self._at < self._last:
            try:
                self._take(self._at, self.log.line(self._at))
            except Damaged as error:
                self._lose(without_file(error))
            self._at += 1

    def _take(self, number: int, line: Line) -> None:
        if self.over:
            self._lose("a line after the end of the game")
        match line:
            case Backup() | Diff():
                self._save = self.log.columns.save_at(number)
                self._take_save(self._save)
            case GameOver():
                self.over = True
            case Time(delta):
                if self._gamestate:
                    self._gamestate.pass_time(delta)
            case ScoreLookup():
                pass
            case _ if self.desync:
                pass  # frozen until the next save
            case Command():
                self._start(line)
            case _:
                self._answer(line)

    def _take_save(self, number: int) -> None:
        """The save overrides whatever the lines before it came to."""
        try:
            save = self.log.save(number)
            if save == self._written:  # by us, and it was loaded before it was written
                return
            made = self._gamestate.save() if self._gamestate and self._run is None and not self.desync else save
            self._gamestate = Gamestate.load(self.engine, save)
        except PASSING:
            raise
        except NhlogError as error:
            self._lose(without_file(error))
            return
        if made != save:
            self.diverged = f"turn {self.game.turn}: {self.engine.name} makes another game of the commands"
        self._run, self.prompt, self.desync = None, None, ""

    def _start(self, command: Command) -> None:
        if self._run is not None:
            self._lose(f"the command {command.name} where an answer was due")
        elif command.name not in self.engine.commands:
            self._lose(f"{self.engine.name} has no command {command.name}")
        else:
            assert self._gamestate is not None  # else there is a desync, and no command is started
            self._run = self._gamestate.run(command)
            self._advance(None)

    def _answer(self, line: Line) -> None:
        if self.prompt is None:
            self._lose("an answer to a question that was not asked")
        elif not self.prompt.accepts(line):
            self._lose("an answer to another question")
        else:
            self._advance(line)

    def _advance(self, answer: Line | None) -> None:
        """Carry the command out up to what it asks next."""
        assert self._run is not None
        self.asked = self._at
        try:
            self.prompt = next(self._run) if answer is None else self._run.send(answer)
        except StopIteration:
            self._run, self.prompt = None, None
        except Exception as error:  # whatever is wrong with an engine must not take the log's other readers with it
            self._lose(f"{self.engine.name} failed: {type(error).__name__}: {error}")

    def _lose(self, reason: str) -> None:
        """The lines cannot be followed: freeze at the save in force."""
        if self.desync:
            return
        if self._gamestate is not None:
            self._freeze()
        self.desync = reason
        self._run, self.prompt = None, None

    def _freeze(self) -> None:
        """Undo what the lines since the last save did to the game."""
        assert self._gamestate is not None
        clock = self._gamestate.clock
        try:
            self._gamestate = Gamestate.load(self.engine, self.log.save(self._save))
        except PASSING:
            raise
        except NhlogError:
            return  # an earlier save is shown already
        self._gamestate.pass_time(clock - self._gamestate.clock)

    # input

    def command(self, command: Command) -> None:
        """Give a command, or carry one on (``repeat``); returns when it is done or asks something.

        Raises :class:`NotNow`, and where nothing was done :class:`InputDropped`,
        :class:`~nhlog.errors.LogRecovered`, :class:`GameIsOver`, :class:`~nhlog.errors.LockNotObtained`.
        """
        if isinstance(self.prompt, LookForBones):  # whoever was to answer it is slow, or gone
            self.settle()
            raise InputDropped("the turn before was not finished", file=self.log.source.name)
        if self.prompt is not None:
            raise NotNow("the game asks something first")
        if command.name not in self.engine.commands:
            raise NotNow(f"there is no command {command.name}")
        if self.game.incomplete and command.name not in _CONTINUING:
            self._input(Command("interrupt"))
        self._input(command)

    def answer(self, line: Line) -> None:
        """Answer the prompt; as `command`."""
        if self.prompt is None or not self.prompt.accepts(line):
            raise NotNow("nobody asked for that")
        self._input(line)

    def settle(self) -> None:
        """Write what is due after a player who died in the middle of a turn; as `command`."""
        self._ready()
        self.refresh()
        self._finish_turn()

    def _finish_turn(self) -> None:
        """Write what is due whoever began it: bones looked for, time, a save line, the end."""
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

    def leave(self) -> None:
        """Say in the header how the game stands, as a player does who leaves a game that goes on."""
        if self._writer and self.live and not self.over and not self.desync:
            self._writer.describe(self.game.state)

    def _ready(self) -> Writer:
        """The writer; raises :class:`NotNow` unless we stand where one may write."""
        if self._writer is None:
            raise NotNow("you watch this game: its player's keys count")
        if not self.live:
            raise NotNow("this is not the end of the game")
        if self.desync:
            raise NotNow(f"the game cannot go on: {self.desync}")
        return self._writer

    def _input(self, line: Line) -> None:
        writer = self._ready()
        seen = (self._at, self.recoveries)
        self.refresh()
        if (self._at, self.recoveries) != seen:
            raise InputDropped("somebody else was quicker", file=self.log.source.name)
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
        """Append a line, then take it in as any other."""
        try:
            writer.append(line)
        except InputDropped:
            self.refresh()
            raise
        self._follow()

    def _time(self, writer: Writer) -> None:
        """The time line that is due after input, unless somebody wrote it already."""
        if self.log.columns.kinds[-1] in _UNTIMED or self._gamestate is None:
            return
        self._write(writer, Time(self._gamestate.since(self._now())))

    @property
    def _save_due(self) -> bool:
        return self.log.columns.kinds[-1] not in _SAVES

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
