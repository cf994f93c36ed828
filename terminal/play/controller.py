"""The play client: what a key does in a game that is played, as tables; `terminal.screen.modes` says why tables.

The screen always shows the state of the log: a key that could not be written has no effect, and a message says so.

A key of the client's own (`PLAY_KEYS`) has a meaning only where no mode above takes it; all others are the engine's
bindings.  What is open belongs either to the client (the menu of options, a page, the list of messages, the look
around: they stay whatever others do to the game) or to a state of the game (a question of the client's, the pages
about its end): these are dropped when the game is taken back, and so is a count (`_drop`).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from nhlog.engines.prompts import AskText, AskYesNo
from nhlog.engines.protocol import Binding, ClaimsKeys, option_command
from nhlog.errors import NhlogError
from nhlog.log.wire.lines import Argument, Command, Line, TextAnswer, YesNoAnswer
from nhlog.session import Session
from nhlog.session.replay import GameReplay
from terminal.ending.ending import Ending
from terminal.messages.history import History
from terminal.messages.others import FromOthers
from terminal.play.arguments import PendingCommand
from terminal.play.ghost import Ghost
from terminal.play.options import game_options, option_of, usual_options
from terminal.play.seat import Seat
from terminal.prompts.inputs import PromptInput, prompt_input
from terminal.prompts.menus import MenuInput, ObjectsInput
from terminal.prompts.text import TextInput
from terminal.replay.look import Look
from terminal.replay.rewind_offer import RewindOffer, offer_agreement, offer_way_back
from terminal.screen.keys import WHEEL, Bound, Key, KeyTable, as_they_are, begins_number, key_label, strokes
from terminal.screen.modes import Mode, Modes, Stack
from terminal.screen.page import Page
from terminal.settings.menu import OptionsMenu
from terminal.views import View, Viewpoint

__all__ = ["MODES", "PLAY_KEYS", "PlayController", "Question"]

LONGEST_COUNT: Final = 4  # digits
MOST_LETTERS: Final = 3  # that are shown at once


class Question:
    """What the client itself asks, by an `input` of its own; `then` is called with the answer.

    `beside` is the panel of the view to show with it; empty for none.
    """

    mode: ClassVar[str] = "question"

    def __init__(self, asked: PromptInput, then: Callable[[Line], None], beside: str = "") -> None:
        self.input = asked
        self.then = then
        self.beside = beside
        self.answer: Line | None = None

    @property
    def done(self) -> bool:
        """Whether it is answered."""
        return self.answer is not None

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        self.answer = self.input.press(key)


_PREFIX: Final = "prefix"  # what the configuration calls that key: by default it is the engine's


class PlayController:
    """A player at a game: a seat at it, the pages over it, and what a key does."""

    def __init__(self, replay: GameReplay, view: View, bound: Bound = as_they_are) -> None:
        engine = replay.session.engine
        self.bindings = {binding.key: binding for binding in engine.bindings}
        """The keys of the game."""

        self.keys = bound(PLAY_KEYS)
        """The client's own keys."""

        self.prefix = (self.keys.key(_PREFIX) or engine.prefix) if isinstance(engine, ClaimsKeys) else ""
        """The key before those of the client's that are the game's; empty where none is."""

        if self.prefix:
            self.keys = self.keys.after(self.prefix, self.bindings, _PREFIX)
        self.seat = Seat(replay, self.keys, self._drop, speaks=view.speaks)
        self.view = view
        self._bound = bound
        self._sure = False  # whether the next key that puts back does so

        self.prefixed = False
        """Whether the last key was the prefix."""

        self.opened = Stack()
        """What the player opened over the game."""

        self.count = ""
        """The number typed before a key."""

        self.ghost: Ghost | None = None
        """The hero of an earlier game, shown in this one."""

        self.greeting = ""
        """The first message."""

        self.usual_options: Mapping[str, str] = {}
        """The options of the game that the player usually has."""

        self.others = FromOthers()
        """What others say to the player."""

        self.dumped = ""
        """What there is to say about the dump file of a game that is over."""

        self.wants_replay = False
        """Tells the loop to show the game in the player of recordings."""

        self.done = False
        """Tells the loop to leave."""

    @property
    def replay(self) -> GameReplay:
        """The game as a recording."""
        return self.seat.replay

    @property
    def session(self) -> Session:
        """The game at its place in the log."""
        return self.seat.session

    @property
    def asked(self) -> PromptInput | None:
        """The prompt that is being answered, of the client or of the game; None if there is none."""
        question = self.opened.find(Question)
        return self.seat.question if question is None else question.input

    @property
    def says(self) -> str:
        """What the client asks or says, below the messages of the game."""
        if self.asked is not None:
            return self.asked.line
        told = ". ".join(filter(None, (self.seat.message, MODES.says(self))))
        return told or (f"Count: {self.count}" if self.count else "")

    def own(self, key: str) -> Key["PlayController"] | None:
        """The client's own action of this key, if it has one in this game."""
        row = self.keys.of(key)
        return row if row is not None and row.fits(self) else None

    def action(self, key: str) -> str:
        """What the configuration calls that; empty if it has none."""
        row = self.own(key)
        return "" if row is None else row.action

    # coming and going

    def enter(self) -> None:
        """Start playing; if the game is not what its commands make, offer first to take it back."""
        offer = self._agreement()
        if offer is None:
            for command in usual_options(self.session, self.usual_options):
                self.seat.do(partial(self.session.command, command))
            self.seat.enter()
            self.seat.message = self.seat.message or self.greeting or self._shadowed()
        else:
            self._offer(offer, f"{self.session.following.diverged}. ")

    def _agreement(self) -> RewindOffer | None:
        try:
            return offer_agreement(self.session.log, self.session.engine) if self.session.following.check() else None
        except NhlogError:  # the log cannot be read now, or so much would be lost that nobody is asked
            return None

    def _shadowed(self) -> str:
        """Which keys the client takes from the game, or where its own have moved; empty if neither is the case."""
        if self.prefix:
            return f"{self.keys.label('help')} shows the keys"
        taken = [(key_label(key), row.action) for key in self.bindings if (row := self.own(key))]
        told = ", ".join(f"{label} is {action}" for label, action in taken)
        return (
            f"{told}: what the game has there is done by its name, after {self.keys.label('command')}" if told else ""
        )

    def leave(self) -> None:
        """Stop playing; the game can be continued later."""
        self.seat.leave()

    def close(self) -> None:
        """Close the log, and that of the ghost."""
        self.replay.close()
        if self.ghost is not None:
            self.ghost.close()

    def _drop(self) -> None:
        """Drop all pending input, as it belongs to a state of the game that no longer exists."""
        self.opened.close(Question.mode, Ending.mode)
        self.count = ""

    # time passes

    def advance(self) -> bool:
        """Continue a command of many turns, or a list that is being read, for a while; return whether there is more."""
        history = self.opened.find(History)
        reads = history is not None and history.work()
        return self.seat.go_on() or reads

    def wait(self, now: float) -> None:
        """Do what had to wait until `now`, in seconds."""
        if self.seat.company.look(now):
            self._take_in()
        self.seat.wait(now, self.press)

    def _take_in(self) -> None:
        """Show what others say, as soon as nothing is asked; add it to the list of messages."""
        seat = self.seat
        self.others.tend(watched=seat.company.watched)
        if self.asked is not None or seat.heard.has_more or seat.session.following.gamestate is None:
            return
        letters = self.others.news()
        if letters:
            seat.message = ". ".join(filter(None, (seat.message, *letters[-MOST_LETTERS:])))
            seat.heard.aside(letters)

    def refresh(self) -> None:
        """Read what other processes did to the log."""
        self.seat.refresh()

    # keys

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        mode = MODES.of(self)
        if mode.fresh:
            self.seat.message, self.seat.failed = "", False
            self.seat.heard.hush()
            self._sure = self._sure and self.action(key) in ("put-back", _PREFIX)
        self.seat.pressed = mode.fresh
        mode.take(self, key)
        self.seat.pressed = False

    def take(self, key: str) -> None:
        """Do what a key means under what was open."""
        MODES.of(self).take(self, key)

    def give(self, binding: Binding, count: str) -> None:
        """Give the command of a binding, with the number typed before it."""
        command = binding.command
        if count and "L" in self.session.engine.commands[command.name]:
            command = replace(command, arguments=(*command.arguments, Argument("L", int(count))))
        self._ask_for(PendingCommand(command, binding.asks))

    def _ask_for(self, wanted: PendingCommand) -> None:
        """Ask for the next argument, or give the command if it is complete."""
        if not wanted.asks:
            self.seat.command(wanted.command)
            return

        def then(answer: Line) -> None:
            if (more := wanted.answered(answer)) is not None:
                self._ask_for(more)

        _, x, y = self.session.game.here
        beside = "inventory" if wanted.asks[0] == "I" and "inventory" in self.view.panels else ""
        self.opened.open(Question(prompt_input(wanted.prompt(x, y)), then, beside))

    def _offer(self, offer: RewindOffer, why: str = "") -> None:
        """Ask whether the game is to be taken back."""

        def then(answer: Line) -> None:
            if isinstance(answer, YesNoAnswer) and answer.answer == "y":
                self.seat.do(go_back)

        def go_back() -> None:
            offer.carry_out()
            self.session.refresh()

        self.opened.open(Question(prompt_input(AskYesNo(f"{why}{offer.question}", "yn", "n")), then))

    def offer_way_back(self) -> None:
        """Offer to truncate the log to the last loadable save; if the log grows before the answer, nothing is done.

        Raises :class:`NhlogError` for a rewind that the rules forbid.
        """
        offer = offer_way_back(self.session.log, self.session.engine)
        if offer is None:
            self.seat.message = "this log has no save to go back to"
        else:
            self._offer(offer)

    # what the client's own keys do

    def list_messages(self) -> None:
        """Show all messages of the game."""
        self.opened.open(History(self.seat.heard.messages(), self._bound))

    def show_options(self) -> None:
        """Show the menu of options."""
        try:
            menu = OptionsMenu(game_options(self.session, lambda *chosen: self._set_option(menu, *chosen)), self._bound)
        except NhlogError as error:
            self.seat.message = str(error)
        else:
            self.opened.open(menu)

    def _set_option(self, menu: OptionsMenu, name: str, value: str) -> None:
        """Set an option of the game, and keep its value for later games."""
        self.seat.do(lambda: self.session.command(option_command(name, value)))
        if option_of(self.session, name) == value:
            menu.keep_option(self.session.engine.name, name, value)

    def show_end(self) -> None:
        """Show the pages about the game, which is over."""
        ending = Ending(self.replay, self.view, self._bound)
        ending.told = self.dumped
        self.opened.open(ending)

    def watch_again(self) -> None:
        """Tell the loop to show the game in the player of recordings."""
        self.wants_replay = True

    def name_command(self) -> None:
        """Ask for the name of a command, and give it."""
        self.opened.open(Question(TextInput(AskText("#")), self._give_by_name))

    def _give_by_name(self, answer: Line) -> None:
        name = _typed(answer).lower()
        if not name:
            return
        if name in self.session.engine.commands:
            known = (binding for binding in self.bindings.values() if binding.command.name == name)
            asks = next((binding.asks for binding in known), "")
            self.give(Binding("", Command(name), asks, "", ""), "")
        else:
            self.seat.failed = True
            self.seat.message = f"there is no #{name}"

    def put_back(self) -> None:
        """Put back what another player cut off, if the key is pressed twice: letters are commands of the game."""
        cut, sure = self.seat.cut_off, self._sure
        self._sure = cut is not None and not sure
        if cut is None:
            self.seat.message = "nobody cut off anything that can be put back now"
        elif sure:
            self.seat.put_back(cut)
        else:
            again = f"{self.keys.label('put-back')} again"
            self.seat.message = f"{again} puts it back, up to turn {cut.turn}; any other key does not"

    def free(self) -> None:
        """Say that no lock is in the way; if one is, this key is handled before all others."""
        self.seat.message = "no process keeps the game from you"

    def quit(self) -> None:
        """Leave; the game can be continued later."""
        self.done = True

    def await_key(self) -> None:
        """Take the next key for one of the client's."""
        self.prefixed = True
        self.seat.message = (
            f"{key_label(self.prefix)} and then a key of this client; {self.keys.label('help')} lists them"
        )


