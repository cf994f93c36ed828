"""The terminal itself: reads keys, and writes the differences between screens.  No other module touches it.

However the `with` block ends, the terminal is restored: modes, cursor, mouse, and the previous screen; a guardian does
that when the process is killed.  A frame is written whole, and only after the one before it has been sent: on a slow
line frames are dropped, never queued.  SIGINT, SIGTERM and SIGHUP end the process by an exception between two frames,
and so does too long a time without a key; SIGTSTP and SIGCONT are obeyed there, too; the signals of the log's handshake
are left alone.
"""

import io
import os
import select
import signal
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Final, Self, TypeVar

import blessed
from blessed.keyboard import get_keyboard_codes, get_keyboard_sequences, resolve_sequence

from nhlog.errors import BY_SIGNAL, Usage
from nhlog.progress import PULSE, SOON, listening
from nhlog.screen import Screen
from terminal.screen.encoding import speaks_utf8
from terminal.screen.keys import WHEEL, KeyTable
from terminal.screen.page import draw_waiting
from terminal.screen.painter import DEC_OFF, ECMA_MOVE, Painter, ecma_move
from terminal.screen.preferences import COLORS, USUAL, Appearance, Preferences
from terminal.screen.tty.device import Output, cbreak_modes, in_front, read_keys, set_modes, stop
from terminal.screen.tty.guardian import Guardian
from terminal.screen.tty.keyboard import BLESSED, Keyboard
from terminal.screen.tty.mouse import OFF, ON, Mouse, is_report

if TYPE_CHECKING:
    from terminal.screen.display import Changes

__all__ = ["Console", "Idle", "key_names", "known_terminal", "painter", "size_of"]

C = TypeVar("C")

INPUT: Final = 0
OUTPUT: Final = 1
ESCAPE_DELAY: Final = 0.1  # seconds in which the rest of an escape sequence follows its first character
FAREWELL: Final = 0.5  # seconds that a slow terminal gets for what is still on its way to it
MINUTE: Final = 60  # seconds
CANCEL: Final = b"\x18"  # ends an escape sequence that was cut off
USUAL_SIZE: Final = (80, 24)  # of a terminal that does not know its own
LARGEST: Final = (1000, 500)  # columns and rows that are drawn on: a client of ssh tells any number, for others to pay
_ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_NOTICED: Final = (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)


class Idle(SystemExit):
    """Nobody pressed a key for so many minutes; ends the process as a signal does, with exit code 0."""

    def __init__(self, minutes: float) -> None:
        super().__init__(0)
        self.told = f"ended after {minutes:g} minute{'' if minutes == 1 else 's'} without a key"


