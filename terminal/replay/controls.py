"""The controls of the player of recordings: what is seen and from where, and what keys do, as tables.

The meaning of a key depends only on what is open (`MODES`; `terminal.screen.modes` says why tables) and on the number
that was typed before it.  A list or a page belongs to the recording as it was when it was opened: after a rewind,
`work` closes those that are no longer right.  A panel of the view is no mode: one plays on under it.  The help is made
from the table of keys (`KEYS`), without those that mean nothing for the recording; a message says why such a key does
nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final, cast

from nhlog.errors import NhlogError
from nhlog.replay import Plottable, Status
from terminal.replay.layout.rows import details_fit, details_need, layout_of
from terminal.replay.look import Look, told_by
from terminal.replay.player import Player
from terminal.screen.keys import SCROLLS, Bound, Key, KeyTable, about, as_they_are, begins_number, edited
from terminal.screen.modes import Mode, Modes, Stack
from terminal.views import LEGEND, View, Viewpoint

if TYPE_CHECKING:
    from terminal.ending.ending import Ending
    from terminal.messages.history import History
    from terminal.plots.plotting import Plotting

__all__ = ["KEYS", "MODES", "Controls", "Help", "Typing", "moves", "too_large", "zooms"]

_NO_SPACE: Final = "all of it is in view"
_JUMP: Final = "50 turns or 10 min"  # as the table has it; the help says which of them
_IN_NUMBERS: Final = ":%"  # with the digits, all that a place before G is made of


class Typing:
    """A line of text that is typed; `then` is called with it."""

    mode: ClassVar[str] = "text"

    def __init__(self, prompt: str, then: Callable[[str], None]) -> None:
        self.prompt = prompt
        self.then = then
        self.text = ""
        self.done = False

        self.entered = False
        """Whether the key that ended it was Enter."""

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        if key == "enter":
            self.done = self.entered = True
            return
        text = edited(self.text, key)
        self.done, self.text = text is None, text or ""


class Help:
    """The list of the keys, of which there are so many rows; any key that does not scroll it leaves it."""

    mode: ClassVar[str] = "help"

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self.row = 0
        self.done = False

        self.clicked = ""
        """The key of the row that was clicked, which left it."""

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        if key in SCROLLS:
            self.row = min(max(self.row + SCROLLS[key], 0), self._rows)
        else:
            self.done, self.clicked = True, about(key, "press")


class Controls:
    """A player, the view of its recording, and what was opened over it."""

    def __init__(self, player: Player, view: View, bound: Bound = as_they_are) -> None:
        self.player = player
        self.view = view
        self._bound = bound

        self.keys = bound(KEYS)
        """The keys where nothing is open."""

        self.opened = Stack()
        """What the user opened over the view."""

        self.size: tuple[int, int] = (80, 24)
        """The columns and rows of the screen."""

        self.viewpoint = Viewpoint()
        """From where the recording is seen."""

        self.panel = True
        """Whether details are shown beside the view."""

        self.page = ""
        """The panel that is shown over the view; empty for none."""

        self.page_row = 0
        """The first row of it that is shown."""

        self.typed = ""
        """The number that was typed before a key."""

        self.done = False
        """Tells the loop to leave."""

        if is_log(self) and (label := self.keys.label("ending")):
            player.tells_more = f"{label} tells more"

    @property
    def has_open(self) -> bool:
        """Whether there is anything that Esc closes, or ends."""
        return self.opened.top is not None or bool(self.page or self.typed) or self.player.seeker.busy

    def press(self, key: str) -> None:
        """Handle the key with this name."""
        mode = MODES.of(self)
        if mode.fresh:
            self.player.message = ""
        mode.take(self, key)

    def take(self, key: str) -> None:
        """Do what a key means under what was open."""
        MODES.of(self).take(self, key)

    def work(self) -> bool:
        """Go on with what takes long, for a moment; return False if nothing is left to be done."""
        if self.player.info.status is not Status.FINISHED:  # an end that was taken back is none
            self.opened.close("ending")
        pages = self.opened.top
        if self.opened.mode == "plots" and cast("Plotting", pages).last > self.player.timeline.last:
            self.opened.close("plots")  # they are of what was taken back
        elif self.opened.mode in _READ:
            return cast("History | Ending | Plotting", pages).work()
        return self.player.seeker.work()

    def ask(self, prompt: str, then: Callable[[str], None]) -> None:
        """Prompt for a line of text, which is passed to `then`."""
        self.typed = ""
        self.opened.open(Typing(prompt, then))

    def search(self, prompt: str, direction: int) -> None:
        """Prompt for a pattern, and search for it forwards (1) or backwards (-1)."""
        self.ask(prompt, lambda text: self.player.seeker.search(text, direction))

    def name_command(self) -> None:
        """Prompt for a command by its name: #rewind, or one of the game that takes no time."""
        self.ask("#", self.do)

    def write(self) -> None:
        """Prompt for a line that is written to the player."""
        self._ask_for_line("to the player: ", self.player.beside.write, "writing to players is turned off here")

    def talk(self) -> None:
        """Prompt for a line that is said to all who watch."""
        self._ask_for_line("to all: ", self.player.beside.say, "talk is turned off here")

    def _ask_for_line(self, prompt: str, write: Callable[[str], None] | None, off: str) -> None:
        if write is None:
            self.player.message = self.player.beside.closed or off
        else:
            self.ask(prompt, lambda text: self._write(write, text))

    def _write(self, write: Callable[[str], None], text: str) -> None:
        if text.strip():
            self.player.message = self.player.beside.send(write, text.strip())

    def toggle_talk(self) -> None:
        """Show the talk of those who watch, or hide it."""
        beside = self.player.beside
        beside.hidden = not beside.hidden
        self.player.message = "talk is hidden" if beside.hidden else "talk is shown"

    def do(self, command: str) -> None:
        """Do what the command of this name does; one of the game only shows its messages."""
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
            self.opened.open(Ending(replay, self.view, self._bound))

    def show_options(self) -> None:
        """Show the menu of options."""
        from terminal.settings.menu import OptionsMenu  # which few open

        try:
            self.opened.open(OptionsMenu(bound=self._bound))
        except NhlogError as error:
            self.player.message = str(error)

    def show_plots(self) -> None:
        """Show the plots of the whole recording."""
        try:
            from terminal.plots.plotting import Plotting  # a guest, at which few look
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith(("terminal.plots", "nhlog.plots")):
                raise
            self.player.message = "plots are not installed"
            return
        replay = self.player.replay
        if not isinstance(replay, Plottable):
            self.player.message = f"there are no plots of a {self.player.info.format}"
        else:
            self.opened.open(Plotting(replay.plots(), self.player.step, self.player.timeline.last, self._bound))

    def go(self) -> None:
        """Go to the typed position."""
        self.player.seeker.go(self.typed)

    def turn(self) -> None:
        """Go to the turn with the typed number; without one, switch between turns and recorded time."""
        if self.typed:
            self.player.seeker.go(f"turn:{self.typed}")
        elif has_turns(self):
            self.player.say(self.player.tempo.next_pace())
        else:
            self.player.message = f"{self.player.info.format} has no turns to play by"

    def look(self, page: str) -> None:
        """Show a panel of the view by its name, or hide it if it is shown; there is always a legend."""
        if page not in self.view.panels and page != LEGEND:
            self.player.message = f"no {page} in this recording"
            return
        self.page, self.page_row = ("" if page == self.page else page), 0

    def list_messages(self) -> None:
        """Show all messages of the game up to here."""
        from nhlog.replay import Telling
        from terminal.messages.history import History  # no first screen has it

        replay = self.player.replay
        self.opened.open(History(replay.messages() if isinstance(replay, Telling) else iter(()), self._bound))

    def farlook(self) -> None:
        """Move a cursor over the map and describe the square under it."""
        if self.view.look:
            self.opened.open(Look())
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
        self.opened.open(Help(len(self.keys)))

    def quit(self) -> None:
        """Leave the recording."""
        self.done = True

    def toggle_panel(self) -> None:
        """Show or hide the details, if there is room for them."""
        least = self.view.least(self.player.replay)
        if details_fit(least, self.size[0], layout_of(least, *self.size).drawn):
            self.panel = not self.panel
        else:
            columns, rows = details_need(least)
            self.player.message = f"no room for details: they need {columns} columns or {rows} rows"

    def next_camera(self, count: int) -> None:
        """Switch to the camera that is `count` further in the list."""
        cameras = self.view.cameras(self.player.replay)
        if sum(map(bool, cameras)) < 2:
            self.player.message = "there is nobody else to follow" if cameras else "this recording has only one view"
            return
        camera = self.viewpoint.camera + count
        while not cameras[camera % len(cameras)]:
            camera += 1 if count > 0 else -1
        self.viewpoint = replace(self.viewpoint, camera=camera % len(cameras), pan=(0, 0))
        self.player.message = f"following {cameras[self.viewpoint.camera]}"

    def next_side(self) -> None:
        """Show the next side or layer, or the one with the typed number."""
        sides = self.view.sides(self.player.replay)
        if len(sides) < 2:
            self.player.message = "this recording has one side only"
            return
        side = int(self.typed[-3:]) if self.typed.isdecimal() else self.viewpoint.side + 1
        self.viewpoint = replace(self.viewpoint, side=side % len(sides), pan=(0, 0))
        self.player.message = f"showing {sides[self.viewpoint.side]}"

    def zoom(self, steps: int) -> None:
        """Zoom in by this many steps, or out if negative, as far as the view goes."""
        farthest, nearest = self.view.zooms
        if not zooms(self):
            self.player.message = "this view has one size" if farthest == nearest else _NO_SPACE
            return
        zoom = min(max(self.viewpoint.zoom + steps, farthest), nearest)
        if zoom == self.viewpoint.zoom:
            self.player.message = "this is the nearest" if steps > 0 else "this is the farthest"
        self.viewpoint = replace(self.viewpoint, zoom=zoom)

    def pan(self, across: int, down: int) -> None:
        """Move the viewpoint by this many cells, no further than to the edge of a picture that has edges."""
        if not has_space(self):
            self.player.message = _NO_SPACE
            return
        replay, columns, rows = self.player.replay, self.size[0], layout_of((0, 0), *self.size).rows
        if (corner := self.view.corner) is not None:
            left, top = corner(replay, columns, rows, self.viewpoint)
            wanted = replace(self.viewpoint, corner=(left + across, top + down))
            self.viewpoint = replace(wanted, corner=corner(replay, columns, rows, wanted))
        else:
            (x, y), least = self.viewpoint.pan, self.view.least(replay)
            pan = _within(x + across, least[0], columns), _within(y + down, least[1], rows)
            self.viewpoint = replace(self.viewpoint, pan=pan)

    def centre(self) -> None:
        """Reset zoom and pan."""
        if not has_space(self):
            self.player.message = _NO_SPACE
        self.viewpoint = replace(self.viewpoint, zoom=0, pan=(0, 0), corner=None)


