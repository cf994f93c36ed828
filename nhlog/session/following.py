"""A game that follows its log: it reads the log's lines and applies them to the engine's game.

The state of the game depends only on the log's lines up to `at`, and changes only when a line is read.

The locations of log spec section 9: `backup <= bsave <= gamestate < end`.

The problem: a log says twice what a game is, by its commands and by its saves, and the two may disagree: the engine is
of another version, or has a bug that another machine does not have; a line is damaged; a save cannot be rebuilt.  Then
somebody still wants to see the game, and somebody wants to play on.  The rule is that a *save* is believed, and the
commands only lead from one to the next.  Three cases remain, each with an attribute that says why:

- `desync`: the lines after a save cannot be followed (an answer to no question, a command that there is not, an engine
  that fails).  The game stands still at the last save that can be loaded, and goes on with the next one that can.
- `carried`: the *save* is lost, the commands are not.  The game that they make of the save before is shown in its
  place; a later diff is applied to it, and its checksum proves that game right or wrong.
- `frozen`: the engine is of another version.  What its commands would make would be another game, so that none are run:
  the game is shown at its saves.

Beside them `diverged`: both could be read and are different, which is told and changes nothing: the save is believed.
It costs a save of the game for each that is read, so that only who ran the commands anyway compares; `check` does it
for who asks.

Rejected: to believe the commands (a game that two engines play differently would have no state that both agree on); to
stop at the first thing that is wrong (a game would end at its first damaged line, where all later saves are sound); to
guess which of the two is damaged.

Who changes this keeps: each of the three ends with the next sound save, and none of them makes a state that is in no
save and that no commands lead to.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from nhlog.engines import guarded
from nhlog.engines.guarded import GuardedGame
from nhlog.engines.prompts import Prompt
from nhlog.engines.protocol import Engine, NeedsPast, Run
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.log.columns import Columns
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command, GameOver, Line, ScoreLookup, Time
from nhlog.replay import Told
from nhlog.savehead import HEAD_SIZE
from nhlog.session.desync import PASSING, last_loadable, without_file
from nhlog.session.gamestate import Gamestate
from nhlog.session.versions import frozen_by_age

__all__ = ["SAVES", "Following", "Locations", "LostSave"]

SAVES = b"*~"
"""The first bytes of save lines."""

COMMANDS: Final = bytes(range(ord("a"), ord("z") + 1))
"""The first bytes of commands."""


class Locations(NamedTuple):
    """Byte offsets in the log: of the latest backup, the current save, the last line applied, and the line after it."""

    backup: int
    bsave: int
    gamestate: int
    end: int


class LostSave(Damaged):
    """A save of the log cannot be rebuilt."""


class Following:
    """An open log and the game that its engine computes from it.

    `target` is the number of the line to stand at, or None to follow the end of the log.  `prompt` is what the game
    asks since line `asked`, None between commands.  `over` is whether the line that ends the game was read.  `desync`
    says why lines cannot be followed: then the game is frozen at the last save that could be loaded, until the next
    save.  `carried` names a lost save, if the game was computed from the commands after the save before it instead.
    `diverged` says where the latest save is not the game that the engine makes of the commands before it, if they were
    run (see `check`).  `frozen` says why the game is shown at its saves only: it is one of another version of the
    engine.  `runs` is whether the commands are run of a game that needs its past (:class:`NeedsPast`); otherwise such a
    game is shown at its saves only, too.  `recoveries` is the number of rewinds of the log since it was opened.
    `told` are the game's messages, by the number of the save after which they came, as far as the lines there were
    followed: after the latest save up to `at`, after others up to the next save.
    """

    _save: int  # the number of the latest save
    _recalled: int
    _checked: int
    _heard: int  # of the messages of the command in progress

    def __init__(self, log: Log, engine: Engine, target: int | None = None) -> None:
        self.log = log
        self.engine = engine
        self.target = target
        self.runs = False
        self._needs_past = engine if isinstance(engine, NeedsPast) else None
        self.recoveries = 0
        self.told: dict[int, list[Told]] = {}
        self._columns: Columns | None = None
        self._save = -1
        self._load()

    # where we stand

    @property
    def frozen(self) -> str:
        """Why no commands are run (the log, or the save that is shown, has another version); empty if they are run."""
        return self._aged or frozen_by_age(self.log, self.engine)

    @property
    def stands(self) -> bool:
        """Whether the game is shown at its saves only, as nothing here needs its past."""
        return self._needs_past is not None and not self.runs

    @property
    def game(self) -> GuardedGame:
        """The current game; raises :class:`Damaged` if no save could be loaded."""
        if self._gamestate is None:
            raise Damaged(self.desync or "no save can be loaded", file=self.log.source.name)
        return self._gamestate.game

    @property
    def gamestate(self) -> Gamestate | None:
        """The current game with the log's clock; None if no save could be loaded."""
        return self._gamestate

    @property
    def at(self) -> int:
        """The number of lines of the log that are applied."""
        return self._at

    @property
    def live(self) -> bool:
        """Whether the game is at the end of the log, and follows it."""
        return self.target is None and self._at == len(self.log)

    @property
    def idle(self) -> bool:
        """Whether no command is in progress, so that there is no prompt."""
        return self._run is None

    @property
    def locations(self) -> Locations:
        """The current place in the log, as byte offsets."""
        columns = self.log.columns
        save = self._save
        return Locations(
            columns.backup_offset(max(columns.backup_at(save), 0)),
            columns.offsets[columns.save_lines[save]],
            columns.offsets[self._at - 1],
            columns.after(self._at - 1),
        )

    def check(self) -> str:
        """How the latest save differs from the game that the engine makes of the commands before it (`diverged`).

        If these commands were not run on the way here, they are run now.
        """
        if self._checked != self._save and not self.frozen and not self.stands:
            before = self.log.last_sound(self._save - 1) if self._save > 0 else -1
            if before >= 0:
                self.diverged = self._held_against_commands(before)
            self._checked = self._save
        return self.diverged

    def _held_against_commands(self, before: int) -> str:
        """What becomes of the latest save if the commands since save `before` are run."""
        lines = self.log.columns.save_lines
        other = Following(self.log, self.engine, lines[before])
        other.runs = self.runs
        other.target = lines[self._save]
        other._follow()
        return other.diverged

    def recall(self) -> None:
        """Have the engine know the past of the latest save, where it needs that to go on.

        Raises :class:`Unsupported` where it cannot go on here, and other :class:`NhlogError`.
        """
        if self._needs_past is None or self._recalled == self._save:
            return
        first, save = (self.log.save(number)[HEAD_SIZE:] for number in (0, self._save))
        guarded.recall(self._needs_past, self.engine.name, first, self._commands(), save)
        self._recalled = self._checked = self._save  # which its commands made again

    def _commands(self) -> Iterator[Command]:
        """The commands of the log up to the latest save."""
        columns = self.log.columns
        for number in range(columns.save_lines[self._save]):
            if columns.kinds[number] in COMMANDS and isinstance(command := self.log.line(number), Command):
                yield command

    # going somewhere

    def seek(self, target: int | None) -> None:
        """Go to the state after line `target`; with None, to the end of the log, and follow it."""
        self.target = target
        wanted = self._last
        if self._columns is None or wanted < self._at or self._is_nearer(self.log.columns.save_at(wanted - 1)):
            self._load()
        else:
            self._follow()

    def _is_nearer(self, save: int) -> bool:
        """Whether loading that save is better than applying the lines up to it."""
        return save > self._save and self.log.last_sound(save) > self._loaded

    def refresh(self) -> bool:
        """Read what was added to the log and :meth:`catch_up`."""
        self.log.refresh()
        return self.catch_up()

    def catch_up(self) -> bool:
        """Apply the lines that the log object has read by now; returns whether that changed the game."""
        if self.log.columns is not self._columns:
            self.recoveries += self._columns is not None
            self._load()
            return True
        before = self._at
        self._follow()
        return self._at != before

    @property
    def _last(self) -> int:
        """The number of lines to be applied."""
        return len(self.log) if self.target is None else min(self.target + 1, len(self.log))

    def _load(self) -> None:
        """Load the last save before the target that is not lost; if that fails, show an earlier one, frozen."""
        columns = self.log.columns
        self.told = self.told if columns is self._columns else {}
        self.told.pop(self._save, None)  # which was not followed to its end
        self._columns = None  # nothing is known until the save was read
        self._gamestate: Gamestate | None = None
        self._run: Run | None = None
        self.prompt: Prompt | None = None
        self.asked = 0
        self.over = False
        self.desync = ""
        self.diverged = ""
        self.carried = ""
        self._aged = ""
        self._recalled = -1  # the save whose past the engine knows
        self._checked = -1  # the save that was held against the commands before it
        self._made: bytes | None = None  # the save before the next one, as the commands make it: it is lost
        self._written = b""
        self._loaded = -1  # the save that the game was taken from last
        latest = max(columns.save_at(self._last - 1), 0)
        sound = self.log.last_sound(latest)
        self._save = sound if sound >= 0 else latest
        self.told[self._save] = []
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
            self._gamestate = self._loaded_from(self.log.save(loadable.save))

    def _loaded_from(self, save: bytes) -> Gamestate:
        """The game of a save, also one of an earlier version that the engine can carry over."""
        self._aged = ""
        try:
            return Gamestate.load(self.engine, save)
        except Damaged as error:
            try:
                older = Gamestate.carry_over(self.engine, save)
            except Unsupported:
                raise error from None
        self._aged = f"a save of an earlier version of {self.engine.name}: the game stands still up to the next one"
        return older

    # lines come in

    def _follow(self) -> None:
        """Apply all lines up to the target; one that cannot be read without a lock is tried again next time."""
        while self._at < self._last:
            try:
                self._take(self._at)
            except Damaged as error:
                self._lose(without_file(error))
            self._at += 1

    def _take(self, number: int) -> None:
        if self.over:
            self._lose("a line after the end of the game")
        if self.log.columns.kinds[number] in SAVES:
            self._save = self.log.columns.save_at(number)
            self.told[self._save] = []
            self._take_save(self._save)
            return
        match self.log.line(number):
            case GameOver():
                self.over = True
            case Time(delta):
                if self._gamestate:
                    self._gamestate.pass_time(delta)
            case ScoreLookup():
                pass
            case _ if self.desync or self.frozen or self.stands:
                pass  # until the next save
            case Command() as command:
                self._start(command)
            case answer:
                self._answer(answer)

    def _take_save(self, number: int) -> None:
        """Load a save in place of the game that the lines before made; if it is lost, that game is kept."""
        held = self.desync or self.frozen or self.stands
        followed = self._gamestate is not None and self._run is None and not held
        made = self._neutral_save() if followed else None
        try:
            save = self._read_save(number)
            if save != self._written:  # by us: it was loaded before it was written
                self._gamestate = self._loaded_from(save)
        except PASSING:
            raise
        except LostSave as error:
            self._carry_on(made, str(error))
            return
        except NhlogError as error:
            self._lose(without_file(error))
            return
        self.diverged = ""
        self._checked = number if followed else -1
        if followed and made != save:
            self.diverged = f"turn {self.game.turn}: {self.engine.name} makes a different game of the commands"
        if followed and made == save and self._recalled == number - 1:
            self._recalled = number
        self._loaded = number
        self._run, self.prompt, self.desync, self.carried, self._made = None, None, "", "", None

    def _neutral_save(self) -> bytes | None:
        """The save that the game after the lines would make now; None if it can make none."""
        if self._gamestate is None or self._gamestate.game.incomplete:
            return None
        try:
            return self._gamestate.save()
        except NhlogError:
            return None

    def _read_save(self, number: int) -> bytes:
        """Save `number` of the log; raises :class:`LostSave` if it cannot be rebuilt.

        A diff to a lost save is applied to the game that the commands made; raises :class:`Damaged` if the checksum of
        the result is wrong, which proves that game wrong.
        """
        try:
            return self.log.save(number)
        except PASSING:
            raise
        except NhlogError as error:
            lost = without_file(error)
        if self._made is None:
            raise LostSave(lost)
        try:
            proved = self.log.saves.prove(number, self._made)
        except Damaged:
            raise Damaged(f"{lost}; the commands do not lead to the next save either") from None
        if proved is None:
            raise LostSave(lost)
        return proved

    def _carry_on(self, made: bytes | None, lost: str) -> None:
        """Continue with the game that the commands made, in place of the lost save."""
        if made is None:
            self._lose(lost)
        else:
            self.carried = self.carried or f"{lost}; what is shown the commands make of the save before"
            self._made = made

    def _start(self, command: Command) -> None:
        if self._run is not None:
            self._lose(f"the command {command.name} where an answer was due")
        elif command.name not in self.engine.commands:
            self._lose(f"{self.engine.name} has no command {command.name}")
        else:
            assert self._gamestate is not None  # else there is a desync, and no command is started
            try:
                self.recall()
            except PASSING:
                raise
            except NhlogError as error:
                self._lose(without_file(error))
                return
            self._run = self._gamestate.run(command)
            self._heard = 0
            self._advance(None)

    def _answer(self, line: Line) -> None:
        if self.prompt is None:
            self._lose("an answer to a question that was not asked")
        elif not self.prompt.accepts(line):
            self._lose("an answer to another question")
        else:
            self._advance(line)

    def _advance(self, answer: Line | None) -> None:
        """Continue the command up to its next prompt or its end."""
        assert self._run is not None
        self.asked = self._at
        try:
            self.prompt = next(self._run) if answer is None else self._run.send(answer)
        except StopIteration:
            self._run, self.prompt = None, None
        except NhlogError as error:
            self._lose(without_file(error))
            return
        self._hear()

    def _hear(self) -> None:
        """Note the game's messages since the last call."""
        messages = self.game.messages
        self.told[self._save] += [Told(self._at, self.game.turn, text) for text in messages[self._heard :]]
        self._heard = len(messages)

    def _lose(self, reason: str) -> None:
        """Record that the lines cannot be followed, and freeze the game at the current save."""
        if self.desync:
            return
        if self._gamestate is not None:
            self._freeze()
        self.desync = reason
        self._run, self.prompt, self.carried, self._made = None, None, "", None

    def _freeze(self) -> None:
        """Undo the effect of the lines since the last save."""
        assert self._gamestate is not None
        clock = self._gamestate.clock
        try:
            self._gamestate = Gamestate.load(self.engine, self.log.save(self._loaded))
        except PASSING:
            raise
        except NhlogError:
            return  # an earlier save is shown already
        self._gamestate.pass_time(clock - self._gamestate.clock)
