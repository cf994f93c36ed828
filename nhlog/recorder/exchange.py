"""Carries output from a program to its player's terminal, by way of the recording, and keys from there to the program.

Output is in the recording before it is shown.  The program is not read while the terminal is busy, nor the keyboard
while the program is busy: whoever writes faster than the other reads has to wait, as at any terminal.

The program gets SIGHUP, as if its terminal were gone, when the player's terminal is gone (unless the program is to go
on), when a signal ends the recorder, when nobody types for too long, and when the recording cannot be written: nothing
is played that is not recorded.
"""

import os
import re
import select
import signal
import time
from collections.abc import Callable
from typing import Final, Protocol

from nhlog.errors import BY_SIGNAL
from nhlog.recorder.program import Program, pixels_of
from nhlog.screencast import INPUT, OUTPUT, RESIZE
from nhlog.values import NamedTuple
from nhlog.vt import Size

__all__ = ["ENDING", "NOTICED", "Between", "Exchange", "Player", "Recorded", "Signals"]

# Where something else can be shown in what a program writes: not within a sequence of its terminal, or a character.

_ESCAPE: Final = b"\x1b"
_BEGUN: Final = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|[ -/]*)\Z")
_TEXT_BEGUN: Final = re.compile(rb"\x1b[PX^_\]][^\x07\x18\x1a]*\Z")
_CHARACTER_BEGUN: Final = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")
_LONGEST: Final = 256  # bytes of a sequence that is no text: what is longer is none


class Between:
    """Whether the output so far ends between two sequences."""

    def __init__(self) -> None:
        self._begun = b""

    def __bool__(self) -> bool:
        return not self._begun

    def feed(self, data: bytes) -> None:
        """Take in the next output."""
        data = self._begun + data
        begin = max(data.rfind(_ESCAPE), 0)
        if text := _TEXT_BEGUN.match(data, begin):
            self._begun = text[0][:2]
        elif begun := _BEGUN.match(data, begin) or _CHARACTER_BEGUN.search(data, max(len(data) - 3, 0)):
            self._begun = begun[0] if len(begun[0]) <= _LONGEST else b""
        else:
            self._begun = b""


MOST: Final = 1 << 16  # bytes of an event
LAST_WORDS: Final = 5.0  # seconds that a program gets to end when its terminal is gone
_MOST_LEFT: Final = 64  # reads of what a program leaves behind: others may go on writing to its terminal for ever
AWAY: Final = 0.01  # seconds between two looks whether a program has a terminal again
_THOUSAND: Final = 1000  # milliseconds
_LOST: Final = BY_SIGNAL + signal.SIGHUP

ENDING: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
"""The signals that end the recorder, and hang up the program."""
_IMPATIENT: Final = frozenset(ENDING) - {signal.SIGHUP}  # which comes of itself, too, where the terminal is gone
NOTICED: Final = (signal.SIGCHLD, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT)
"""The other signals that the recorder receives: the program ended, another size, stop, and go on."""


class Recorded(Protocol):
    """Where all goes that happens; :class:`nhlog.recorder.Recording` is one."""

    def add(self, code: str, data: bytes) -> None:
        """Add an event that happens now."""

    def finish(self, status: int | None) -> None:
        """Add how the program ended, if somebody can say."""


class Unrecorded:
    """No recording."""

    def add(self, code: str, data: bytes) -> None:
        """Keep nothing."""

    def finish(self, status: int | None) -> None:
        """Keep nothing."""


class Player(Protocol):
    """The terminal of who plays, in whose modes nothing is changed on its way.

    `screen` is the descriptor of what is shown, which does not block.
    """

    screen: int

    @property
    def keyboard(self) -> int | None:
        """The descriptor of what is typed; None as long as nothing of that is for the program."""
        ...

    @property
    def size(self) -> Size | None:
        """Its size; None if nobody can say, or the program has one of its own."""
        ...

    def stop(self) -> None:
        """Be stopped, as SIGTSTP asks; returns when the process goes on."""

    def go_on(self) -> None:
        """Take the terminal again: the process was stopped, and others may have used that."""


class Signals(Protocol):
    """The signals that came; `wake` is readable when there are some."""

    wake: int

    def take(self) -> list[int]:
        """Those that came since the last call."""
        ...


class _Unseen(NamedTuple):
    """Output that a terminal has not taken yet, and what is to be done when it has."""

    data: bytes = b""
    then: Callable[[], None] | None = None

    def __bool__(self) -> bool:
        return bool(self.data)


_ALL_SEEN: Final = _Unseen()