def _within(pan: int, size: int, room: int) -> int:
    """How far the picture is moved from its middle: no further than to its edge, if it has a size."""
    most = max(size - room, 0)
    return min(max(pan, -most), most) if size else pan


def moves(shown: Controls) -> bool:
    """Whether it has, or may come to have, more than one step."""
    return shown.player.timeline.last > 0 or is_open(shown)


def is_open(shown: Controls) -> bool:
    """Whether more of it may come."""
    return shown.player.info.status is not Status.FINISHED


def has_turns(shown: Controls) -> bool:
    """Whether it is played by turns."""
    return shown.player.timeline.unit == "turn"


def is_log(shown: Controls) -> bool:
    """Whether it is the log of a game."""
    return "engine" in shown.player.info.metadata


def is_played(shown: Controls) -> bool:
    """Whether an engine answers for the game."""
    return is_log(shown) and hasattr(shown.player.replay, "look")


def has_look(shown: Controls) -> bool:
    """Whether there is a map with squares."""
    return shown.view.look is not None


def has_mail(shown: Controls) -> bool:
    """Whether one can write to its player."""
    return shown.player.beside.write is not None


def has_voice(shown: Controls) -> bool:
    """Whether one can talk to those who watch it."""
    return shown.player.beside.say is not None


def has_talk(shown: Controls) -> bool:
    """Whether somebody has said something, or may do so."""
    return has_voice(shown) or not shown.player.beside.is_empty