class Console:
    """The terminal of standard input and output; a context manager.  Raises :class:`Usage` if it cannot be drawn on.

    It ends the process, and says so, where the user prefers that after so long a time without a key.
    """

    def __init__(
        self,
        color: str = "auto",
        preferences: Preferences = USUAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not (os.isatty(INPUT) and os.isatty(OUTPUT)):
            raise Usage("not a terminal: `nhlog show FILE --at POSITION` prints a screen")
        if color == "auto" and os.environ.get("NO_COLOR"):
            color = "never"
        terminal = known_terminal(os.environ.get("TERM", ""))
        self._prefers = preferences
        self._painted = partial(painter, terminal, color, utf8=speaks_utf8())
        self._painter = self._painted(preferences=preferences)
        self._mouse = Mouse(self._target_at)
        self._key_name = key_names(terminal)
        self._keyboard = Keyboard(self._named)
        self._changes: Changes | None = None
        self._shown: Screen | None = None
        self._wanted: Screen | None = None  # what is under that which says how far it is
        self._signals: set[int] = set()
        self._guardian: Guardian | None = None  # as long as the terminal is ours
        self._clock = clock
        self._used = 0.0  # when somebody was last here
        self._due = 0.0  # when to tell what it is that takes so long
        self._exit = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._out = stack.enter_context(closing(Output(OUTPUT)))
            self._wake = stack.enter_context(_woken(self._signals.add))
            self._modes = termios.tcgetattr(INPUT)
            stack.callback(self._leave)
            self._enter()
            stack.enter_context(listening(self._wait))
            self._exit = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            for number in (signal.SIGINT, signal.SIGTSTP, *_ENDING):
                signal.signal(number, signal.SIG_IGN)  # nothing comes between us and the restored terminal
        finally:
            self._exit.close()
        if isinstance(error, Idle):
            print(error.told)

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and rows."""
        return size_of(self._out.fileno())

    def draw(self, screen: Screen) -> None:
        """Show `screen`; dropped while an earlier one is still being sent."""
        self._wanted = screen
        self._paint(screen)

    def _paint(self, screen: Screen) -> None:
        if self._out.waiting or screen is self._shown:
            return
        old = self._shown
        if old is not None and (old.width, old.height) != (screen.width, screen.height):
            old = None
        self._out.waiting += self._painter.paint(screen, old)
        self._shown = screen
        self._due = self._clock() + SOON
        self._out.send()

    def bound(self, table: KeyTable[C], /) -> KeyTable[C]:
        """The table with the keys that the user chose, and can press here."""
        chosen = self._prefers.tables.get(table.name, table)
        return chosen if self._painter.mouse else chosen.without(WHEEL)

    def dress(self, appearance: Appearance) -> None:
        """Show screens like this from now on, as far as the terminal goes."""
        if appearance != self._prefers.appearance:
            self._prefers = replace(self._prefers, appearance=appearance)
            self._painter = self._painted(preferences=self._prefers)
            self._shown = None

    @contextmanager
    def lent(self) -> Iterator[bytes]:
        """Leave the terminal to others meanwhile, with the keys that were typed ahead.

        Who ends the process there has no use for the screen any more.  They have a guardian of their own.
        """
        self._leave()
        try:
            yield self.typed_ahead()
        except Exception:
            self._enter()
            raise
        self._enter()

    def typed_ahead(self) -> bytes:
        """The keys that were typed and not taken yet, as they came; they are forgotten."""
        return self._keyboard.take()

    def listen(self, source: "Changes | None") -> None:
        """Make `keys` return early when there is a change, and pause `source` while stopped; None ends that."""
        self._changes = source

    def keys(self, timeout: float) -> Iterator[str]:
        """The names of the keys pressed; waits for one, for a signal or for `timeout` seconds.

        Those that are not taken from the iterator come first the next time.  Raises :class:`SystemExit` if the terminal
        is gone, or nobody pressed one for as long as is allowed.
        """
        poll = select.poll()
        poll.register(INPUT, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        if self._changes is not None:
            poll.register(self._changes.fileno(), select.POLLIN)
        if self._out.waiting:
            poll.register(self._out, select.POLLOUT)
        if self._keyboard.waits:
            timeout = ESCAPE_DELAY
        elif self._keyboard.ready:
            timeout = 0
        ready = dict(poll.poll(timeout * 1000))
        self._due = self._clock() + SOON
        if self._wake in ready:
            self._obey()
        if self._out.fileno() in ready:
            self._out.send()
        if INPUT in ready:
            self._used = self._clock()
            self._keyboard.feed(read_keys(INPUT))
            return self._keyboard
        minutes = self._prefers.idle_minutes
        if minutes is not None and self._clock() - self._used >= minutes * MINUTE:
            raise Idle(minutes)
        return iter(self._keyboard.flush()) if self._keyboard.waits and not ready else self._keyboard

    def _wait(self, doing: str, done: int, total: int) -> None:
        """Show how far that is which keeps us from the keys, and obey signals; keys stay where they are."""
        if self._clock() < self._due or (total and done >= total):
            return
        self._obey()
        self._out.send()
        self._paint(draw_waiting(self._wanted, *self.size, doing, done, total))
        self._due = self._clock() + PULSE

    def _named(self, sequence: str) -> str:
        return self._mouse.press(sequence) if is_report(sequence) else self._key_name(sequence)

    def _target_at(self, x: int, y: int) -> str:
        return "" if self._shown is None else self._shown.target_at(x, y)

    def _enter(self) -> None:
        self._guardian = Guardian(INPUT, self._modes, cbreak_modes(self._modes), CANCEL + self._painter.leave)
        set_modes(INPUT, cbreak_modes(self._modes))
        self._out.waiting[:] = self._painter.enter
        self._shown = None
        self._used = self._clock()
        self._due = self._used + SOON
        self._out.send()

    def _leave(self) -> None:
        """Restore the terminal, unless others use it just now."""
        guardian, self._guardian = self._guardian, None
        if guardian is not None:
            if in_front(INPUT):
                self._restore()
            guardian.dismiss()

    def _restore(self) -> None:
        """Restore the terminal; does not wait for one that is gone or does not accept output."""
        with suppress(OSError, SystemExit):
            self._out.drain(FAREWELL)
            self._out.waiting[:] = (CANCEL if self._out.waiting else b"") + self._painter.leave
            self._out.drain(FAREWELL)
        self._out.waiting.clear()
        with suppress(termios.error):
            termios.tcsetattr(INPUT, termios.TCSANOW, self._modes)

    def _obey(self) -> None:
        """Handle the signals that were received."""
        with suppress(BlockingIOError):
            os.read(self._wake, 4096)
        came = set(self._signals)
        self._signals -= came
        if signal.SIGINT in came:
            raise KeyboardInterrupt
        for number in came.intersection(_ENDING):
            raise SystemExit(BY_SIGNAL + number)
        if signal.SIGTSTP in came:
            self._leave()
            if self._changes is not None:
                self._changes.pause()
            stop()
            if self._changes is not None:
                self._changes.resume()
            self._enter()
            self._signals.discard(signal.SIGCONT)
        elif signal.SIGCONT in came:  # something else stopped us, and others used the terminal
            set_modes(INPUT, cbreak_modes(self._modes))
            self._used = self._clock()
            self._shown = None


def size_of(terminal: int) -> tuple[int, int]:
    """The current columns and rows of a terminal, as far as they are drawn on."""
    try:
        size = os.get_terminal_size(terminal)
    except OSError:
        return USUAL_SIZE
    return min(size.columns or USUAL_SIZE[0], LARGEST[0]), min(size.lines or USUAL_SIZE[1], LARGEST[1])


def known_terminal(kind: str) -> blessed.Terminal:
    """The capabilities of terminals of this `kind` (``TERM``); an unknown one is treated as an xterm.

    Unlike blessed, sends no queries to the terminal, as one that does not answer would block. Raises :class:`Usage` for
    a terminal that cannot be drawn on.
    """
    if not kind:
        raise Usage("TERM is not set: `nhlog show` prints a screen without a terminal")
    if kind == "dumb":
        raise Usage("terminal 'dumb' cannot move its cursor: `nhlog show` prints a screen without that")
    with _without("NO_COLOR"):  # blessed would not even move the cursor; colours are the painter's affair
        return blessed.Terminal(kind=kind, stream=io.StringIO(), force_styling=True, kind_fallback="xterm")


def painter(terminal: blessed.Terminal, color: str, *, utf8: bool, preferences: Preferences = USUAL) -> Painter:
    """The painter for a terminal; `color` is "auto" for the terminal's colours, "never", or "always" for at least 8.

    The appearance that is preferred has its way where that is "auto", and `utf8`.
    """
    look = preferences.appearance
    wished = COLORS[look.colors] if color == "auto" else COLORS["all"]
    normal, clear = str(terminal.normal), str(terminal.clear)
    dec = utf8 and look.symbols == "dec"
    mouse = preferences.mouse and bool(terminal.kmous)
    leave = (
        f"{DEC_OFF if dec else ''}{normal}{terminal.smam}{terminal.normal_cursor}{terminal.exit_fullscreen or clear}"
    )
    return Painter(
        enter=f"{terminal.enter_fullscreen}{terminal.hide_cursor}{terminal.rmam}".encode() + (ON if mouse else b""),
        leave=(OFF if mouse else b"") + leave.encode(),
        clear=f"{normal}{clear}".encode(),
        move=ecma_move if str(terminal.move) == ECMA_MOVE else terminal.move_yx,
        colors=0 if color == "never" else min(max(_colors(terminal), 8 if color == "always" else 0), wished),
        styled=normal.startswith("\x1b["),
        utf8=utf8 and look.symbols == "unicode",
        theme=preferences.theme,
        dec=dec,
        mouse=mouse,
    )


def key_names(terminal: blessed.Terminal) -> Callable[[str], str]:
    """A function from an escape sequence of this terminal to the name of its key; empty for an unused key."""
    sequences, codes = get_keyboard_sequences(terminal), get_keyboard_codes()

    def name(sequence: str) -> str:
        key = resolve_sequence(sequence, sequences, codes, final=True)
        return BLESSED.get(key.name or "", "") if key == sequence else ""

    return name


def _colors(terminal: blessed.Terminal) -> int:
    """The number of colours: 256, 16, 8 or 0."""
    return max(count for count in (0, 8, 16, 256) if count <= terminal.number_of_colors)


@contextmanager
def _without(variable: str) -> Iterator[None]:
    """The environment without a variable."""
    value = os.environ.pop(variable, None)
    try:
        yield
    finally:
        if value is not None:
            os.environ[variable] = value


@contextmanager
def _woken(notice: Callable[[int], None]) -> Iterator[int]:
    """Install the console's signal handlers; the descriptor becomes readable after a signal.

    Signals that the parent process had ignored stay ignored.  One that ends the process is only noticed, and obeyed
    between two frames: raised in the middle of a handshake it would leave another process without its answer.  Who
    sends it again does not want to wait for that.
    """
    noticed = set[int]()

    def end(number: int, frame: FrameType | None) -> None:
        if number in noticed:
            raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(BY_SIGNAL + number)
        noticed.add(number)
        notice(number)

    handlers = dict.fromkeys((signal.SIGINT, *_ENDING), end)
    handlers |= dict.fromkeys(_NOTICED, lambda number, frame: notice(number))
    with ExitStack() as stack:
        readable, writable = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        stack.callback(os.close, readable)
        stack.callback(os.close, writable)
        stack.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(writable, warn_on_full_buffer=False))
        for number, handler in handlers.items():
            before = signal.getsignal(number)
            stack.callback(signal.signal, number, before)
            signal.signal(number, before if before is signal.SIG_IGN else handler)
        yield readable
