"""A seat at a game: what its player does to the log, and what the others do to it meanwhile.

A seat does no I/O but through its session, and its only clock is that of the loop that calls it.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from nhlog.engines.prompts import LookForBones
from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.log.append import InputDropped
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import Holder
from nhlog.log.wire.lines import Command
from nhlog.mail import Mailbox
from nhlog.replay import Told
from nhlog.session import NotNow
from nhlog.session.messages import told_since
from nhlog.session.replay import GameReplay
from terminal.messages.speech import pages
from terminal.play.company import Company
from terminal.play.kept import KeptInput
from terminal.play.keys import PLAY_KEYS
from terminal.prompts.inputs import PromptInput, prompt_input
from terminal.prompts.text import TextInput
from terminal.replay.rewind_offer import CutOff, cut_off, told_back
from terminal.replay.torn import TornLine
from terminal.screen.keys import Bound, as_they_are

__all__ = ["Seat"]

AT_ONCE: Final = 8  # turns of a long command that pass between two frames
FIRST_TURNS: Final = 50  # in which one is told the keys that are needed first
USUAL_WIDTH: Final = 80  # columns of a screen, until it is known
MOST_LETTERS: Final = 3  # that are shown at once
MOST_ASIDES: Final = 1000  # that are kept for the list of messages
_ENTER: Final = Command("welcome")
_UNUSED: Final = "that key was not used"


class Seat(ABC):
    """A player's seat at the game that `replay` shows, a log opened for writing.

    `message` is shown to the player, below what the game told since the last key.  `asides` is what it told at once,
    which is in no log.  `failed` is whether the last key did not do what it is for.  `prompt_input` is the prompt being
    answered, `theirs` whether it is for another player to answer, `command_input` the input while a command is typed by
    name, `count` the number typed before a key.  `width` is that of the screen, and `turned` the number of pages of
    messages that were turned on it.  `mail` is what watchers write, None where they cannot, and
    `takes_mail` whether the player wants it.  `company` are the other players, `keys` the client's own keys.
    `cut_off` is what another one cut off the game, as long as that can be put back here.
    """

    def __init__(self, replay: GameReplay, bound: Bound = as_they_are) -> None:
        self.replay = replay
        self.mail: Mailbox | None = None
        self.takes_mail = True
        self.keys = bound(PLAY_KEYS)
        self.session = replay.session
        self.message = ""
        self.asides: deque[Told] = deque(maxlen=MOST_ASIDES)
        self.failed = False
        self.width = USUAL_WIDTH
        self.turned = 0
        self.count = ""
        self.command_input: TextInput | None = None
        self.prompt_input: PromptInput | None = None
        self.theirs = False
        self.company = Company(self.source)
        self._asked_at: tuple[int, int] | None = None  # when the game asked what is being answered
        self._kept = KeptInput(self.source.identity, self.keys.label("free"))
        self._torn = TornLine()
        self._continuing = False
        self._pressed = False  # whether it is a key that is being done
        self._now = 0.0  # when time last passed
        self._seen = self._place
        self._since = self.session.at  # the first line that may have told what was not seen yet
        self._known = self._extent
        self.cut_off: CutOff | None = None
        self._sure = False  # whether the next key that puts back does so
        self._told_at_once: list[str] = []

    @property
    def told(self) -> list[str]:
        """What the game told since the last key."""
        return [*(told.text for told in told_since(self.session, self._since)), *self._told_at_once]

    def messages(self) -> Iterator[Sequence[Told]]:
        """All that the game told, in pieces, the latest first; the asides are among it."""
        asides = [*self.asides]
        for piece in self.replay.messages():
            first = piece[0].step if piece else self.session.at
            yield sorted((*piece, *(told for told in asides if told.step >= first)), key=lambda told: told.step)
            asides = [told for told in asides if told.step < first]
        yield asides

    def _tell_at_once(self, texts: Sequence[str]) -> None:
        """Show what the game tells of a command that leaves no line in the log."""
        self._told_at_once += texts
        self.asides += [Told(self.session.at - 1, self.session.game.turn, text) for text in texts]

    def _hush(self) -> None:
        """Take what was told for seen."""
        self._since = self.session.at
        self._told_at_once = []
        self.turned = 0

    def pages(self, width: int) -> list[list[str]]:
        """The pages of what the game told since the last key; what the client says comes below the last one."""
        return pages(self.told, width)

    @property
    def has_more(self) -> bool:
        """Whether there is a page that was not seen."""
        return self.turned + 1 < len(self.pages(self.width))

    def _turn_page(self, key: str) -> None:
        """Handle a key while there are more messages than fit: it goes on, or skips them, and does nothing else."""
        self.turned = len(self.pages(self.width)) - 1 if key == "escape" else self.turned + 1
        self.failed = key not in (" ", "enter")

    @property
    def begins(self) -> bool:
        """Whether the game has just begun, so that a new player may need hints."""
        return self.session.gamestate is not None and self.session.game.turn <= FIRST_TURNS and not self.session.over

    @property
    def asked(self) -> PromptInput | None:
        """The prompt that is being answered, of the game or of the client; None if there is none."""
        return self.command_input or self.prompt_input

    @property
    def says(self) -> str:
        """What the client asks or says, below what the game told."""
        if self.asked is not None:
            return self.asked.line
        told = ". ".join(filter(None, (self.message, self._standing)))
        return told or (f"Count: {self.count}" if self.count else "")

    @property
    def _standing(self) -> str:
        """Why the game cannot continue, if so, and what the user can do."""
        again = self.keys.label("watch-again")
        if self.session.desync:
            return f"This game cannot continue. r goes back, {again} replays it, q leaves. {self.session.desync}"
        if self.session.over:
            ended = self.session.log.header.state
            return f"The game is over: {ended}. Space goes on, {again} replays, q leaves"
        return ""

    @property
    def source(self) -> LogFile:
        """The log's file."""
        source = self.session.log.source
        assert isinstance(source, LogFile)  # one who may write has a file
        return source

    def enter(self) -> None:
        """Start playing: finish a command that another player left unfinished, and log that a player entered.

        Who comes to others who play does not disturb what they are doing.
        """
        lost = self.session.carried  # which the next save will mend
        others = bool(self.company.players())
        self._do(self.session.settle)
        if self.prompt_input is not None:
            self._leave_to_others()
        busy = self.session.over or self.session.prompt is not None or self.session.desync
        if not busy and not (others and self.session.game.incomplete):
            self._do(lambda: self.session.command(_ENTER))
        self._do(self.session.describe)
        self.message = self.message or lost

    def leave(self) -> None:
        """Stop playing; the game can be continued later."""
        self._kept.clear()
        self._do(self.session.describe)

    # time passes

    def advance(self) -> bool:
        """Continue a command that takes many turns for some turns; returns whether it continues."""
        for _ in range(0 if self._kept else AT_ONCE):
            if not self._continuing or self.session.prompt is not None or not self.session.game.incomplete:
                self._continuing = False
                break
            self._do(lambda: self.session.command(Command("repeat")))
        return self._continuing and not self._kept

    def wait(self, now: float) -> None:
        """Do what had to wait until `now`, in seconds: what is kept for the lock, and mending a half-written line."""
        if self.company.look(now) and self.mail is not None:
            self._take_in(self.mail)
        self._now = now
        if self._kept:
            self._wait_for_lock()
        elif self._torn.stands(self.session.log, now):
            self._do(self.session.mend)

    def _take_in(self, mail: Mailbox) -> None:
        """Show what watchers wrote, as soon as nothing else is asked, and have it in the list of messages."""
        mail.tend(takes=self.takes_mail, watched=self.company.watched)
        if not self.takes_mail or self.asked is not None or self.has_more or self.session.gamestate is None:
            return
        letters = [str(letter) for letter in mail.letters()]
        if letters:
            self.message = ". ".join(filter(None, (self.message, *letters[-MOST_LETTERS:])))
            self.asides += [Told(self.session.at - 1, self.session.game.turn, text) for text in letters]

    def _wait_for_lock(self) -> None:
        """Do what is kept, unless a process holds a lock that answers nobody; tell who is in the way."""
        holders = self.source.kept_by()
        if holders:
            self._kept.blame(holders)
        else:
            self.message = ""
            self._kept.release(self._do, self.press)
        self.message = self._kept.words(self._now) or self.message

    @abstractmethod
    def press(self, key: str) -> None:
        """Handle the key with this name."""

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

    # what became of the game

    @property
    def shown(self) -> tuple[object, ...]:
        """Equal values as long as nothing is different to be seen, but for what keys change."""
        session = self.session
        told = self.message, self.company.words, self.prompt_input, self.theirs
        return *self._place, *told, session.over, session.desync, session.frozen, session.log.header.state

    @property
    def _place(self) -> tuple[int, int]:
        """The number of recoveries of the log and the number of lines read: what changes when anybody writes."""
        return self.session.recoveries, self.session.at

    @property
    def _extent(self) -> tuple[int, int]:
        """The size of the log in bytes, and the turn of its newest save."""
        return self.session.log.size, self.session.log.columns.last_turn

    def _see_own(self) -> None:
        """Show what we did to the game."""
        if self._place != self._seen:
            self.company.did = ""
        if self._see():
            self._say_back(f"the game was taken back to turn {self._known[1]}")
        if self._show_question():
            self.theirs = False

    def _see_others(self) -> None:
        """Show what other processes did to the game since the last look."""
        first, last = self._seen[1], self.session.at - 1
        if self._place != self._seen:
            self._continuing = False
            self._since = first
        known, offered = self._known, self.cut_off
        taken_back = self._see()
        if offered and not self.cut_off:
            self.message = ""  # it was put back, or somebody played on
        if taken_back:
            self._say_who_took_back(*known)
        elif first <= last:
            self.company.note(self.replay.lines.ledger.latest(first, last))
        if self._show_question():
            self._leave_to_others()

    def _see(self) -> bool:
        """Tell whether the game was taken back since the last look; then pending input is of no game any more."""
        taken_back = self.session.recoveries != self._seen[0]
        if self._place != self._seen:
            self.cut_off = None
        self._seen, self._known = self._place, self._extent
        if taken_back:
            self._forget()
            self._hush()
            self.asides.clear()
        return taken_back

    def _say_back(self, told: str) -> None:
        """Say that the game was taken back, and if so, that the last key was not used for that."""
        self.message = f"{told}: {_UNUSED}" if _UNUSED in self.message else told

    def _say_who_took_back(self, size: int, turn: int) -> None:
        """Say who took a game of so many bytes back from this turn, and offer to put back what they cut off."""
        told = told_back(self.session.log, turn)
        self.cut_off = cut_off(self.session.log, size, turn)
        if self.cut_off is not None:
            told += f"; {self.keys.label('put-back')} puts it back"
        self._say_back(told)

    def put_back(self) -> None:
        """Put back what another player cut off, if the key is pressed twice: letters are commands of the game."""
        cut, sure = self.cut_off, self._sure
        self._sure = cut is not None and not sure
        if cut is None:
            self.message = "nobody cut off anything that can be put back now"
        elif sure:
            self._do(lambda: self._put_back(cut))
        else:
            again = f"{self.keys.label('put-back')} again"
            self.message = f"{again} puts it back, up to turn {cut.turn}; any other key does not"

    def _put_back(self, cut: CutOff) -> None:
        self.message = cut.put_back(self.source)
        self.session.refresh()

    def _leave_to_others(self) -> None:
        """Leave the answer to the player who made the game ask, if they are still there."""
        self.theirs = bool(self.company.players())
        if self.theirs:
            self.company.did = f"{self.keys.label('answer')} answers for {self.company.names()}"

    def _forget(self) -> None:
        """Drop all pending input, as it belongs to a state of the game that no longer exists."""
        self._continuing = False
        self._kept.clear()
        self.prompt_input = self._asked_at = None

    @property
    def _asks_itself(self) -> bool:
        """Whether the client asks something, and the game's prompt has to wait."""
        return False

    def _show_question(self) -> bool:
        """Show the game's prompt, unless the client asks something itself; returns whether it is a new one."""
        if self._asks_itself:
            return False
        prompt, when = self.session.prompt, (self.session.recoveries, self.session.asked)
        if prompt is None or isinstance(prompt, LookForBones):
            self.prompt_input = self._asked_at = None
            return False
        if when == self._asked_at:
            return False
        self._asked_at = when
        self.prompt_input = prompt_input(prompt)
        return True

    # doing

    def _do(self, act: Callable[[], object]) -> None:
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
            self._forget()
        except LockNotObtained as error:
            self._kept.acts.append(act)
            self._kept.blame([error.found] if isinstance(error.found, Holder) else [])
            self.message = error.what
            self._see_others()
            return  # nor could the log be looked at: that would only take as long again
        except NhlogError as error:
            lost = isinstance(error, NotNow) and self.session.desync  # which is told as long as it lasts
            self.message = "" if lost else str(error)
            self._continuing = False
            self.failed = True
        else:
            self.replay.to_end()  # the session looked at the log before it wrote, and what it wrote is known
            self._see_own()
            return
        self.refresh()

    def _refused(self, why: str) -> None:
        self.failed = True
        self.message = f"{why}: {_UNUSED}" if self._pressed else why
        self._continuing = False