def has_plots(shown: Controls) -> bool:
    """Whether there are plots of the whole of it."""
    return isinstance(shown.player.replay, Plottable)


def has_cameras(shown: Controls) -> bool:
    """Whether there are several cameras to choose from."""
    return len(shown.view.cameras(shown.player.replay)) > 1


def has_sides(shown: Controls) -> bool:
    """Whether it has several sides, layers or levels."""
    return len(shown.view.sides(shown.player.replay)) > 1


def zooms(shown: Controls) -> bool:
    """Whether one can go nearer or farther."""
    return shown.view.zooms != (0, 0) and _is_part(shown)


def has_space(shown: Controls) -> bool:
    """Whether there is more around the part that is shown."""
    return zooms(shown) or (has_look(shown) and _is_part(shown))


def too_large(shown: Controls) -> tuple[int, int] | None:
    """The columns and rows of a picture that is larger than the screen; None for one that is not, or is of no size."""
    columns, rows = shown.view.least(shown.player.replay)
    return (columns, rows) if shown.size[0] < columns or shown.size[1] < rows else None


def _is_part(shown: Controls) -> bool:
    """Whether the view shows a part of something: of a world, or of a picture that is larger than the screen."""
    return shown.view.least(shown.player.replay) == (0, 0) or too_large(shown) is not None