def _panel(key: str, name: str, does: str) -> Key[PlayController]:
    """The key that opens a panel of the view."""
    return Key(_GROUP, (key,), name, does, lambda c: c.opened.open(Page(name)), lambda c: name in c.view.panels)


_GROUP: Final = "This client"
_SHOWS: Final[tuple[Key[PlayController], ...]] = (
    _panel("i", "inventory", "inventory"),
    _panel("ctrl-x", "attributes", "attributes"),
    _panel("ctrl-o", "overview", "overview of the levels"),
    _panel("\\", "discoveries", "discoveries"),
    Key(_GROUP, ("ctrl-p",), "messages", "all messages", lambda c: c.list_messages()),
    _panel("ctrl-e", "ledger", "commands so far"),
    _panel("ctrl-k", "legend", "what the signs mean"),
    Key(
        _GROUP,
        (";",),
        "look",
        "what is on a square",
        lambda c: c.opened.open(Look()),
        lambda c: c.view.look is not None,
    ),
    Key(_GROUP, ("O",), "options", "options of the game and of the screen", lambda c: c.show_options()),
    Key(_GROUP, ("R",), "watch-again", "replay this game from any turn", lambda c: c.watch_again()),
    Key(_GROUP, ("?",), "help", "list the keys", lambda c: c.opened.open(Page("help"))),
    Key(
        _GROUP,
        (),
        _PREFIX,
        "before a key of this client, in a game that has it itself",
        lambda c: c.await_key(),
        lambda c: bool(c.prefix),
    ),
)
_SHOWING: Final = frozenset(row.action for row in _SHOWS)
"""The actions that only show something: they are possible whatever the game waits for, unless that takes the key."""

