"""The keys of the player: one table, which dispatches keys and from which the help is generated.

The meaning of a key depends only on the mode.
"""

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Final

from nhlog.errors import NhlogError
from nhlog.replay import Plottable, Status
from terminal.replay.look import move_cursor, told_by
from terminal.replay.player import Player
from terminal.replay.viewing import (
    Viewing,
    has_cameras,
    has_look,
    has_mail,
    has_plots,
    has_sides,
    has_space,
    has_turns,
    is_log,
    is_open,
    is_played,
    moves,
    zooms,
)
from terminal.screen.keys import SCROLLS, Bound, Key, KeyTable, about, as_they_are, edited
from terminal.views import LEGEND, View

if TYPE_CHECKING:
    from terminal.ending.ending import Ending
    from terminal.messages.history import History
    from terminal.plots.plotting import Plotting
    from terminal.settings.menu import OptionsMenu

__all__ = ["KEYS", "Controls", "Mode"]


class Mode(Enum):
    """How keys are interpreted: as commands, as text of a prompt, to scroll the help, or to move the look cursor."""

    COMMANDS = "commands"
    PROMPT = "prompt"
    HELP = "help"
    LOOK = "look"


class Controls(Viewing):
    """The input state of the replay client: a player, its view, and what is being typed.

    In command mode `typed` is the number before ``G`` or ``v``; in prompt mode it is the text and `asks` the prompt.
    `page` is the name of the panel shown over the view (empty for none), `page_row` and `help_row` are the first rows
    of that page and of the help, `history` is the list of messages while it is shown.  `cursor` is the position of the
    look cursor, in columns and rows from the hero.  `keys` are the keys of commands.  `ending` are the pages about a
    game that is over, `plotting` the plots of the recording, `options` is the menu of options, where they are shown.
    `done` tells the loop to leave.
    """

    def __init__(self, player: Player, view: View, bound: Bound = as_they_are) -> None:
        super().__init__(player, view)
        self.keys = bound(KEYS)
        self._bound = bound
        self.cursor = (0, 0)
        self.page = ""
        self.page_row = 0
        self.history: History | None = None
        self.mode = Mode.COMMANDS
        self.asks = ""
        self._then: Callable[[str], None] = self.player.go
        self.help_row = 0
        self.ending: Ending | None = None
        self.options: OptionsMenu | None = None
        self.plotting: Plotting | None = None
        self.done = False
        if is_log(self) and (label := self.keys.label("ending")):
            player.tells_more = f"{label} tells more"

    def press(self, key: str) -> None:
        """Handle the key with this name according to the mode; while one waits for something, it ends that."""
        if self.player.busy:
            self.player.give_up()
            return
        self.player.message = ""
        if self.options is not None:
            self.options.press(key)
            self.options = None if self.options.done else self.options
        elif self.history is not None:
            self.history = self.history.after(key)
        elif self.ending is not None:
            self._leaf_at_end(self.ending, key)
        elif self.plotting is not None:
            self._look_at_plots(self.plotting, key)
        else:
            _MODES[self.mode](self, key)

    def work(self) -> bool:
        """Do a piece of what takes long; returns False where nothing is left to be done."""
        if self.player.info.status is not Status.FINISHED:  # an end that was taken back is none
            self.ending = None
        if self.plotting is not None and self.plotting.last > self.player.timeline.last:
            self.plotting = None  # they are of what was taken back
        for pages in (self.history, self.ending, self.plotting):
            if pages is not None:
                return pages.work()
        return self.player.work()

    def ask(self, prompt: str, then: Callable[[str], None]) -> None:
        """Prompt for a line of text, which is passed to `then`."""
        self.mode, self.asks, self.typed, self._then = Mode.PROMPT, prompt, "", then

    def search(self, prompt: str, direction: int) -> None:
        """Prompt for a pattern, and search for it forwards (1) or backwards (-1)."""
        self.ask(prompt, lambda text: self.player.search(text, direction))

    def name_command(self) -> None:
        """Prompt for a command by its name: #rewind, or one of the game that takes no time."""
        self.ask("#", self.do)

    def write(self) -> None:
        """Prompt for a line that is written to who plays."""
        if self.player.write is None:
            self.player.message = "one writes to a player while one watches the game"
        else:
            self.ask("to the player: ", self._send)

    def _send(self, text: str) -> None:
        if self.player.write is not None and text.strip():
            try:
                self.player.write(text)
                self.player.message = f"sent: {text.strip()}"
            except NhlogError as error:
                self.player.message = error.what

    def do(self, command: str) -> None:
        """Do what the command of this name does; one of the game only tells something."""
        if command.strip() == "rewind":
            from terminal.replay.rewind_offer import ask_to_rewind  # brings all that writes with it

            ask_to_rewind(self.player, self.ask)
        else:
            self.player.message = told_by(self.player.replay, command.strip())

    def show_end(self) -> None:
        """Go to the end of a game that is over, and show the pages about it."""
        from nhlog.formats.nhgame.replay import LogReplay  # brings what games alone need
        from nhlog.session.replay import GameReplay
        from terminal.ending.ending import Ending

        replay = self.player.replay
        if not isinstance(replay, GameReplay | LogReplay):
            self.player.message = "this recording is of no game that ends with a score"
        elif self.player.info.status is not Status.FINISHED:
            self.player.message = "this game is not finished yet"
        else:
            self.player.seek(self.player.timeline.last)
            self.ending = Ending(replay, self.view, self._bound)

    def show_options(self) -> None:
        """Show the menu of options."""
        from terminal.settings.menu import OptionsMenu  # which few open

        try:
            self.options = OptionsMenu(bound=self._bound)
        except NhlogError as error:
            self.player.message = str(error)

    def _leaf_at_end(self, ending: "Ending", key: str) -> None:
        ending.press(key)
        if ending.wants_replay:
            self.player.start()
        if ending.wants_replay or ending.done:
            self.ending = None

    def show_plots(self) -> None:
        """Show the plots of the whole recording."""
        from terminal.plots.plotting import Plotting  # few look at them

        replay = self.player.replay
        if not isinstance(replay, Plottable):
            self.player.message = f"there are no plots of a {self.player.info.format}"
        else:
            self.plotting = Plotting(replay.plots(), self.player.step, self.player.timeline.last, self._bound)

    def _look_at_plots(self, plotting: "Plotting", key: str) -> None:
        plotting.press(key)
        if plotting.goes_to is not None:
            self.player.seek(plotting.goes_to)
        if plotting.goes_to is not None or plotting.done:
            self.plotting = None

    def go(self) -> None:
        """Go to the typed position."""
        self.player.go(self.typed)

    def turn(self) -> None:
        """Go to the turn with the typed number; without one, switch between turns and recorded time."""
        if self.typed:
            self.player.go(f"turn:{self.typed}")
        else:
            self.player.cycle_pace()

    def look(self, page: str) -> None:
        """Show a panel of the view by its name, or hide it if it is shown; there is always a legend."""
        if page not in self.view.panels and page != LEGEND:
            self.player.message = f"no {page} in this recording"
            return
        self.page, self.page_row = ("" if page == self.page else page), 0

    def list_messages(self) -> None:
        """Show all that the game told its player up to here."""
        from nhlog.replay import Telling
        from terminal.messages.history import History  # no first screen has it

        replay = self.player.replay
        self.history = History(replay.messages() if isinstance(replay, Telling) else iter(()), self._bound)

    def farlook(self) -> None:
        """Move a cursor over the map and describe the square under it."""
        if self.view.look:
            self.mode, self.cursor = Mode.LOOK, (0, 0)
        else:
            self.player.message = "there is no map in this recording"

    def scroll_page(self, rows: int) -> None:
        """Scroll the panel that is shown."""
        if not self.page:
            self.player.message = f"no page is shown: {self.keys.label(LEGEND)} shows one"
        self.page_row = max(self.page_row + rows, 0)

    def roll(self, direction: int) -> None:
        """Do what the wheel does, turned down (1) or up (-1): scroll the page, or zoom, or step where nothing zooms."""
        if self.page:
            self.scroll_page(3 * direction)
        elif zooms(self):
            self.zoom(-direction)
        else:
            self.player.step_by(direction)

    def help_words(self, key: Key["Controls"]) -> str:
        """What the help says of a key, in the words of the recording."""
        jump = "50 turns" if self.player.timeline.unit == "turn" else "10 min"
        return self.view.words.get(key.action, key.does).replace(_JUMP, jump)

    def help(self) -> None:
        """Show the keys."""
        self.mode, self.help_row = Mode.HELP, 0

    def quit(self) -> None:
        """Leave the recording."""
        self.done = True

    def _command(self, key: str) -> None:
        if key.isdecimal() or (self.typed and key in _IN_NUMBERS):
            self.typed += key
        elif self.typed and key == "backspace":
            self.typed = self.typed[:-1]
        elif row := self.keys.of(key):
            row.act(self)
            self._end_number()
        else:
            self._end_number()
            if key == "escape":
                self.page = ""
            elif step := about(key, "go"):
                self.player.seek(min(int(step), self.player.timeline.last))
            else:
                self.player.message = f"no such key: {self.keys.label('help')} lists the keys"

    def _end_number(self) -> None:
        if self.mode is Mode.COMMANDS:
            self.typed = ""

    def _edit(self, key: str) -> None:
        if key == "enter":
            self.mode, text = Mode.COMMANDS, self.typed
            self.typed = ""
            self._then(text)
            return
        typed = edited(self.typed, key)
        if typed is None:
            self.mode = Mode.COMMANDS
        self.typed = typed or ""

    def _look(self, key: str) -> None:
        moved = move_cursor(self.cursor, key)
        if moved is None:
            self.mode = Mode.COMMANDS
            if key != "escape" and self.view.look:
                self.player.message = self.view.look(self.player.replay, self.viewpoint, *self.cursor).text
        else:
            self.cursor = moved

    def _leaf(self, key: str) -> None:
        if key in SCROLLS:
            self.help_row = min(max(self.help_row + SCROLLS[key], 0), len(self.keys))
        else:
            self.mode = Mode.COMMANDS
            if clicked := about(key, "press"):
                self._command(clicked)


