"""What the lines of a log make of a game: from a save on, each is applied to the engine's game.

The state of the game depends only on the log's lines up to `at`, and changes only when a line is read.  Where one
stands, and who writes, is :mod:`nhlog.session.session`'s.

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

Beside them `diverged`: both could be read and are different, which is reported and changes nothing: the save is
believed.  It costs a save of the game for each that is read, so that only who ran the commands anyway compares;
`check` does it for who asks.

Rejected: to believe the commands (a game that two engines play differently would have no state that both agree on); to
stop at the first thing that is wrong (a game would end at its first damaged line, where all later saves are sound); to
guess which of the two is damaged.

Who changes this keeps: each of the three ends with the next sound save, and none of them makes a state that is in no
save and that no commands lead to.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final

from nhlog.engines import guarded
from nhlog.engines.guarded import GuardedGame
from nhlog.engines.prompts import Prompt
from nhlog.engines.protocol import Engine, NeedsPast, Run
from nhlog.errors import Damaged, NhlogError, Unsupported
from nhlog.log.log import Log
from nhlog.log.wire.lines import Command, GameOver, Line, ScoreLookup, Time
from nhlog.replay import Told
from nhlog.savehead import HEAD_SIZE
from nhlog.session.desync import PASSING, last_loadable, without_file
from nhlog.session.gamestate import Gamestate

__all__ = ["SAVES", "Age", "Following", "LostSave", "age_of", "commands_before", "recall_past"]

SAVES: Final = b"*~"
"""The first bytes of save lines."""

COMMANDS: Final = bytes(range(ord("a"), ord("z") + 1))
"""The first bytes of commands."""

_NUMBER: Final = re.compile(r"\d{1,9}")


class Age(Enum):
    """How the version of a log compares with the engine's."""

    SAME = "the same as"
    OLDER = "older than"
    NEWER = "newer than"


def age_of(log: Log, engine: Engine) -> Age:
    """How the version in the log's first line compares with that of the engine that is installed.

    Saves and rules are the same for all versions of an engine that differ in the last of their three numbers only.
    """
    version = log.header.identification.version
    if version == engine.version:  # asked for with each line
        return Age.SAME
    written, here = _rules(version), _rules(engine.version)
    return Age.SAME if written == here else Age.OLDER if written < here else Age.NEWER


def _frozen_by_age(log: Log, engine: Engine) -> str:
    """Why the engine must not play on from the log's saves; empty if it may."""
    age = age_of(log, engine)
    if age is Age.SAME:
        return ""
    written = log.header.identification.version
    return f"a game of {engine.name} {written}, {age.value} {engine.version} here: it stands still between its saves"


def _rules(version: str) -> list[int]:
    """The numbers of a version that decide its rules."""
    return [int(number) for number in _NUMBER.findall(version)[:2]]


def commands_before(log: Log, line: int) -> Iterator[Command]:
    """The commands of a log up to this line."""
    for number in range(line):
        if log.columns.kinds[number] in COMMANDS and isinstance(command := log.line(number), Command):
            yield command


def recall_past(log: Log, engine: NeedsPast, name: str, number: int) -> None:
    """Give an engine of this `name` the past of save `number`; raises what its `recall` does."""
    first, save = (log.save(at)[HEAD_SIZE:] for at in (0, number))
    guarded.recall(engine, name, first, commands_before(log, log.columns.save_lines[number]), save)


class LostSave(Damaged):
    """A save of the log cannot be rebuilt."""


class _Asking:
    """A command in progress; `said` is what the game said before it, and when."""

    def __init__(self, run: Run, said: tuple[int, tuple[str, ...]]) -> None:
        self.run = run
        self.said = said
        self.prompt: Prompt | None = None
        self.since = 0
        """The line by which it came to ask that."""
        self.heard = 0
        """How many of its messages were noted."""