PLAY_KEYS: Final[KeyTable[PlayController]] = KeyTable(
    "play",
    (
        *_SHOWS,
        Key(_GROUP, ("#",), "command", "type a command by name", lambda c: c.name_command()),
        Key(_GROUP, ("ctrl-t",), "answer", "answer another player's prompt", lambda c: c.seat.answer_instead()),
        Key(
            _GROUP,
            ("ctrl-y",),
            "talk",
            "talk to those who watch",
            lambda c: _ask_to_talk(c),
            lambda c: c.others.say is not None,
        ),
        Key(_GROUP, ("ctrl-u",), "put-back", "put back what another player cut off", lambda c: c.put_back()),
        Key(_GROUP, ("ctrl-f",), "free", "end a stuck process that blocks the game", lambda c: c.free()),
        Key(_GROUP, ("S",), "leave", "leave; the game is kept", lambda c: c.quit()),
    ),
    against=begins_number,
    needed=("help", "leave"),
)
"""The keys that the client handles itself; the others are the engine's."""


def _typed(answer: Line) -> str:
    """The text that answers a question of the client; empty if there is none, or it was left by Escape."""
    assert isinstance(answer, TextAnswer)
    text = answer.blob.decode().rstrip(b"\0").decode().strip()
    return "" if text == "\x1b" else text