# the modes: what keys do in each of them


def _top(mode: str) -> Callable[[Controls], bool]:
    return lambda controls: controls.opened.mode == mode


def _give_up(controls: Controls, key: str) -> None:
    controls.player.seeker.give_up()


def _press(controls: Controls, key: str) -> None:
    top = controls.opened.top
    assert top is not None
    controls.opened.press(type(top), key)


def _leaf_at_end(controls: Controls, key: str) -> None:
    from terminal.ending.ending import Ending  # which was brought when they were opened

    if controls.opened.press(Ending, key).wants_replay:
        controls.opened.close(Ending.mode)
        controls.player.start()


def _look_at_plots(controls: Controls, key: str) -> None:
    from terminal.plots.plotting import Plotting  # which was brought when they were opened

    step = controls.opened.press(Plotting, key).goes_to
    if step is not None:
        controls.opened.close(Plotting.mode)
        controls.player.seek(step)


def _type(controls: Controls, key: str) -> None:
    typing = controls.opened.press(Typing, key)
    if typing.entered:
        typing.then(typing.text)


def _leaf(controls: Controls, key: str) -> None:
    shown = controls.opened.press(Help, key)
    if shown.clicked:
        controls.take(shown.clicked)


def _look(controls: Controls, key: str) -> None:
    look = controls.opened.press(Look, key)
    if look.chosen and controls.view.look:
        controls.player.message = controls.view.look(controls.player.replay, controls.viewpoint, *look.cursor).text


