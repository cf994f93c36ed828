"""The loop of the play client: draw, wait for a key, pass it to the controller, and check the log regularly.

"Watch again" shows the same open log in the replay player.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from nhlog.errors import LogRecovered, NhlogError
from nhlog.files import Fate
from nhlog.screen import Screen
from terminal.ending.dumplog import write_dumplog
from terminal.ending.ending import Ending
from terminal.messages.history import History
from terminal.play.controller import MODES, PlayController
from terminal.play.drawing import draw_game, draw_trouble
from terminal.replay.controls import Controls
from terminal.replay.loop import REFRESH, show, work_on
from terminal.replay.motion import Motion
from terminal.replay.player import Player
from terminal.screen.display import Changes, Display
from terminal.settings.menu import OptionsMenu

__all__ = ["joined", "play"]


def play(
    display: Display,
    controller: PlayController,
    clock: Callable[[], float] = time.monotonic,
    changes: Changes | None = None,
) -> None:
    """Play until the user leaves.  Changes by others are shown at once with `changes`, else four times a second."""
    if changes:
        display.listen(changes)
    controller.enter()
    picture = _Picture(controller)
    fate = Fate.KEPT
    over = controller.session.following.over
    if over:
        controller.show_end()
    try:
        while not controller.done:
            fate = _told_fate(controller, fate)
            if controller.session.following.over and not over:
                over, controller.dumped = True, write_dumplog(controller.replay)
            _play_on(display, picture, clock, changes)
    finally:  # also where a signal or the end of the terminal ends the program
        controller.leave()
    if changes:
        display.listen(None)


class _Picture:
    """The screen of a game that is played, drawn anew only where it shows something else than before.

    `stirred` is whether it may do so although the controller has not changed, as after a key.
    """

    def __init__(self, controller: PlayController) -> None:
        self.controller = controller
        self.stirred = True
        self._screen = Screen(0, 0)
        self._shows: tuple[object, ...] = ()

    def now(self, width: int, height: int) -> Screen:
        """The current screen; if the log changed or cannot be read, a screen that says so."""
        self.controller.seat.heard.width = width
        shows = (width, height, *self.controller.seat.shown)
        if self.stirred or shows != self._shows:
            self.stirred = False
            self._screen, self._shows = self._drawn(width, height), shows
        return self._screen

    def _drawn(self, width: int, height: int) -> Screen:
        try:
            try:
                return draw_game(self.controller, width, height)
            except LogRecovered:
                self.controller.refresh()
                return draw_game(self.controller, width, height)
        except NhlogError as error:
            self.stirred = True  # it may pass at any time
            return draw_trouble(self.controller, error, width, height)


def _play_on(display: Display, picture: _Picture, clock: Callable[[], float], changes: Changes | None) -> None:
    """One frame, and the keys that come while it is shown."""
    controller = picture.controller
    controller.wait(clock())
    busy = controller.advance()
    ending = controller.opened.find(Ending)
    if ending is not None:
        worked, busy = work_on(ending.work, clock)
        picture.stirred = picture.stirred or worked
    if changes is None or changes.take():
        controller.refresh()
    picture.stirred = picture.stirred or controller.opened.find(History) is not None  # which is being read
    display.draw(picture.now(*display.size))
    for key in joined(controller, display.keys(0 if busy else REFRESH)):
        controller.press(key)
        picture.stirred = True
        if (options := controller.opened.find(OptionsMenu)) is not None:
            display.dress(options.appearance)
        if controller.seat.failed:
            deque(display.keys(0), maxlen=0)  # what was typed ahead was meant for another outcome
        if controller.seat.failed or controller.wants_replay or controller.done:
            break  # the other keys are for what comes then
    if controller.wants_replay:
        controller.wants_replay = False
        _watch_again(display, controller, clock, changes)


def joined(controller: PlayController, keys: Iterable[str]) -> Iterator[str]:
    """The keys that came at once, which are pressed one after the other.

    Escape and a character are one with Alt, as terminals send that, where the game has such a key and takes it now.
    """
    coming = iter(keys)
    key = next(coming, "")
    while key:
        after = next(coming, "") if key == "escape" else ""
        chord = f"alt-{after}"
        if chord in controller.bindings and MODES.of(controller).name == "game":
            key, after = chord, ""
        yield key
        key = after or next(coming, "")


def _told_fate(controller: PlayController, told: Fate) -> Fate:
    """Show what became of the game's name, if that is not `told` already; return it."""
    source = controller.seat.source
    if (fate := source.fate) is not told:
        controller.seat.message = source.fate_told
    return fate


def _watch_again(
    display: Display, controller: PlayController, clock: Callable[[], float], changes: Changes | None
) -> None:
    """Show the game in the replay player; q, or F at its end, returns to playing."""
    player = Player(controller.replay)
    controls = Controls(player, controller.view, display.bound)
    follow, leave = (controls.keys.label(action) for action in ("follow", "quit"))
    returns = f"{follow} or {leave} returns to the game"
    if controller.session.following.over:
        returns = f"{leave} returns to its end"
        player.start()
    player.message = f"watching again: {returns}"
    show(display, controls, lambda: controls.done or player.motion is Motion.FOLLOWING, clock, changes)
    controller.refresh()