def _ask_to_talk(client: PlayController) -> None:
    """Ask for a line, and say it to all who watch."""

    say = client.others.say
    if say is None:
        client.seat.message = "talk is turned off here"
        return

    def then(answer: Line) -> None:
        text = _typed(answer)
        if not text:
            return
        client.others.tend(watched=True)  # whoever watches from now on reads it
        try:
            say(text)
        except NhlogError as error:
            client.seat.message = error.what

    client.opened.open(Question(TextInput(AskText("To all who watch:")), then))


# the modes: what keys do in each of them


def _top(mode: str) -> Callable[[PlayController], bool]:
    return lambda client: client.opened.mode == mode


def _after_prefix(client: PlayController, key: str) -> None:
    client.prefixed = False
    whole = strokes(client.prefix, key)
    client.press(whole if client.keys.of(whole) or not client.keys.of(key) else key)


def _keep(client: PlayController, key: str) -> None:
    match client.action(key):
        case "free":
            client.seat.free()
        case "prefix":
            client.await_key()
        case _:
            client.seat.keep(key)


def _drop_kept(client: PlayController) -> None:
    client.seat.forget()
    client.seat.message = "the waiting keys were dropped"


def _list(client: PlayController, key: str) -> None:
    client.opened.press(History, key)


def _turn_page(client: PlayController, key: str) -> None:
    client.seat.heard.turn_page()
    client.seat.failed = key not in (" ", "enter")


