"""The play controller: turns keys into commands and answers.

The screen always shows the state of the log: a key that could not be written has no effect, and a message says so.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from nhlog.engines.prompts import AskText, AskYesNo
from nhlog.engines.protocol import Binding, option_command
from nhlog.errors import NhlogError
from nhlog.log.wire.lines import Argument, Command, TextAnswer, YesNoAnswer
from nhlog.session.replay import GameReplay
from terminal.ending.ending import Ending
from terminal.messages.history import History
from terminal.play.arguments import PendingCommand
from terminal.play.ghost import Ghost
from terminal.play.keys import SHOWING, Playing
from terminal.play.options import game_options, option_of, usual_options
from terminal.play.seat import Seat
from terminal.prompts.inputs import prompt_input
from terminal.prompts.menus import MenuInput, ObjectsInput
from terminal.prompts.text import TextInput
from terminal.replay.look import move_cursor
from terminal.replay.rewind_offer import RewindOffer, offer_agreement, offer_way_back
from terminal.screen.keys import SCROLLS, WHEEL, Bound, Key, about, as_they_are, key_label
from terminal.settings.menu import OptionsMenu
from terminal.views import View, Viewpoint

__all__ = ["PlayController"]

LONGEST_COUNT: Final = 4  # digits


class PlayController(Seat):
    """A seat at the game that `replay` shows, with the keys and pages of the client.

    `page` is the page shown over the game (``help``, or a panel of the view; empty for none) and `page_row` its
    first row, `unseen` how many rows were below the screen when it was drawn.  `history` is the list of messages
    while it is shown.  `looking` is the position of the look cursor, in columns and rows from the hero, or None.
    `ghost` is the hero of an earlier game, shown in this one.  `ending` are the pages about a game that is over,
    None before, `dumped` is what there is to say about its dump file.  `options` is the menu of options where that
    is shown, `wishes` are the options of the game that the player usually has.  `wants_replay` and `done` are for
    the loop.
    """

    def __init__(self, replay: GameReplay, view: View, bound: Bound = as_they_are) -> None:
        super().__init__(replay, bound)
        self._bound = bound
        self.view = view
        self.page = ""
        self.page_row = 0
        self.unseen = 0
        self.looking: tuple[int, int] | None = None
        self.history: History | None = None
        self.wants_replay = False
        self.done = False
        self.ghost: Ghost | None = None
        self.ending: Ending | None = None
        self.dumped = ""
        self.options: OptionsMenu | None = None
        self.wishes: Mapping[str, str] = {}
        self._pending: PendingCommand | None = None
        self._confirm: Callable[[], None] | None = None
        self._bindings = {binding.key: binding for binding in self.session.engine.bindings}

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
        """Start playing; where the game is not what its commands make, offer the way back first."""
        offer = self._agreement()
        if offer is None:
            for command in usual_options(self.session, self.wishes):
                self._do(partial(self.session.command, command))
            super().enter()
            self.message = self.message or self._shadowed()
        else:
            self._ask_whether(f"{self.session.diverged}. {offer.question}", lambda: self._go_back(offer))

    def _agreement(self) -> RewindOffer | None:
        try:
            return offer_agreement(self.session.log, self.session.engine) if self.session.check() else None
        except NhlogError:  # the log cannot be read now, or so much would be lost that nobody is asked
            return None

    def _forget(self) -> None:
        """Drop all pending input, as it belongs to a state of the game that no longer exists."""
        super()._forget()
        self._pending = self._confirm = self.command_input = self.ending = None
        self.count = ""

    @property
    def _asks_itself(self) -> bool:
        return self._pending is not None or self._confirm is not None

    # keys

    def press(self, key: str) -> None:
        """Handle the key with this name, or keep it while others wait for the lock."""
        if self._kept:
            self._keep(key)
            return
        self.failed = False
        if self.history is None and self.has_more:
            self._turn_page(key)
            return
        self.message = ""
        self._sure = self._sure and self.keys.action(key) == "put-back"
        self._hush()
        self._pressed = True
        self._take(key)
        self._pressed = False

    def advance(self) -> bool:
        """Continue a command that takes many turns for some turns, and the reading of a list; whether that goes on."""
        reads = self.history is not None and self.history.work()
        return super().advance() or reads

    def _keep(self, key: str) -> None:
        if key == "escape":
            self._forget()
            self.message = "the waiting keys were dropped"
        elif self.keys.action(key) == "free":
            self._kept.free(self._now)
        else:
            self._kept.add(key)

    def _take(self, key: str) -> None:
        if self.options is not None:
            self._choose(self.options, key)
        elif self.history is not None:
            self.history = self.history.after(key)
        elif self.ending is not None:
            self._leaf_at_end(self.ending, key)
        elif self.page:
            self._leaf(key)
        elif self.looking is not None:
            self._look(key)
        elif key in WHEEL and not isinstance(self.prompt_input, MenuInput | ObjectsInput):
            pass  # there is nothing to scroll
        elif self._asks_itself:
            self._answer_here(key)
        elif self.command_input is not None:
            self._name(key)
        elif self.keys.action(key) == "leave" and (
            self.prompt_input is None or self.theirs
        ):  # else it may be an answer
            self.quit()
        elif self.session.over:
            self._after_the_end(key)
        elif self.session.desync:
            self._when_lost(key)
        elif self.prompt_input is not None and self.theirs:
            self._look_on(key)
        elif self.prompt_input is not None:
            self._answer(key)
        elif self._continuing and self.session.game.incomplete:
            self._continuing = False
            self._do(lambda: self.session.command(Command("interrupt")))
        else:
            self._command(key)

    def _leaf(self, key: str) -> None:
        if key in SCROLLS or (key == " " and self.unseen):
            self.page_row = max(self.page_row + min(SCROLLS.get(key, SCROLLS["page-down"]), self.unseen), 0)
        else:
            self.page, self.page_row = "", 0
            if clicked := about(key, "press"):
                self._take(clicked)

    def _look(self, key: str) -> None:
        assert self.looking is not None
        moved = move_cursor(self.looking, key)
        if moved is None and key != "escape" and self.view.look:
            self.message = self.view.look(self.replay, Viewpoint(), *self.looking).text
        self.looking = moved

    def _command(self, key: str) -> None:
        if key.isascii() and key.isdecimal():
            self.count = (self.count + key)[:LONGEST_COUNT]
            return
        count, self.count = self.count, ""
        row = self.own(key)
        if row is not None:
            row.act(self)
        elif key in self._bindings:
            self._give(self._bindings[key], count)
        elif key not in ("escape", "enter", " "):
            self.failed = True
            self.message = f"{key_label(key)} does nothing: {self.keys.label('help')} shows the keys"

    def _show(self, key: str) -> bool:
        """Handle a key that only shows something, and return whether it is one."""
        row = self.own(key)
        if row is None or row.action not in SHOWING:
            return False
        row.act(self)
        return True

    def own(self, key: str) -> Key[Playing] | None:
        """The client's own action of this key, if it has one in this game."""
        row = self.keys.of(key)
        return row if row is not None and row.fits(self) else None

    def _shadowed(self) -> str:
        """Which keys of the game are the client's here; empty if there are none."""
        taken = [(key_label(key), row.action) for key in self._bindings if (row := self.own(key))]
        told = ", ".join(f"{label} is {action}" for label, action in taken)
        return (
            f"{told}: what the game has there is done by its name, after {self.keys.label('command')}" if told else ""
        )

    # what the client's own keys do

    def show_page(self, page: str) -> None:
        """Show the keys (``help``), or a panel of the view."""
        self.page = page

    def list_messages(self) -> None:
        """Show all that the game told."""
        self.history = History(self.messages(), self._bound)

    def look_around(self) -> None:
        """Move a cursor over the map."""
        self.looking = (0, 0)

    def show_options(self) -> None:
        """Show the menu of options."""
        try:
            self.options = OptionsMenu(game_options(self.session, self._set_option), self._bound)
        except NhlogError as error:
            self.message = str(error)

    def _choose(self, menu: OptionsMenu, key: str) -> None:
        menu.press(key)
        self.takes_mail, self.options = menu.takes_mail, None if menu.done else menu

    def _set_option(self, name: str, value: str) -> None:
        """Set an option of the game, and keep its value for later games."""
        self._do(lambda: self.session.command(option_command(name, value)))
        if self.options is not None and option_of(self.session, name) == value:
            self.options.keep_option(self.session.engine.name, name, value)

    def watch_again(self) -> None:
        """Tell the loop to show the game in the player of recordings."""
        self.wants_replay = True

    def name_command(self) -> None:
        """Start typing the name of a command."""
        self.command_input = TextInput(AskText("#"))

    def answer_instead(self) -> None:
        """Take over the answer that another player is asked for."""
        if self.theirs:
            self.theirs, self.company.did = False, ""
        else:
            self.message = "no other player has to answer anything"

    def free(self) -> None:
        """Tell that nothing has to be freed: where something has, this key is handled before all others."""
        self.message = "no process keeps the game from you"

    def quit(self) -> None:
        """Leave; the game can be continued later."""
        self.done = True

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
            self.failed = True
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
        self.failed = bool(self.prompt_input.complaint)
        if answer is not None:
            self._do(lambda: self.session.answer(answer))

    def _look_on(self, key: str) -> None:
        """Handle a key while another player is asked: the answer is theirs until it is taken over."""
        if self.keys.action(key) == "answer":
            self.answer_instead()
        elif not self._show(key):
            self._leave_to_others()
            if not self.theirs:
                self.company.did = "they left: the answer is yours"

    def _ask_for(self, wanted: PendingCommand) -> None:
        """Prompt for the next argument, or give the command if it is complete."""
        if wanted.asks:
            self._pending = wanted
            _, x, y = self.session.game.here
            self.prompt_input = prompt_input(wanted.prompt(x, y))
            return
        self._continuing = True
        self._do(lambda: self._give_now(wanted.command))

    def _give_now(self, command: Command) -> None:
        told = self.session.command(command)
        if told is not None:
            self._tell_at_once(told)
            self.failed = command.name not in self.session.engine.looks

    def _answer_here(self, key: str) -> None:
        """Pass a key to the client's own prompt."""
        assert self.prompt_input is not None
        answer = self.prompt_input.press(key)
        self.failed = bool(self.prompt_input.complaint)
        if answer is None:
            return
        confirm, wanted = self._confirm, self._pending
        self._confirm = self._pending = self.prompt_input = self._asked_at = None
        if confirm is not None:
            if isinstance(answer, YesNoAnswer) and answer.answer == "y":
                self._do(confirm)
        elif wanted is not None and (more := wanted.answered(answer)) is not None:
            self._ask_for(more)
        self._see_others()  # the game may have come to ask something meanwhile

    def _ask_whether(self, question: str, does: Callable[[], None]) -> None:
        self._confirm = does
        self.prompt_input = prompt_input(AskYesNo(question, "yn", "n"))

    # when the game does not go on

    def show_end(self) -> None:
        """Show the pages about the game, which is over."""
        self.ending = Ending(self.replay, self.view, self._bound)
        self.ending.told = self.dumped

    def _after_the_end(self, key: str) -> None:
        if key in (" ", "enter"):
            self.show_end()
        elif key in ("q", "escape"):
            self.done = True
        else:
            self._show(key)

    def _leaf_at_end(self, ending: Ending, key: str) -> None:
        ending.press(key)
        self.wants_replay, ending.wants_replay = ending.wants_replay, False
        self.done = ending.done

    def _when_lost(self, key: str) -> None:
        """Handle a key while the engine cannot continue from the log; only the user decides to truncate it."""
        if key == "r":
            self._do(self._offer_way_back)
        elif key in ("q", "escape"):
            self.done = True
        else:
            self._show(key)

    def _offer_way_back(self) -> None:
        """Offer to truncate the log to the last loadable save; if the log grows before the answer, nothing is done."""
        offer = offer_way_back(self.session.log, self.session.engine)
        if offer is None:
            self.message = "this log has no save to go back to"
        else:
            self._ask_whether(offer.question, lambda: self._go_back(offer))

    def _go_back(self, offer: RewindOffer) -> None:
        offer.carry_out()
        self.session.refresh()
