"""A person's seat at a game: keys in, commands and answers out.

What the person sees is always what the log says: a key that could not be written has done nothing, and says so.
It does no I/O but through its session, and its only clock is that of the loop that calls it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from nhlog.engines.prompts import AskDirection, AskKey, AskPosition, AskText, AskYesNo, LookForBones, Prompt
from nhlog.engines.protocol import Binding
from nhlog.errors import LockNotObtained, LogRecovered, NhlogError
from nhlog.log.append import InputDropped
from nhlog.log.file import LogFile
from nhlog.log.lines import (
    Argument,
    Command,
    DirectionAnswer,
    KeyAnswer,
    Line,
    PositionAnswer,
    TextAnswer,
    YesNoAnswer,
)
from nhlog.log.recovery import carry_out, plan_rewind
from nhlog.session import last_loadable
from nhlog.session.replay import GameReplay
from terminal.asking import Asking, Text, asking
from terminal.ghost import Ghost
from terminal.keys import LOOK_STEPS
from terminal.views import View

__all__ = ["SEAT_KEYS", "Seat"]

AT_ONCE: Final = 8  # turns of a long command that pass between two frames
LONGEST_COUNT: Final = 4  # digits
_ENTER: Final = b"welcome"

SEAT_KEYS: Final = (
    ("i", "inventory"),
    ("^X", "attributes"),
    ("^O", "overview of the levels"),
    ("\\", "discoveries"),
    ("L", "what was done so far"),
    (";", "what is on a square"),
    ("#", "a command by its name"),
    ("R", "watch the game again, from now back"),
    ("?", "these keys"),
    ("S", "leave; the game stays as it is"),
)
"""What the client itself takes; the game's own keys are the engine's."""

_PAGES: Final = {"i": "inventory", "ctrl-x": "attributes", "ctrl-o": "overview", "\\": "discoveries"}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A command whose arguments are being asked for: the letters still to come."""

    command: Command
    asks: str