def _skip_pages(client: PlayController) -> None:
    client.seat.heard.skip()
    client.seat.failed = True


def _choose(client: PlayController, key: str) -> None:
    client.others.wants = client.opened.press(OptionsMenu, key).wants


def _leaf_at_end(client: PlayController, key: str) -> None:
    ending = client.opened.press(Ending, key)
    client.wants_replay, ending.wants_replay = ending.wants_replay, False
    client.done = ending.done


def _leaf(client: PlayController, key: str) -> None:
    page = client.opened.press(Page, key)
    if page.clicked:
        client.take(page.clicked)


def _look(client: PlayController, key: str) -> None:
    look = client.opened.press(Look, key)
    if look.chosen and client.view.look:
        client.seat.message = client.view.look(client.replay, Viewpoint(), *look.cursor).text


def _answer_client(client: PlayController, key: str) -> None:
    question = client.opened.press(Question, key)
    client.seat.failed = bool(question.input.complaint)
    if question.answer is not None:
        question.then(question.answer)


def _show(client: PlayController, key: str) -> bool:
    """Do what the key does, if it only shows something or leaves; return whether it does so."""
    row = client.own(key)
    if row is None or row.action not in (*_SHOWING, "leave"):
        return False
    row.act(client)
    return True


def _show_only(client: PlayController, key: str) -> None:
    _show(client, key)


def _look_on(client: PlayController, key: str) -> None:
    if client.action(key) == "answer":
        client.seat.answer_instead()
    elif not _show(client, key):
        client.seat.leave_to_others()
        if not client.seat.theirs:
            client.seat.company.did = "they left: the answer is yours"


def _answer(client: PlayController, key: str) -> None:
    question = client.seat.question
    assert question is not None
    answer = question.press(key)
    client.seat.failed = bool(question.complaint)
    if answer is not None:
        client.seat.answer(answer)


def _interrupt(client: PlayController, key: str) -> None:
    row = client.own(key)
    if row is not None and row.action in ("leave", _PREFIX):
        row.act(client)
    else:
        client.seat.interrupt()


def _play(client: PlayController, key: str) -> None:
    if key.isascii() and key.isdecimal() and not (client.prefix and key in client.bindings):
        client.count = (client.count + key)[:LONGEST_COUNT]
        return
    count, client.count = client.count, ""
    row = client.own(key)
    if row is not None:
        row.act(client)
    elif key in client.bindings:
        client.give(client.bindings[key], count)
    elif key not in ("escape", "enter", " "):
        client.seat.failed = True
        client.seat.message = f"{key_label(key)} does nothing: {client.keys.label('help')} shows the keys"


def _unless_rolled(other: Callable[[PlayController, str], None]) -> Callable[[PlayController, str], None]:
    """The same where there is nothing to scroll: the wheel does nothing."""

    def take(client: PlayController, key: str) -> None:
        if key not in WHEEL or isinstance(client.asked, MenuInput | ObjectsInput):
            other(client, key)

    return take