def _command(controls: Controls, key: str) -> None:
    if key.isdecimal() or (controls.typed and key in _IN_NUMBERS):
        controls.typed += key
    elif controls.typed and key == "backspace":
        controls.typed = controls.typed[:-1]
    elif row := controls.keys.of(key):
        row.act(controls)
        controls.typed = ""
    else:
        controls.typed = ""
        if key == "escape":
            controls.page = ""
        elif step := about(key, "go"):
            controls.player.seek(min(int(step), controls.player.timeline.last))
        else:
            controls.player.message = f"no such key: {controls.keys.label('help')} lists the keys"


MODES: Final[Modes[Controls]] = Modes(
    Mode(
        "busy",
        "something is looked for",
        lambda controls: controls.player.seeker.busy,
        _give_up,
        "ends that",
        fresh=False,
    ),
    Mode("options", "their menu is shown", _top("options"), _press, "`[keys.options]`"),
    Mode("messages", "their list is shown", _top("messages"), _press, "`[keys.messages]`"),
    Mode("ending", "the pages about a game that is over are shown", _top("ending"), _leaf_at_end, "`[keys.ending]`"),
    Mode("plots", "they are shown", _top("plots"), _look_at_plots, "`[keys.plots]`"),
    Mode("text", "a line is typed", _top("text"), _type, "is typed; Enter ends it, Esc drops it"),
    Mode("help", "the keys are shown", _top("help"), _leaf, "scrolls, or leaves the help"),
    Mode("look", "a cursor is on the map", _top("look"), _look, "moves it, or tells what is there"),
    Mode("recording", "nothing above does", lambda controls: True, _command, "`[keys.replay]`"),
)
"""What takes a key: the first row that holds."""

_READ: Final = ("messages", "ending", "plots")  # what is read piece by piece while it is shown


def _panel(key: str, page: str) -> Key[Controls]:
    """The row of a key that shows a panel of the view."""
    return Key("Look", (key,), page, page, lambda c: c.look(page), lambda c: page in c.view.panels)


KEYS: Final[KeyTable[Controls]] = KeyTable(
    "replay",
    (
        Key("Play", (" ",), "pause", "play, pause", lambda c: c.player.toggle(), moves),
        Key(
            "Play",
            ("r",),
            "reverse",
            "play backwards or forwards",
            lambda c: c.player.say(c.player.tempo.reverse()),
            moves,
        ),
        Key(
            "Play",
            ("}",),
            "faster",
            "twice as fast",
            lambda c: c.player.say(c.player.tempo.play_at(c.player.tempo.speed * 2)),
            moves,
        ),
        Key(
            "Play",
            ("{",),
            "slower",
            "half as fast",
            lambda c: c.player.say(c.player.tempo.play_at(c.player.tempo.speed / 2)),
            moves,
        ),
        Key(
            "Play", ("=",), "recorded-speed", "recorded speed", lambda c: c.player.say(c.player.tempo.play_at(1)), moves
        ),
        Key("Play", ("t",), "pace", "by turns or time, or 120{key}", Controls.turn, has_turns),
        Key(
            "Play",
            ("l",),
            "idle",
            "idle: off, 2 s, logarithmic",
            lambda c: c.player.say(c.player.tempo.next_idle()),
            moves,
        ),
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
        Key("Search", ("n",), "search-again", "next match", lambda c: c.player.seeker.search_again(1), moves),
        Key("Search", ("N",), "search-other-way", "previous match", lambda c: c.player.seeker.search_again(-1), moves),
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
        Key("Screen", ("T",), "talk", "talk to all who watch", Controls.talk, has_voice),
        Key("Screen", ("H",), "hide-talk", "show or hide the talk", Controls.toggle_talk, has_talk),
        Key("Screen", ("#",), "command", "#rewind, #look", Controls.name_command, is_log),
        Key("Screen", ("h",), "help", "list the keys", Controls.help),
        Key("Screen", ("q",), "quit", "quit", Controls.quit),
    ),
    against=begins_number,
)
