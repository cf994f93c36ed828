"""A seat at a game: what its player does to the log, and what the others do to it meanwhile.

A seat does no I/O but through its session, and its only clock is that of the loop that calls it.

The problem.  Several people play one game, each by a process of its own, and any of them may write, or take the game
back, between what another one sees and the key that they press.  A lock may be kept by somebody who is stuck.  And
still no key may be lost without a message, count twice, or act on a game that its player has not seen.

The rules.

1. Everything that writes goes through `do`.  An act either is in the log when `do` returns, or is kept until there is
   a lock, or a message says why it did nothing; and `failed` tells the loop to drop what was typed ahead.
2. While an act is kept, keys are kept behind it, in their order.  All of them are dropped as soon as anybody else
   writes: they were typed at another state of the game.
3. After each look at the log the seat compares the place where it stands with the place it had seen, by recovery
   count and line.  A higher count means that the game was taken back: then all pending input belongs to a state that
   no longer exists, and is dropped (`drop`).
4. What the game asks since another player's command is left to them (`theirs`) until they are gone, or it is taken
   over.

Rejected: asking for the lock again at once, or waiting for it in `do`.  The screen would stand still, and could not
say who keeps the lock; so `wait` tries again with each frame.
"""

from collections.abc import Callable
from typing import Any, Final

from nhlog.engines.prompts import LookForBones
from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.log.append import InputDropped
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import Holder
from nhlog.log.wire.lines import Command, Line
from nhlog.session import NotNow, Session
from nhlog.session.replay import GameReplay
from nhlog.values import NamedTuple
from terminal.play.company import Company
from terminal.play.heard import Heard
from terminal.play.kept import KeptInput
from terminal.prompts.inputs import PromptInput, prompt_input
from terminal.replay.rewind_offer import CutOff, cut_off, told_back
from terminal.replay.torn import TornLine
from terminal.screen.keys import KeyTable

__all__ = ["Seat"]

AT_ONCE: Final = 8  # turns of a long command that pass between two frames
_ENTER: Final = Command("welcome")
_UNUSED: Final = "that key was not used"


class _Extent(NamedTuple):
    """How far a log goes: the number of its recoveries and of its lines, its bytes and its turns."""

    recoveries: int
    lines: int
    size: int
    turn: int