class Seat:
    """A seat at the game that `replay` shows.

    `asking` is the question being answered, `message` what else is to be said, `page` which page is looked at
    ("help", or a panel of the view), `typed` a count or the name of a command.  `looking` is how far from the hero the
    square is that is looked at, or None.  `wants_replay` and `done` are for the loop.  `away` says that the game is
    played in another terminal now.  `ghost` is the hero of an earlier game, if one is to be seen.
    """

    def __init__(self, replay: GameReplay, view: View) -> None:
        self.replay = replay
        self.session = replay.session
        self.view = view
        self.message = ""
        self.asking: Asking | None = None
        self.page = ""
        self.page_row = 0
        self.count = ""
        self.named: Text | None = None
        self.looking: tuple[int, int] | None = None
        self.wants_replay = False
        self.away = False
        self.done = False
        self.ghost: Ghost | None = None
        self._asked: Prompt | None = None
        self._wanted: _Wanted | None = None
        self._confirm: Callable[[], None] | None = None
        self._continuing = False
        self._bindings = {binding.key: binding for binding in self.session.engine.bindings}

    @property
    def source(self) -> LogFile:
        """The log's file."""
        source = self.session.log.source
        assert isinstance(source, LogFile)  # one who may write has a file
        return source

    def close(self) -> None:
        """Close the log, and the ghost's."""
        self.replay.close()
        if self.ghost is not None:
            self.ghost.close()

    @property
    def beside(self) -> str:
        """The panel that helps with the question being asked: one who is to name an item sees what there is."""
        if self._wanted is not None and self._wanted.asks[:1] == "I" and "inventory" in self.view.panels:
            return "inventory"
        return ""

    def enter(self) -> None:
        """Sit down: finish what another left in the middle, and tell the game that somebody came."""
        self._do(self.session.settle)
        if not self.session.over and self.session.prompt is None and not self.session.desync:
            self._do(lambda: self.session.command(Command(_ENTER.decode())))
            self.away = False

    def leave(self) -> None:
        """Get up; the game stays as it is."""
        self._do(self.session.leave)

    # time passes

    def advance(self) -> bool:
        """Carry on with what takes many turns; whether there is more of it."""
        for _ in range(AT_ONCE):
            if not self._continuing or self.session.prompt is not None or not self.session.game.incomplete:
                self._continuing = False
                break
            self._do(lambda: self.session.command(Command("repeat")))
        return self._continuing

    def refresh(self) -> None:
        """Look at the log: another may play the same game, or have taken it back."""
        before, recoveries = self.session.at, self.session.recoveries
        try:
            changed = self.session.refresh()
        except NhlogError as error:
            self.message = str(error)
            return
        if self.session.recoveries != recoveries:
            self.message = f"the game was taken back to turn {self.session.game.turn}"
            self._forget()
        elif changed and self._entered_elsewhere(before):
            self.away = True
            self._forget()
        if changed:
            self._look_again()

    def _entered_elsewhere(self, first: int) -> bool:
        log = self.session.log
        return any(log.raw(number).data == _ENTER for number in range(first, self.session.at))

    def _forget(self) -> None:
        """Whatever was being typed belongs to a game that is gone."""
        self._continuing = False
        self._wanted = self.named = None
        self.count = ""

    # keys

    def press(self, key: str) -> None:
        """Do what `key` does now."""
        self.message = ""
        if self.page:
            self._leaf(key)
        elif self.looking is not None:
            self._look(key)
        elif self._confirm is not None or self._wanted is not None:
            self._answer_here(key)
        elif self.named is not None:
            self._name(key)
        elif key in ("S", "ctrl-c"):
            self.done = True
        elif self.session.over:
            self._after_the_end(key)
        elif self.session.desync:
            self._when_lost(key)
        elif self.away:
            self._come_back(key)
        elif self.asking is not None:
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
        if key in LOOK_STEPS:
            (x, y), (across, down) = self.looking, LOOK_STEPS[key]
            self.looking = (min(max(x + across, -78), 78), min(max(y + down, -20), 20))
        else:
            self.looking = None

    def _command(self, key: str) -> None:
        if key.isascii() and key.isdecimal():
            self.count = (self.count + key)[:LONGEST_COUNT]
            return
        count, self.count = self.count, ""
        if key in _PAGES and _PAGES[key] in self.view.panels:
            self.page = _PAGES[key]
        elif key == "?":
            self.page = "help"
        elif key == "L" and "ledger" in self.view.panels and "L" not in self._bindings:
            self.page = "ledger"
        elif key == ";" and self.view.look:
            self.looking = (0, 0)
        elif key == "#":
            self.named = Text(AskText("#"))
        elif key == "R":
            self.wants_replay = True
        elif key in self._bindings:
            self._give(self._bindings[key], count)
        elif key not in ("escape", "enter"):
            self.message = f"{_shown(key)} does nothing: ? shows the keys"

    def _name(self, key: str) -> None:
        """The name of a command is being typed."""
        assert self.named is not None
        answer = self.named.press(key)
        if answer is None:
            return
        self.named = None
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
        self._ask_for(_Wanted(command, binding.asks))

    # questions

    def _answer(self, key: str) -> None:
        """A key for the game's own question."""
        assert self.asking is not None
        answer = self.asking.press(key)
        if answer is not None:
            self._do(lambda: self.session.answer(answer))

    def _ask_for(self, wanted: _Wanted) -> None:
        """Ask for the next argument, or give the command when it has all."""
        if wanted.asks:
            self._wanted = wanted
            _, x, y = self.session.game.here
            self.asking = asking(_question(wanted.asks[0], x, y))
            return
        self._wanted = self.asking = None
        self._continuing = True
        self._do(lambda: self.session.command(wanted.command))

    def _answer_here(self, key: str) -> None:
        """A key for a question of the client's own."""
        assert self.asking is not None
        answer = self.asking.press(key)
        if answer is None:
            return
        confirm, wanted = self._confirm, self._wanted
        self._confirm = self._wanted = self.asking = None
        if confirm is not None:
            if isinstance(answer, YesNoAnswer) and answer.answer == "y":
                confirm()
        elif wanted is not None:
            argument = _argument(wanted.asks[0], answer)
            if argument is not None:
                command = replace(wanted.command, arguments=(*wanted.command.arguments, argument))
                self._ask_for(_Wanted(command, wanted.asks[1:]))

    def _ask_whether(self, question: str, does: Callable[[], None]) -> None:
        self._confirm = does
        self.asking = asking(AskYesNo(question, "yn", "n"))

    # when the game does not go on

    def _after_the_end(self, key: str) -> None:
        if key == "R":
            self.wants_replay = True
        elif key in ("q", "escape", "enter"):
            self.done = True
        elif key in _PAGES and _PAGES[key] in self.view.panels:
            self.page = _PAGES[key]

    def _come_back(self, key: str) -> None:
        if key == "enter":
            self.away = False
            self.enter()
        elif key == "R":
            self.wants_replay = True

    def _when_lost(self, key: str) -> None:
        """The engine cannot go on from the log: nothing is cut without the player's word."""
        log = self.session.log
        found = last_loadable(log, self.session.engine, len(log.columns.save_lines))
        if key == "R":
            self.wants_replay = True
        elif key == "r" and found is not None:
            question = f"Go back to turn {found.turn}? {found.lost} turns are lost"
            self._ask_whether(question, lambda: self._do(lambda: self._rewind(found.line)))
        elif key in ("q", "escape"):
            self.done = True

    def _rewind(self, line: int) -> None:
        log = self.session.log
        cut = plan_rewind(log, line)
        if cut is not None:
            carry_out(self.source, cut)
        self.session.refresh()

    # doing

    def _do(self, act: Callable[[], None]) -> None:
        """Do what writes; what the log does not take is told, and has done nothing."""
        try:
            act()
        except InputDropped:
            self.message = "somebody else was quicker: that key was not used"
        except LogRecovered:
            self.message = "the log was repaired or taken back: that key was not used"
            self._forget()
        except LockNotObtained as error:
            self.message = f"that key was not used: {error.what}"
            self._continuing = False
        except NhlogError as error:
            self.message = str(error)
            self._continuing = False
        self._look_again()

    def _look_again(self) -> None:
        """Show what the session came to."""
        try:
            self.session.refresh()
        except NhlogError as error:
            self.message = str(error)
        prompt = self.session.prompt
        if prompt is not self._asked and self._wanted is None and self._confirm is None:
            self._asked = prompt
            self.asking = None if prompt is None or isinstance(prompt, LookForBones) else asking(prompt)
        self.replay.to_end()


def _question(letter: str, x: int, y: int) -> Prompt:
    """What a person is asked for an argument of this letter."""
    match letter:
        case "P":
            return AskPosition("Where to?", x, y)
        case "D":
            return AskDirection("In what direction?")
        case "T":
            return AskText("What?")
        case "S":
            return AskKey("Which spell?", "", counted=False)
        case _:
            return AskKey("Which item?", "", counted=False)


def _argument(letter: str, answer: Line) -> Argument | None:
    """The argument that an answer comes to; None for a cancelled question."""
    match answer:
        case PositionAnswer((x, y, _)):
            return Argument(letter, (x, y))
        case DirectionAnswer(direction) if direction >= 0:
            return Argument(letter, direction)
        case KeyAnswer(key) if 32 < key < 127:
            return Argument(letter, chr(key))
        case TextAnswer(blob) if blob.decode() != b"\x1b\0":
            return Argument(letter, blob)
        case _:
            return None


def _shown(key: str) -> str:
    return key if len(key) == 1 else f"the key {key}"