class Following:
    """The game that an engine computes from the lines of a log, from one of its saves on.

    `told` are the game's messages, by the number of the save after which they came, as far as the lines there were
    followed.  `runs` is whether the commands are run of a game that needs its past (:class:`NeedsPast`); otherwise such
    a game is shown at its saves only.
    """

    def __init__(self, log: Log, engine: Engine, told: dict[int, list[Told]], *, runs: bool = False) -> None:
        self.log = log
        self.engine = engine
        self.told = told
        self.runs = runs
        self.at = 0
        """The number of lines of the log that are applied."""
        self.save = -1
        """The number of the latest save."""
        self.loaded = -1
        """The save that the game was taken from last."""
        self.gamestate: Gamestate | None = None
        """The current game with the log's clock; None if no save could be loaded."""
        self.over = False
        """Whether the line that ends the game was read."""
        self.desync = ""
        """Why lines cannot be followed: the game is that of the last save that could be loaded, until the next save."""
        self.carried = ""
        """Which save is lost, where the game was computed from the commands after the save before it instead."""
        self.diverged = ""
        """Where the latest save is not the game that the commands before it make, if they were run (see `check`)."""
        self._aged = ""
        self._asking: _Asking | None = None
        self._needs_past = engine if isinstance(engine, NeedsPast) else None
        self._recalled = -1  # the save whose past the engine knows
        self._checked = -1  # the save that was held against the commands before it
        self._made: bytes | None = None  # the save before the next one, as the commands make it: it is lost
        self._written = b""

    # where the game stands

    @property
    def frozen(self) -> str:
        """Why no commands are run (the log, or the save that is shown, has another version); empty if they are run."""
        return self._aged or _frozen_by_age(self.log, self.engine)

    @property
    def stands(self) -> bool:
        """Whether the game is shown at its saves only, as nothing here needs its past."""
        return self._needs_past is not None and not self.runs

    @property
    def game(self) -> GuardedGame:
        """The current game; raises :class:`Damaged` if no save could be loaded."""
        if self.gamestate is None:
            raise Damaged(self.desync or "no save can be loaded", file=self.log.source.name)
        return self.gamestate.game

    @property
    def idle(self) -> bool:
        """Whether no command is in progress, so that there is no prompt."""
        return self._asking is None

    @property
    def prompt(self) -> Prompt | None:
        """What the game asks; None between commands."""
        return self._asking.prompt if self._asking else None

    @property
    def asked(self) -> int:
        """The line since which it asks that."""
        return self._asking.since if self._asking else 0

    def check(self) -> str:
        """How the latest save differs from the game that the engine makes of the commands before it (`diverged`).

        If these commands were not run on the way here, they are run now.
        """
        if self._checked != self.save and not self.frozen and not self.stands:
            before = self.log.last_sound(self.save - 1) if self.save > 0 else -1
            if before >= 0:
                other = Following(self.log, self.engine, {}, runs=self.runs)
                other.load(before)
                other.follow(self.log.columns.save_lines[self.save] + 1)
                self.diverged = other.diverged
            self._checked = self.save
        return self.diverged

    def recall(self) -> None:
        """Give the engine the past of the latest save, if it needs that to go on.

        Raises :class:`Unsupported` where it cannot go on here, and other :class:`NhlogError`.
        """
        if self._needs_past is None or self._recalled == self.save:
            return
        recall_past(self.log, self._needs_past, self.engine.name, self.save)
        self._recalled = self._checked = self.save  # which its commands made again

    @property
    def _said(self) -> tuple[int, tuple[str, ...]]:
        """What the game says, and when.

        A game that needs its past has the messages of its last command.  If the next command leads to none, they are
        still there in the same turn, and are not noted again.
        """
        return (0, ()) if self.gamestate is None else (self.game.turn, self.game.messages)

    # saves and lines come in

    def load(self, latest: int) -> None:
        """Load the last save up to number `latest` that is not lost; if that fails, show an earlier one, frozen."""
        sound = self.log.last_sound(latest)
        self.save = sound if sound >= 0 else latest
        self.told[self.save] = []
        lines = self.log.columns.save_lines
        self.at = lines[self.save] + 1 if lines else 0
        self._take_save(self.save)
        if self.gamestate is None:
            self._load_earlier()

    def _load_earlier(self) -> None:
        """Show the last save that can be loaded, frozen."""
        loadable = last_loadable(self.log, self.engine, self.save)
        if loadable is not None:
            self.gamestate = self._loaded_from(self.log.save(loadable.save))

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

    def follow(self, last: int) -> None:
        """Apply the lines up to number `last`; one that cannot be read without a lock is tried again next time."""
        while self.at < last:
            try:
                self._take(self.at)
            except Damaged as error:
                self.lose(without_file(error))
            self.at += 1

    def adopt(self, gamestate: Gamestate, save: bytes) -> None:
        """Go on with the game of a save that we are about to write."""
        self.gamestate, self._written = gamestate, save

    def dismiss(self) -> None:
        """That save was not written: another one was."""
        self._written = b""

    def _take(self, number: int) -> None:
        if self.over:
            self.lose("a line after the end of the game")
        if self.log.columns.kinds[number] in SAVES:
            before, self.save = self.save, self.log.columns.save_at(number)
            said = self._said
            self.told[self.save] = []
            self._take_save(self.save)
            if self.stands and before in self.told and self._said != said:
                self.told[before] += [Told(number, self.game.turn, text) for text in self.game.messages]
            return
        match self.log.line(number):
            case GameOver():
                self.over = True
            case Time(delta):
                if self.gamestate:
                    self.gamestate.pass_time(delta)
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
        followed = self.gamestate is not None and self._asking is None and not held
        made = self._neutral_save() if followed else None
        try:
            save = self._read_save(number)
            if save != self._written:  # by us: it was loaded before it was written
                self.gamestate = self._loaded_from(save)
        except PASSING:
            raise
        except LostSave as error:
            self._carry_on(made, str(error))
            return
        except NhlogError as error:
            self.lose(without_file(error))
            return
        self.diverged = ""
        self._checked = number if followed else -1
        if followed and made != save:
            self.diverged = f"turn {self.game.turn}: {self.engine.name} makes a different game of the commands"
        if followed and made == save and self._recalled == number - 1:
            self._recalled = number
        self.loaded = number
        self._asking, self.desync, self.carried, self._made = None, "", "", None

    def _neutral_save(self) -> bytes | None:
        """The save that the game after the lines would make now; None if it can make none."""
        if self.gamestate is None or self.gamestate.game.incomplete:
            return None
        try:
            return self.gamestate.save()
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
            self.lose(lost)
        else:
            self.carried = self.carried or f"{lost}; what is shown the commands make of the save before"
            self._made = made

    def _start(self, command: Command) -> None:
        if self._asking is not None:
            self.lose(f"the command {command.name} where an answer was due")
        elif command.name not in self.engine.commands:
            self.lose(f"{self.engine.name} has no command {command.name}")
        else:
            assert self.gamestate is not None  # else there is a desync, and no command is started
            try:
                self.recall()
            except PASSING:
                raise
            except NhlogError as error:
                self.lose(without_file(error))
                return
            self._asking = _Asking(self.gamestate.run(command), self._said)
            self._advance(self._asking, None)

    def _answer(self, line: Line) -> None:
        asking = self._asking
        if asking is None or asking.prompt is None:
            self.lose("an answer to a question that was not asked")
        elif not asking.prompt.accepts(line):
            self.lose("an answer to another question")
        else:
            self._advance(asking, line)

    def _advance(self, asking: _Asking, answer: Line | None) -> None:
        """Continue the command up to its next prompt or its end, and note the game's messages."""
        asking.since = self.at
        try:
            asking.prompt = next(asking.run) if answer is None else asking.run.send(answer)
        except StopIteration:
            self._asking = None
        except NhlogError as error:
            self.lose(without_file(error))
            return
        messages = () if self._needs_past and self._said == asking.said else self.game.messages
        self.told[self.save] += [Told(self.at, self.game.turn, text) for text in messages[asking.heard :]]
        asking.heard = len(messages)

    def lose(self, reason: str) -> None:
        """Record that the lines cannot be followed, and freeze the game at the current save."""
        if self.desync:
            return
        if self.gamestate is not None:
            self._freeze()
        self.desync = reason
        self._asking, self.carried, self._made = None, "", None

    def _freeze(self) -> None:
        """Undo the effect of the lines since the last save."""
        assert self.gamestate is not None
        clock = self.gamestate.clock
        try:
            self.gamestate = Gamestate.load(self.engine, self.log.save(self.loaded))
        except PASSING:
            raise
        except NhlogError:
            return  # an earlier save is shown already
        self.gamestate.pass_time(clock - self.gamestate.clock)
