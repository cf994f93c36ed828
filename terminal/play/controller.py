"""The play controller: turns keys into commands and answers.

The screen always shows the state of the log: a key that could not be written has no effect, and a message says so. The
controller does no I/O but through its session, and its only clock is that of the loop that calls it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from nhlog.engines.prompts import AskText, AskYesNo, LookForBones
from nhlog.engines.protocol import Binding
from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.log.append import InputDropped
from nhlog.log.file import LogFile
from nhlog.log.locks.holders import Holder
from nhlog.log.recovery import Truncation, plan_rewind, refuse
from nhlog.log.wire.lines import Argument, Command, TextAnswer, YesNoAnswer
from nhlog.session import NotNow, last_loadable
from nhlog.session.replay import GameReplay
from terminal.play.ghost import Ghost
from terminal.play.kept import KeptInput
from terminal.play.keys import PAGES, key_words
from terminal.play.prompts.arguments import PendingCommand
from terminal.play.prompts.inputs import PromptInput, prompt_input
from terminal.play.prompts.text import TextInput
from terminal.replay.look import move_cursor
from terminal.replay.rewind_offer import rewind_log
from terminal.views import View

__all__ = ["PlayController"]

AT_ONCE: Final = 8  # turns of a long command that pass between two frames
LONGEST_COUNT: Final = 4  # digits
_ENTER: Final = Command("welcome")
_UNUSED: Final = "that key was not used"


class PlayController:
    """Plays the game that `replay` shows, a log opened for writing.

    `prompt_input` is the prompt being answered, `command_input` the input while a command is typed by name, `count` the
    number typed before a key.  `message` is shown to the user, `page` is the page shown over the game (``help``, or a
    panel of the view; empty for none) and `page_row` its first row.  `looking` is the position of the look cursor, in
    columns and rows from the hero, or None.  `away` is whether the game is played in another terminal now.  `ghost` is
    the hero of an earlier game, shown in this one.  `wants_replay` and `done` are for the loop.
    """

    def __init__(self, replay: GameReplay, view: View) -> None:
        self.replay = replay
        self.session = replay.session
        self.view = view
        self.message = ""
        self.prompt_input: PromptInput | None = None
        self.page = ""
        self.page_row = 0
        self.count = ""
        self.command_input: TextInput | None = None
        self.looking: tuple[int, int] | None = None
        self.wants_replay = False
        self.away = False
        self.done = False
        self.ghost: Ghost | None = None
        self._asked_at: tuple[int, int] | None = None  # when the game asked what is being answered
        self._pending: PendingCommand | None = None
        self._confirm: Callable[[], None] | None = None
        self._kept = KeptInput()
        self._continuing = False
        self._pressed = False  # whether it is a key that is being done
        self._seen = self._place
        self._bindings = {binding.key: binding for binding in self.session.engine.bindings}

    @property
    def source(self) -> LogFile:
        """The log's file."""
        source = self.session.log.source
        assert isinstance(source, LogFile)  # one who may write has a file
        return source

    def close(self) -> None:
        """Close the log, and that of the ghost."""
        self.replay.close()
        if self.ghost is not None:
            self.ghost.close()

    @property
    def beside(self) -> str:
        """The panel to show beside a prompt: the inventory if it asks for an item, else empty."""
        if self._pending is not None and self._pending.asks[:1] == "I" and "inventory" in self.view.panels:
            return "inventory"
        return ""

    def enter(self) -> None:
        """Start playing: finish a command that another player left unfinished, and log that a player entered."""
        self.away = False
        lost = self.session.carried  # which the next save will mend
        self._do(self.session.settle)
        if not self.session.over and self.session.prompt is None and not self.session.desync:
            self._do(self._welcome)
        self.message = self.message or lost

    def _welcome(self) -> None:
        self.session.command(_ENTER)
        self._seen = self._place  # this one was us

    def leave(self) -> None:
        """Stop playing; the game can be continued later."""
        self._kept.clear()
        self._do(self.session.leave)

    # time passes

    def advance(self) -> bool:
        """Continue a command that takes many turns for some turns; returns whether it continues."""
        for _ in range(0 if self._kept else AT_ONCE):
            if not self._continuing or self.session.prompt is not None or not self.session.game.incomplete:
                self._continuing = False
                break
            self._do(lambda: self.session.command(Command("repeat")))
        return self._continuing and not self._kept

    def retry(self, now: float) -> None:
        """Do what waits for the lock, unless those in the way still cannot answer; `now` is in seconds."""
        if self._kept and self.source.kept_by():
            self.message = self._kept.words(now)
        elif self._kept:
            self._kept.release(self._do, self.press)

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
            self.message = f"somebody else was quicker: {_UNUSED}"
        self._see()

    def _see(self) -> None:
        """Show the new state of the session."""
        self._notice()
        self._show_question()

    @property
    def _place(self) -> tuple[int, int]:
        """The number of recoveries of the log and the number of lines read: what changes when others write."""
        return self.session.recoveries, self.session.at

    def _notice(self) -> None:
        """Report what other processes did to the game since the last call."""
        (recoveries, at), self._seen = self._seen, self._place
        columns = self.session.log.columns
        if self.session.recoveries != recoveries:
            told = f"the game was taken back to turn {columns.last_turn}"
            self.message = f"{told}: {_UNUSED}" if _UNUSED in self.message else told
            self._forget()
        elif columns.sessions and columns.sessions[-1] >= at:
            self.away = True
            self.message = self.message if self._pressed else ""
            self._forget()

    def _forget(self) -> None:
        """Drop all pending input, as it belongs to a state of the game that no longer exists."""
        self._continuing = False
        self._kept.clear()
        self._pending = self._confirm = self.command_input = self.prompt_input = self._asked_at = None
        self.count = ""

    def _show_question(self) -> None:
        """Show the game's prompt, unless another one is being answered."""
        if self._pending is not None or self._confirm is not None:
            return
        prompt, when = self.session.prompt, (self.session.recoveries, self.session.asked)
        if prompt is None or isinstance(prompt, LookForBones):
            self.prompt_input = self._asked_at = None
        elif when != self._asked_at:
            self._asked_at = when
            self.prompt_input = prompt_input(prompt)

    # keys

    def press(self, key: str) -> None:
        """Handle the key with this name, or keep it while others wait for the lock."""
        if self._kept:
            self._keep(key)
            return
        self.message = ""
        self._pressed = True
        self._take(key)
        self._pressed = False

    def _keep(self, key: str) -> None:
        if key == "escape":
            self._forget()
            self.message = "what waited is dropped"
        else:
            self._kept.keys.append(key)

    def _take(self, key: str) -> None:
        if self.page:
            self._leaf(key)
        elif self.looking is not None:
            self._look(key)
        elif self._confirm is not None or self._pending is not None:
            self._answer_here(key)
        elif self.command_input is not None:
            self._name(key)
        elif key == "S" and (self.prompt_input is None or self.away):  # else it may be an answer
            self.done = True
        elif self.session.over:
            self._after_the_end(key)
        elif self.session.desync:
            self._when_lost(key)
        elif self.away:
            self._come_back(key)
        elif self.prompt_input is not None:
            self._answer(key)
        elif self._continuing and self.session.game.incomplete:
            self._continuing = False
            self._do(lambda: self.session.command(Command("interrupt")))
        else:
            self._command(key)

    def _leaf(self, key: str) -> None:
        if key in (">", "page-down", "down"):
            self.page_row += 1 if key == "down" else 10
        elif key in ("<", "page-up", "up"):
            self.page_row = max(self.page_row - (1 if key == "up" else 10), 0)
        else:
            self.page, self.page_row = "", 0

    def _look(self, key: str) -> None:
        assert self.looking is not None
        self.looking = move_cursor(self.looking, key)

    def _command(self, key: str) -> None:
        if key.isascii() and key.isdecimal():
            self.count = (self.count + key)[:LONGEST_COUNT]
            return
        count, self.count = self.count, ""
        if key in PAGES and PAGES[key] in self.view.panels:
            self.page = PAGES[key]
        elif key == "?":
            self.page = "help"
        elif key == "L" and "ledger" in self.view.panels and "L" not in self._bindings:
            self.page = "ledger"
        elif key == ";" and self.view.look:
            self.looking = (0, 0)
        elif key == "#":
            self.command_input = TextInput(AskText("#"))
        elif key == "R":
            self.wants_replay = True
        elif key in self._bindings:
            self._give(self._bindings[key], count)
        elif key not in ("escape", "enter"):
            self.message = f"{key_words(key)} does nothing: ? shows the keys"

    def _name(self, key: str) -> None:
        """Handle a key while the name of a command is typed."""
        assert self.command_input is not None
        answer = self.command_input.press(key)
        if answer is None:
            return
        self.command_input = None
        assert isinstance(answer, TextAnswer)
        name = answer.blob.decode().rstrip(b"\0").decode().strip().lower()
        if name == "\x1b" or not name:
            return
        if name in self.session.engine.commands:
            known = (binding for binding in self._bindings.values() if binding.command.name == name)
            asks = next((binding.asks for binding in known), "")
            self._give(Binding("", Command(name), asks, "", ""), "")
        else:
            self.message = f"there is no #{name}"

    def _give(self, binding: Binding, count: str) -> None:
        command = binding.command
        if count and "L" in self.session.engine.commands[command.name]:
            command = replace(command, arguments=(*command.arguments, Argument("L", int(count))))
        self._ask_for(PendingCommand(command, binding.asks))

    # questions

    def _answer(self, key: str) -> None:
        """Pass a key to the game's prompt."""
        assert self.prompt_input is not None
        answer = self.prompt_input.press(key)
        if answer is not None:
            self._do(lambda: self.session.answer(answer))

    def _ask_for(self, wanted: PendingCommand) -> None:
        """Prompt for the next argument, or give the command if it is complete."""
        if wanted.asks:
            self._pending = wanted
            _, x, y = self.session.game.here
            self.prompt_input = prompt_input(wanted.prompt(x, y))
            return
        self._continuing = True
        self._do(lambda: self.session.command(wanted.command))

    def _answer_here(self, key: str) -> None:
        """Pass a key to the client's own prompt."""
        assert self.prompt_input is not None
        answer = self.prompt_input.press(key)
        if answer is None:
            return
        confirm, wanted = self._confirm, self._pending
        self._confirm = self._pending = self.prompt_input = self._asked_at = None
        if confirm is not None:
            if isinstance(answer, YesNoAnswer) and answer.answer == "y":
                self._do(confirm)
        elif wanted is not None and (more := wanted.answered(answer)) is not None:
            self._ask_for(more)
        self._show_question()  # the game may have come to ask something meanwhile

    def _ask_whether(self, question: str, does: Callable[[], None]) -> None:
        self._confirm = does
        self.prompt_input = prompt_input(AskYesNo(question, "yn", "n"))

    # when the game does not go on

    def _after_the_end(self, key: str) -> None:
        if key == "R":
            self.wants_replay = True
        elif key in ("q", "escape", "enter"):
            self.done = True
        elif key in PAGES and PAGES[key] in self.view.panels:
            self.page = PAGES[key]

    def _come_back(self, key: str) -> None:
        if key == "enter":
            self.away = False
            self.enter()
        elif key == "R":
            self.wants_replay = True

    def _when_lost(self, key: str) -> None:
        """Handle a key while the engine cannot continue from the log; only the user decides to truncate it."""
        if key == "R":
            self.wants_replay = True
        elif key == "r":
            self._do(self._offer_way_back)
        elif key in ("q", "escape"):
            self.done = True

    def _offer_way_back(self) -> None:
        """Offer to truncate the log to the last loadable save; if the log grows before the answer, nothing is done."""
        log = self.session.log
        found = last_loadable(log, self.session.engine, len(log.columns.save_lines))
        cut = None if found is None else plan_rewind(log, found.line)
        if found is None or cut is None:
            self.message = "there is no save in this log that the game could go back to"
            return
        refuse(cut, log.source.name)
        question = f"Go back to turn {found.turn}? {found.lost} turns are lost"
        self._ask_whether(question, lambda: self._go_back(cut))

    def _go_back(self, cut: Truncation) -> None:
        rewind_log(self.source, cut)
        self.session.refresh()

    # doing

    def _do(self, act: Callable[[], None]) -> None:
        """Call `act`, which writes to the log, or keep it until there is a lock; an error becomes a message."""
        if self._kept:
            self._kept.acts.append(act)
            return
        try:
            if self.source.deleted:
                raise NhlogError(f"{self.source.fate}; nothing that is done now is kept")
            act()
        except InputDropped:
            self._refused("somebody else was quicker")
        except LogRecovered:
            self._refused("the log was repaired or taken back")
            self._forget()
        except LockNotObtained as error:
            self._kept.acts.append(act)
            self._kept.holder = error.found if isinstance(error.found, Holder) else None
            self.message = error.what
            self._see()
            return  # nor could the log be looked at: that would only take as long again
        except NhlogError as error:
            lost = isinstance(error, NotNow) and self.session.desync  # which is told as long as it lasts
            self.message = "" if lost else str(error)
            self._continuing = False
        else:
            self.replay.to_end()  # the session looked at the log before it wrote, and what it wrote is known
            self._see()
            return
        self.refresh()

    def _refused(self, why: str) -> None:
        self.message = f"{why}: {_UNUSED}" if self._pressed else why
        self._continuing = False