_JUMP: Final = "50 turns or 10 min"  # as the table has it; the help says which of them
_IN_NUMBERS: Final = ":%"  # with the digits, all that a place before G is made of
_MODES: Final = {
    Mode.COMMANDS: Controls._command,
    Mode.PROMPT: Controls._edit,
    Mode.HELP: Controls._leaf,
    Mode.LOOK: Controls._look,
}


def _panel(key: str, page: str) -> Key[Controls]:
    """The row of a key that shows a panel of the view."""
    return Key("Look", (key,), page, page, lambda c: c.look(page), lambda c: page in c.view.panels)


KEYS: Final[KeyTable[Controls]] = KeyTable(
    "replay",
    (
        Key("Play", (" ",), "pause", "play, pause", lambda c: c.player.toggle(), moves),
        Key("Play", ("r",), "reverse", "play backwards or forwards", lambda c: c.player.reverse(), moves),
        Key("Play", ("}",), "faster", "twice as fast", lambda c: c.player.scale_speed(2), moves),
        Key("Play", ("{",), "slower", "half as fast", lambda c: c.player.scale_speed(0.5), moves),
        Key("Play", ("=",), "recorded-speed", "recorded speed", lambda c: c.player.reset_speed(), moves),
        Key("Play", ("t",), "pace", "by turns or time, or 120{key}", Controls.turn, has_turns),
        Key("Play", ("l",), "idle", "idle: off, 2 s, logarithmic", lambda c: c.player.cycle_idle(), moves),
        Key("Play", ("F",), "follow", "follow a live recording", lambda c: c.player.follow(), is_open),
        Key("Move", (".",), "step-on", "one step forward", lambda c: c.player.step_by(1), moves),
        Key("Move", (",",), "step-back", "one step back", lambda c: c.player.step_by(-1), moves),
        Key("Move", ("right",), "5-seconds-on", "5 s forward", lambda c: c.player.skip(5), moves),
        Key("Move", ("left",), "5-seconds-back", "5 s back", lambda c: c.player.skip(-5), moves),
        Key("Move", ("up",), "minute-on", "1 min forward", lambda c: c.player.skip(60), moves),
        Key("Move", ("down",), "minute-back", "1 min back", lambda c: c.player.skip(-60), moves),
        Key("Move", ("page-down",), "50-turns-on", "50 turns or 10 min forward", lambda c: c.player.jump(1), moves),
        Key("Move", ("page-up",), "50-turns-back", "50 turns or 10 min back", lambda c: c.player.jump(-1), moves),
        Key("Move", ("shift-right",), "tenth-on", "10 % forward", lambda c: c.player.leap(1), moves),
        Key("Move", ("shift-left",), "tenth-back", "10 % back", lambda c: c.player.leap(-1), moves),
        Key("Go to", ("g", "home"), "start", "start", lambda c: c.player.start(), moves),
        Key("Go to", ("G", "end"), "end", "end, or 120{key} 1:30{key} 50%{key}", Controls.go, moves),
        Key("Go to", ("]",), "next-marker", "next marker", lambda c: c.player.to_marker(1), moves),
        Key("Go to", ("[",), "previous-marker", "previous marker", lambda c: c.player.to_marker(-1), moves),
        Key("Go to", ("m",), "mark", "mark this place", lambda c: c.player.add_marker(), moves),
        Key("Search", ("/",), "search", "search forward", lambda c: c.search("/", 1), moves),
        Key("Search", ("?",), "search-back", "search backwards", lambda c: c.search("?", -1), moves),
        Key("Search", ("n",), "search-again", "next match", lambda c: c.player.search_again(1), moves),
        Key("Search", ("N",), "search-other-way", "previous match", lambda c: c.player.search_again(-1), moves),
        _panel("i", "inventory"),
        Key("Look", ("ctrl-p",), "messages", "all messages", Controls.list_messages, is_played),
        _panel("ctrl-e", "ledger"),
        _panel("ctrl-x", "attributes"),
        _panel("ctrl-o", "overview"),
        _panel("\\", "discoveries"),
        Key("Look", ("ctrl-k",), LEGEND, "what the signs mean", lambda c: c.look(LEGEND)),
        Key("Look", (";",), "look", "what is on a square", Controls.farlook, has_look),
        Key("Look", (":",), "look-here", "what lies here", lambda c: c.do("look"), is_played),
        Key("Look", ("e",), "ending", "how the game ended", Controls.show_end, is_log),
        Key("Look", ("P",), "plots", "plots of the recording", Controls.show_plots, has_plots),
        Key("Look", (">",), "page-on", "scroll the page down", lambda c: c.scroll_page(10)),
        Key("Look", ("<",), "page-back", "scroll it up", lambda c: c.scroll_page(-10)),
        Key("Camera", ("tab",), "next-camera", "next camera or player", lambda c: c.next_camera(1), has_cameras),
        Key(
            "Camera",
            ("shift-tab",),
            "previous-camera",
            "previous camera or player",
            lambda c: c.next_camera(-1),
            has_cameras,
        ),
        Key("Camera", ("v",), "next-side", "next side or level, or 3{key}", Controls.next_side, has_sides),
        Key("Camera", ("+",), "zoom-in", "zoom in", lambda c: c.zoom(1), zooms),
        Key("Camera", ("-",), "zoom-out", "zoom out", lambda c: c.zoom(-1), zooms),
        Key("Camera", ("wheel-up",), "roll-up", "zoom in, or a step back", lambda c: c.roll(-1)),
        Key("Camera", ("wheel-down",), "roll-down", "zoom out, or a step forward", lambda c: c.roll(1)),
        Key("Camera", ("w",), "pan-up", "look up", lambda c: c.pan(0, -4), has_space),
        Key("Camera", ("s",), "pan-down", "look down", lambda c: c.pan(0, 4), has_space),
        Key("Camera", ("a",), "pan-left", "look left", lambda c: c.pan(-8, 0), has_space),
        Key("Camera", ("d",), "pan-right", "look right", lambda c: c.pan(8, 0), has_space),
        Key("Camera", ("c",), "centre", "centre, all in view", Controls.centre, has_space),
        Key("Screen", ("o",), "details", "details on or off", Controls.toggle_panel),
        Key("Screen", ("O",), "options", "options: colours, symbols", Controls.show_options),
        Key("Screen", ("M",), "write", "write to the player", Controls.write, has_mail),
        Key("Screen", ("#",), "command", "#rewind, #look", Controls.name_command, is_log),
        Key("Screen", ("h",), "help", "list the keys", Controls.help),
        Key("Screen", ("q",), "quit", "quit", Controls.quit),
    ),
    typed="0123456789",
)