def _key(keys: tuple[str, ...], action: str, words: str, act: Callable[[PlayController], None]) -> Key[PlayController]:
    """A key that nobody can choose."""
    return Key("", keys, action, words, act)


_TO_END: Final = _key((" ", "enter"), "show-end", "goes on", PlayController.show_end)
_BACK: Final = _key(("r",), "go-back", "goes back", lambda client: client.seat.do(client.offer_way_back))
_LEAVE: Final = _key(("q", "escape"), "leave", "leaves", PlayController.quit)
_SHOWS_ONLY: Final = "the client's keys that show something, and `leave`"


def _ways(client: PlayController, *ways: Key[PlayController], replays: str) -> str:
    """The hints for a game that does not go on: the first thing to do, the replay, the others."""
    first, *others = [f"{key_label(way.keys[0])} {way.words}" for way in ways]
    return ", ".join((first, f"{client.keys.label('watch-again')} {replays}", *others))


def _lost(client: PlayController) -> str:
    ways = _ways(client, _BACK, _LEAVE, replays="replays it")
    return f"This game cannot continue. {ways}. {client.session.following.desync}"


def _over(client: PlayController) -> str:
    return f"The game is over: {client.session.log.header.state}. {_ways(client, _TO_END, _LEAVE, replays='replays')}"


MODES: Final[Modes[PlayController]] = Modes(
    Mode(
        "prefix",
        "the prefix was pressed, in a game that has keys of the client's",
        lambda client: client.prefixed,
        _after_prefix,
        "is the client's",
        fresh=False,
    ),
    Mode(
        "locked out",
        "another process keeps the log",
        lambda client: client.seat.waits,
        _keep,
        "is kept, and done as soon as the log is free",
        (_key(("escape",), "drop", "drops all that is kept", _drop_kept),),
        fresh=False,
    ),
    Mode("messages", "their list is shown", _top("messages"), _list, "`[keys.messages]`"),
    Mode(
        "more messages",
        "more was told than fits",
        lambda client: client.seat.heard.has_more,
        _turn_page,
        "shows the next ones",
        (_key(("escape",), "skip", "skips to the last ones", _skip_pages),),
        fresh=False,
    ),
    Mode("options", "their menu is shown", _top("options"), _choose, "`[keys.options]`"),
    Mode("ending", "the pages about a game that is over are shown", _top("ending"), _leaf_at_end, "`[keys.ending]`"),
    Mode("page", "the keys or a panel are shown", _top("page"), _leaf, "scrolls, or leaves the page"),
    Mode("look", "a cursor is on the map", _top("look"), _look, "moves it, or tells what is there"),
    Mode("question", "the client asks", _top("question"), _unless_rolled(_answer_client), "answers it"),
    Mode(
        "lost",
        "the engine cannot follow the log",
        lambda client: bool(client.session.following.desync),
        _unless_rolled(_show_only),
        _SHOWS_ONLY,
        (_BACK, _LEAVE),
        says=_lost,
    ),
    Mode(
        "over",
        "the game has ended",
        lambda client: client.session.following.over,
        _unless_rolled(_show_only),
        _SHOWS_ONLY,
        (_TO_END, _LEAVE),
        says=_over,
    ),
    Mode(
        "looking on",
        "the game asks another player",
        lambda client: client.seat.question is not None and client.seat.theirs,
        _unless_rolled(_look_on),
        f"{_SHOWS_ONLY}; `answer`",
    ),
    Mode(
        "prompt",
        "the game asks this player",
        lambda client: client.seat.question is not None,
        _unless_rolled(_answer),
        "answers it",
    ),
    Mode(
        "long command",
        "a command of many turns goes on",
        lambda client: client.seat.goes_on and client.session.game.incomplete,
        _unless_rolled(_interrupt),
        "interrupts it; `leave` leaves",
    ),
    Mode("game", "nothing above does", lambda client: True, _unless_rolled(_play), "`[keys.play]`, or the game's"),
)
"""What takes a key: the first row that holds."""