class Exchange:
    """Between a program and a `player`, who is None if nobody sits there; `typed` is whether keys are recorded, too.

    What is typed while the program's terminal does not echo is never recorded.  `lost` is called when the player's
    terminal is gone; by default that is the program's end, as it is when nobody typed for `idle_limit` seconds.
    `ended` is called when the program has ended, before the player is shown what it wrote last.
    """

    def __init__(
        self,
        program: Program,
        recording: Recorded,
        signals: Signals,
        player: Player | None,
        *,
        typed: bool = False,
        lost: Callable[[], None] | None = None,
        ended: Callable[[], None] = lambda: None,
        idle_limit: float | None = None,
    ) -> None:
        self._program, self._recording, self._signals, self._player = program, recording, signals, player
        self._typed = typed
        self._lost, self._ended = lost or self.end, ended
        self._idle_limit = idle_limit
        self._typed_at = time.monotonic()
        self.idle = False  # whether that was what ended it
        self._unseen = _ALL_SEEN
        self._unread = b""  # keys that the program has not
        self._between = Between()
        self._asides = b""  # what is to be shown besides
        self._code: int | None = None  # what ended the recorder before the program ended
        self._over = False  # whether it has ended by itself
        self._poll = select.poll()
        self._heeded: dict[int, Callable[[int], None]] = {}
        self._kept: tuple[re.Pattern[bytes], Callable[[int, bytes], None]] | None = None  # from the program

    def run(self) -> int:
        """Pass on until the program has ended, or something else ends it; returns the exit code for that.

        Raises :class:`~nhlog.files.CannotWrite` after the program was told that it is over.
        """
        try:
            self._pass_on()
            status = self._hang_up()
            self._recording.finish(status)
        finally:
            self._hang_up()
        return self._code if self._code is not None else status or 0

    def end(self) -> None:
        """Let it end as where the player's terminal is gone."""
        self._code = _LOST

    def sit_down(self, player: Player) -> None:
        """Let somebody play from now on, and nobody else."""
        self.stand_up()
        self._player = player
        self._await_keys()
        self.resize()

    def keep(self, keys: bytes, heed: Callable[[int, bytes], None]) -> None:
        """Let the program have none of these keys: `heed` is called with the one that is typed, and what follows it."""
        self._kept = (re.compile(b"[%s]" % re.escape(keys)), heed) if keys else None

    def stand_up(self) -> None:
        """Let nobody play, if somebody does; the program goes on."""
        if self._player is not None:
            for fd in (self._player.keyboard, self._player.screen):
                self.ignore(fd)
            self._player, self._unseen, self._asides = None, _ALL_SEEN, b""
            self._await_program()

    def heed(self, fd: int, what: int, heed: Callable[[int], None]) -> None:
        """Call `heed` when this can be done with the descriptor (see `select.poll`), until it is to be ignored."""
        self._heeded[fd] = heed
        self._poll.register(fd, what)

    def ignore(self, fd: int | None) -> None:
        """Heed the descriptor, if there is one, no more."""
        if fd in self._heeded:
            del self._heeded[fd]
            self._poll.unregister(fd)

    def _pass_on(self) -> None:
        self.heed(self._signals.wake, select.POLLIN, self._obey)
        self.heed(self._program.fd, select.POLLIN, self._take_turn)
        if self._player is not None:
            self._await_keys()
            self.resize()  # before we were told of it
        poll, heeded = self._poll.poll, self._heeded
        while self._code is None and (self._unseen or not self._over):
            ready = [(fd, what, heeded.get(fd)) for fd, what in poll(self._patience())]
            for fd, what, heed in ready:
                if heed is not None and heeded.get(fd) is heed:  # or what came before has ended that
                    heed(what)

    def _patience(self) -> float | None:
        """The milliseconds until it is too long that nobody typed; None for ever."""
        if self._idle_limit is None:
            return None
        left = self._typed_at + self._idle_limit - time.monotonic()
        if left <= 0:
            self.idle = True
            self.end()
        return max(left * _THOUSAND, 0)

    def _take_turn(self, what: int) -> None:
        """Take what the program writes, or let it have the rest of what was typed."""
        if what & select.POLLOUT:
            self.enter(b"")
        if what & ~select.POLLOUT and not self._unseen and self._take_output() is None:
            select.select([self._signals.wake], [], [], AWAY)  # it took its own terminal away, and may open it again

    def _take_output(self) -> int | None:
        """Record and show what the program wrote; returns how many bytes that were, None if it has no terminal."""
        try:
            data = os.read(self._program.fd, MOST)
        except BlockingIOError:
            return 0
        except OSError:
            return None
        self._recording.add(OUTPUT, data)
        self._between.feed(data)
        if self._player is not None:
            self.show(data)
            self._put_in()
        return len(data)

    def put_in(self, aside: bytes) -> None:
        """Show the player what is not the program's, as soon as no sequence of the program's is broken by it."""
        self._asides += aside
        self._put_in()

    def _put_in(self) -> None:
        if self._asides and self._between and self._player is not None:
            aside, self._asides = self._asides, b""
            self.show(aside)

    def show(self, data: bytes, then: Callable[[], None] | None = None) -> None:
        """Write as much to the player's terminal as it takes now.

        The rest is written when the terminal is ready again; until then the program is not read.  `then` is called when
        all of it is written; not if the player stands up before.
        """
        assert self._player is not None
        if self._unseen:
            data, then = self._unseen.data + data, then or self._unseen.then
        try:
            shown = os.write(self._player.screen, data)
        except BlockingIOError:
            shown = 0
        except OSError:
            self._lost()
            return
        left = data[shown:]
        before, self._unseen = bool(self._unseen), _Unseen(left, then) if left else _ALL_SEEN
        if before != bool(self._unseen):
            if before:
                self.ignore(self._player.screen)
            else:
                self.heed(self._player.screen, select.POLLOUT, lambda what: self.show(b""))
            self._await_program()
        if then is not None and not left:
            then()

    def _take_keys(self, what: int) -> None:
        assert self._player is not None
        assert self._player.keyboard is not None
        try:
            keys = os.read(self._player.keyboard, MOST)
        except BlockingIOError:
            return
        except OSError:
            keys = b""
        if not keys:
            self._lost()
            return
        self.press(keys)

    def press(self, keys: bytes) -> None:
        """Let the program have what was typed, as far as that is for it."""
        self._typed_at = time.monotonic()
        if self._typed and self._program.echoes:
            self._recording.add(INPUT, keys)
        kept = self._kept and self._kept[0].search(keys)
        self.enter(keys[: kept.start()] if kept else keys)
        if kept and self._kept:
            self._kept[1](kept[0][0], keys[kept.end() :])

    def enter(self, keys: bytes) -> None:
        """Let the program have the keys, as many as it takes now; for the rest it is waited, and who types with it."""
        keys = self._unread + keys
        try:
            typed = os.write(self._program.fd, keys)
        except BlockingIOError:
            typed = 0
        except OSError:  # nobody reads them
            typed = len(keys)
        before, self._unread = bool(self._unread), keys[typed:]
        if before != bool(self._unread):
            self._await_keys()
            self._await_program()

    def _await_keys(self) -> None:
        """Wait for the player to type, if the program takes it."""
        keyboard = None if self._player is None else self._player.keyboard
        if keyboard is None:
            return
        if self._unread:
            self.ignore(keyboard)
        else:
            self.heed(keyboard, select.POLLIN, self._take_keys)

    def _await_program(self) -> None:
        """Wait for the program to write or to read, each only if we can do something about it."""
        if self._program.fd in self._heeded:
            self._poll.modify(
                self._program.fd,
                (0 if self._unseen else select.POLLIN) | (select.POLLOUT if self._unread else 0),
            )

    def _obey(self, what: int) -> None:
        """Do what the signals ask for that came."""
        for number in self._signals.take():
            if number in ENDING:
                self._code = BY_SIGNAL + number
            elif self._player is not None and number != signal.SIGCHLD:
                if number == signal.SIGTSTP:
                    self._player.stop()
                elif number == signal.SIGCONT:
                    self._player.go_on()
                self.resize()
        if self._program.status is not None and not self._over:
            self._take_rest()

    def resize(self) -> None:
        """Give the program's terminal the size of the player's, if that is another one, also in pixels."""
        if self._player is None:
            return
        size = self._player.size or self._program.size
        if size != self._program.size:
            self._recording.add(RESIZE, b"%dx%d" % size)
        self._program.resize(size, pixels_of(self._player.screen, size))

    def _take_rest(self) -> None:
        """The program has ended: take what it wrote last, and nothing that is typed."""
        self._over = True
        self._ended()
        for fd in (self._program.fd, *([self._player.keyboard] if self._player else ())):
            self.ignore(fd)
        for _ in range(_MOST_LEFT):
            if not self._take_output():
                return

    def _hang_up(self) -> int | None:
        """Take the terminal from the program, and wait for its end; returns its status, None if it goes on."""
        self._program.hang_up()
        deadline = time.monotonic() + LAST_WORDS
        while (status := self._program.status) is None and (left := deadline - time.monotonic()) > 0:
            select.select([self._signals.wake], [], [], left)
            if set(self._signals.take()).intersection(_IMPATIENT):
                break
        return status