class Seat:
    """A player's seat at the game that `replay` shows, a log opened for writing.

    `keys` are the client's keys, which messages name; `drop` is called where pending input has to be dropped; `speaks`
    is whether the game shows itself what it says.
    """

    def __init__(
        self, replay: GameReplay, keys: KeyTable[Any], drop: Callable[[], None], *, speaks: bool = False
    ) -> None:
        self.replay = replay
        self._keys = keys
        self._drop = drop
        self._kept = KeptInput(self.source.identity, keys.label("free"))
        self._torn = TornLine()
        self._seen = self._extent
        self._asked_at: tuple[int, int] | None = None  # when the game asked what is being answered
        self._now = 0.0  # when time last passed

        self.heard = Heard(replay, shown=speaks)
        """The messages of the game."""

        self.company = Company(self.source)
        """Who else is there."""

        self.message = ""
        """What the client says to the player, below the messages of the game."""

        self.failed = False
        """Whether the last key did not do what it is for."""

        self.pressed = False
        """Whether it is a key that is being done: then a message says so if it is not used."""

        self.goes_on = False
        """Whether a command that takes many turns is to be continued."""

        self.question: PromptInput | None = None
        """What the game asks, as it is being answered."""

        self.theirs = False
        """Whether that is for another player to answer."""

        self.cut_off: CutOff | None = None
        """What another player cut off the game, as long as that can be put back here."""

    @property
    def session(self) -> Session:
        """The game at its place in the log."""
        return self.replay.session

    @property
    def source(self) -> LogFile:
        """The log's file."""
        source = self.session.log.source
        assert isinstance(source, LogFile)  # one who may write has a file
        return source

    @property
    def _place(self) -> tuple[int, int]:
        """What changes when anybody writes."""
        return self.session.recoveries, self.session.following.at

    @property
    def _extent(self) -> _Extent:
        return _Extent(*self._place, self.session.log.size, self.session.log.columns.last_turn)

    @property
    def shown(self) -> tuple[object, ...]:
        """A value that changes when others change what is shown; keys may change more."""
        session = self.session
        told = self.message, self.company.words, self.question, self.theirs
        return (
            *self._place,
            *told,
            session.following.over,
            session.following.desync,
            session.following.frozen,
            session.log.header.state,
        )

    # coming and going

    def enter(self) -> None:
        """Start playing: finish a command that another player left unfinished, and log that a player entered.

        A player who joins others does not disturb what they are doing.
        """
        lost = self.session.following.carried  # which the next save will mend
        others = bool(self.company.players())
        self.do(self.session.settle)
        if self.question is not None:
            self.leave_to_others()
        busy = self.session.following.over or self.session.prompt is not None or self.session.following.desync
        if not busy and not (others and self.session.game.incomplete):
            self.do(lambda: self.session.command(_ENTER))
        self.do(self.session.describe)
        self.message = self.message or lost

    def leave(self) -> None:
        """Stop playing; the game can be continued later."""
        self._kept.clear()
        self.do(self.session.describe)

    # time passes

    def go_on(self) -> bool:
        """Continue a command that takes many turns for some turns; returns whether it continues."""
        for _ in range(0 if self._kept else AT_ONCE):
            if not self.goes_on or self.session.prompt is not None or not self.session.game.incomplete:
                self.goes_on = False
                break
            self.do(lambda: self.session.command(Command("repeat")))
        return self.goes_on and not self._kept

    def wait(self, now: float, press: Callable[[str], None]) -> None:
        """Do what was due at `now`, in seconds: acts that wait for the lock, and mending a half-written line.

        `press` takes the keys that were typed meanwhile.
        """
        self._now = now
        if self._kept:
            self._wait_for_lock(press)
        elif self._torn.stands(self.session.log, now):
            self.do(self.session.mend)

    def refresh(self) -> None:
        """Read what other processes did to the log."""
        seen = self._place
        try:
            self.session.refresh()
            self.replay.to_end()
        except NhlogError as error:  # it is looked at again soon
            self.message = self.message or str(error)
        if self._kept and self._place != seen:  # what waits was typed at another state of the game
            self._kept.clear()
            self.message = f"somebody else wrote first: {_UNUSED}"
        self._see_others()

    # others keep the lock

    @property
    def waits(self) -> bool:
        """Whether an act waits for the lock."""
        return bool(self._kept)

    def keep(self, key: str) -> None:
        """Queue a key behind the acts that wait for the lock."""
        self._kept.add(key)

    def free(self) -> None:
        """Get the process that keeps the lock out of the way, a step each time."""
        self._kept.free(self._now)

    def _wait_for_lock(self, press: Callable[[str], None]) -> None:
        """Do the acts that wait, unless a process that does not answer holds the lock; then say which one."""
        holders = self.source.kept_by()
        if holders:
            self._kept.blame(holders)
        else:
            self.message = ""
            self._kept.release(self.do, press)
        self.message = self._kept.words(self._now) or self.message

    # what became of the game

    def _see_own(self) -> None:
        """Show what we did to the game."""
        if self._place != self._seen[:2]:
            self.company.did = ""
        if self._see():
            self._say_back(f"the game was taken back to turn {self._seen.turn}")
        if self._ask():
            self.theirs = False

    def _see_others(self) -> None:
        """Show what other processes did to the game since the last look."""
        before, offered = self._seen, self.cut_off
        if self._place != before[:2]:
            self.goes_on = False
            self.heard.since(before.lines)
        taken_back = self._see()
        if offered and not self.cut_off:
            self.message = ""  # it was put back, or somebody played on
        if taken_back:
            self._say_who_took_back(before)
        elif before.lines < self.session.following.at:
            self.company.note(self.replay.lines.ledger.latest(before.lines, self.session.following.at - 1))
        if self._ask():
            self.leave_to_others()

    def _see(self) -> bool:
        """Return whether the game was taken back since the last look; if so, drop pending input."""
        before, self._seen = self._seen, self._extent
        if self._seen[:2] != before[:2]:
            self.cut_off = None
        taken_back = self._seen.recoveries != before.recoveries
        if taken_back:
            self.forget()
            self.heard.forget()
        return taken_back

    def _say_back(self, told: str) -> None:
        """Say that the game was taken back, and if so, that the last key was not used for that."""
        self.message = f"{told}: {_UNUSED}" if _UNUSED in self.message else told

    def _say_who_took_back(self, before: _Extent) -> None:
        """Say who took a game of this extent back, and offer to put back what they cut off."""
        told = told_back(self.session.log, before.turn)
        self.cut_off = cut_off(self.session.log, before.size, before.turn)
        if self.cut_off is not None:
            told += f"; {self._keys.label('put-back')} puts it back"
        self._say_back(told)

    def put_back(self, cut: CutOff) -> None:
        """Put back what another player cut off."""

        def act() -> None:
            self.message = cut.put_back(self.source)
            self.session.refresh()

        self.do(act)

    def forget(self) -> None:
        """Drop all pending input, as it belongs to a state of the game that no longer exists."""
        self.goes_on = False
        self._kept.clear()
        self.question = self._asked_at = None
        self._drop()

    # the game asks

    def _ask(self) -> bool:
        """Show what the game asks; returns whether that is new."""
        prompt, when = self.session.prompt, (self.session.recoveries, self.session.following.asked)
        if prompt is None or isinstance(prompt, LookForBones):
            self.question = self._asked_at = None
            return False
        if when == self._asked_at:
            return False
        self._asked_at = when
        self.question = prompt_input(prompt)
        return True

    def leave_to_others(self) -> None:
        """Leave the answer to the player who made the game ask, if they are still there."""
        self.theirs = bool(self.company.players())
        if self.theirs:
            self.company.did = f"{self._keys.label('answer')} answers for {self.company.names()}"

    def answer_instead(self) -> None:
        """Take over the answer that another player is asked for."""
        if self.theirs:
            self.theirs, self.company.did = False, ""
        else:
            self.message = "no other player has to answer anything"

    # doing

    def command(self, command: Command) -> None:
        """Give a command to the game, and continue it for as long as it takes."""

        def act() -> None:
            told = self.session.command(command)
            if told is not None:
                self.heard.at_once(told)
                self.failed = command.name not in self.session.engine.looks

        self.goes_on = True
        self.do(act)

    def interrupt(self) -> None:
        """End a command that goes on."""
        self.goes_on = False
        self.do(lambda: self.session.command(Command("interrupt")))

    def answer(self, line: Line) -> None:
        """Answer what the game asks."""
        self.do(lambda: self.session.answer(line))

    def do(self, act: Callable[[], object]) -> None:
        """Call `act`, which writes to the log, or keep it until there is a lock; an error becomes a message."""
        if self._kept:
            self._kept.acts.append(act)
            return
        try:
            if self.source.deleted:
                raise NhlogError(f"{self.source.fate_told}; nothing is saved from now on")
            act()
        except InputDropped:
            self._refused("somebody else wrote first")
        except LogRecovered:
            self._refused("the game was taken back")
            self.forget()
        except LockNotObtained as error:
            self._kept.acts.append(act)
            self._kept.blame([error.found] if isinstance(error.found, Holder) else [])
            self.message = error.what
            self._see_others()
            return  # nor could the log be looked at: that would only take as long again
        except NhlogError as error:
            lost = isinstance(error, NotNow) and self.session.following.desync  # which is told as long as it lasts
            self.message = "" if lost else str(error)
            self.goes_on = False
            self.failed = True
        else:
            self.replay.to_end()  # the session looked at the log before it wrote, and what it wrote is known
            self._see_own()
            return
        self.refresh()

    def _refused(self, why: str) -> None:
        self.failed = True
        self.message = f"{why}: {_UNUSED}" if self.pressed else why
        self.goes_on = False
