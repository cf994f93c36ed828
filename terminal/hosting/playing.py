"""How a player joins a game that is a program, and leaves it; between, the host uses the player's terminal directly.

A game that is already running is continued.  If it is being saved because its terminal was lost, the player waits.
"""

import json
import os
import pickle
import select
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from nhlog.beside.talk import MOST_TEXT, close_talk
from nhlog.config import GameProgram
from nhlog.errors import BY_SIGNAL, LockNotObtained, NhlogError, Usage
from nhlog.files import Stamp, reason, stamp_of
from nhlog.forked import begin
from nhlog.players import PlayerFolder
from nhlog.recorder import ENDING
from nhlog.recorder.exchange import LAST_WORDS
from nhlog.vt import USUAL_SIZE
from terminal.hosting.borrowed import borrowed, environment_of
from terminal.hosting.job import Job
from terminal.hosting.line import Line, sends_more
from terminal.hosting.mail import LOOK, Post
from terminal.hosting.mail import typed as typed_line
from terminal.hosting.messages import Called, Ended, Lent, lend, receive_said, return_terminal, send_mail, send_size
from terminal.hosting.places import Place, made
from terminal.input import Signals
from terminal.messages.others import FromOthers
from terminal.screen.console import ESCAPE_DELAY, MINUTE, Idle
from terminal.screen.display import Lender
from terminal.screen.keys import Key, KeyTable, key_code
from terminal.screen.tty.device import read_keys
from terminal.screen.tty.raw import RawTerminal

__all__ = ["PROGRAM_KEYS", "come", "play_program"]

_SAVING: Final = 3 * LAST_WORDS  # seconds for a game that is being saved
_AGAIN: Final = 0.05  # seconds between two looks whether it has been
_BACK: Final = b"\x1b[m\r\n[press any key to go back]"
_ON: Final = b"\r\n[press any key to go on]"
_KEYS: Final = 1 << 10  # bytes of what is pressed there


def play_program(
    display: Lender,
    game: GameProgram,
    folder: PlayerFolder,
    recordings: Path,
    everywhere: Sequence[Path],
    *,
    finished: Path | None = None,
    bones: Path | None = None,
    most_common: int | None = None,
    hears: Callable[[str | None], FromOthers] = FromOthers,
    idle_minutes: float | None = None,
) -> str:
    """Play the game on the terminal of `display`; returns a message for afterwards.

    It is recorded in the folder `recordings`; `everywhere` are all such folders, `finished` and `bones` those for what
    it leaves, and `most_common` is how much there is room for (see :class:`Job`).  `hears` gives what others say beside
    the recording in a file, if there is one.  Raises :class:`NhlogError` if it cannot be played, and
    :class:`SystemExit` if the player's terminal is gone, or nobody pressed a key for `idle_minutes`.
    """
    folder = made(game, folder)
    if game.size is not None and (display.size[0] < game.size.columns or display.size[1] < game.size.rows):
        has = "x".join(map(str, display.size))
        raise Usage(f"{game.title} needs a terminal of {game.size.columns}x{game.size.rows}, and yours has {has}")
    with borrowed(display, game.size) as (terminal, signals, typed):
        job = Job(
            program=game.for_player(folder.name, folder.home),
            folder=folder,
            recordings=recordings.absolute(),
            everywhere=tuple(path.absolute() for path in everywhere),
            finished=None if finished is None else finished.absolute(),
            bones=None if bones is None else bones.absolute(),
            most_common=most_common,
            size=terminal.first_size,
            modes=terminal.modes,
            environment=environment_of(folder),
        )
        with closing(come(job, lambda told: _show(told, terminal, signals, idle_minutes))) as connection:
            recording = Place(folder, game.name).recording
            watched = recording if game.walls.logs is None else None
            keys = display.bound(PROGRAM_KEYS)
            hint = f"{keys.label('talk')} answers" if keys.key("talk") else ""
            post = Post(watched, hears(watched), hint=hint)
            visit = _Visit(connection, terminal, signals, post, idle_minutes, recording)
            ended = visit.last(keys, typed)
            if watched and (ended.over or ended.code is not None):
                close_talk(watched)
        if ended.text:
            _await_key(_BACK, terminal, signals, idle_minutes)
    if ended.over:
        return f"{game.title}: {ended.over}"
    if ended.code:
        return f"{game.title} ended with exit code {ended.code}"
    return f"{game.title}: {ended.why}" if ended.why else f"{game.title} has ended"


def come(job: Job, show: Callable[[str], None] = lambda told: None) -> socket.socket:
    """Connect to the game's host, and start one if there is none; raises :class:`NhlogError`.

    `show` is given what the player should know before the game begins.
    """
    place = Place(job.folder, job.program.name)
    deadline = time.monotonic() + _SAVING
    while True:
        connection = place.connect()
        if connection is not None:
            return connection
        try:
            if told := _start(job):
                show(told)
        except LockNotObtained:
            if time.monotonic() > deadline:
                raise LockNotObtained("it is still being saved: try again in a moment") from None
            time.sleep(_AGAIN)


def _start(job: Job) -> str:
    """Start a host; returns what the player should know first.

    Raises :class:`NhlogError` if it cannot start, :class:`LockNotObtained` if there is one.
    """
    try:
        told = json.loads(begin("terminal.hosting.host", pickle.dumps(job)))
    except OSError as error:
        raise NhlogError(f"cannot start a process for the game: {reason(error)}") from None
    except ValueError:
        raise NhlogError("the process for the game ended unexpectedly") from None
    if "error" in told:
        kind = LockNotObtained if told["code"] == LockNotObtained.exit_code else NhlogError
        raise kind(told["error"])
    return str(told["told"])


class _Visit:
    """A player at a game: the host has the terminal, but for the time in which the player types a line.

    What the game draws meanwhile is in its `recording`: when that grows, the host draws the game beneath the line, as
    at another size of the terminal, and calls again.
    """

    def __init__(
        self,
        connection: socket.socket,
        terminal: RawTerminal,
        signals: Signals,
        post: Post,
        idle_minutes: float | None,
        recording: str | None,
    ) -> None:
        self._connection, self._terminal, self._signals = connection, terminal, signals
        self._post, self._idle_minutes, self._recording = post, idle_minutes, recording
        self._line: Line | None = None
        self._beneath: Stamp | None = None  # of the recording, as the game stands beneath the line

    @property
    def can_talk(self) -> bool:
        """Whether the player can say something to those who watch."""
        return self._post.is_answered

    def last(self, keys: KeyTable["_Visit"], typed: bytes) -> Ended:
        """Wait until the game ends or the player leaves; do what these keys are for, which the game never gets.

        `typed` was typed before.
        """
        kept = {code: row for row in keys for key in row.keys if row.fits(self) and (code := key_code(key)) is not None}
        terminal = self._terminal
        lend(self._connection, Lent(terminal.keyboard, terminal.screen, terminal.whole, typed, bytes(kept)))
        while True:
            ready = self._ready()
            if self._line is None and not ready:
                self._show_mail()
            if _obey(self._signals):
                self._look_again()
            if self._connection.fileno() in ready:
                said = receive_said(self._connection)
                if not isinstance(said, Called):
                    return said or Ended("the process that ran it was killed")
                kept[said.code].act(self)
                self._type(said.typed)
            elif self._line is not None and self._terminal.keyboard in ready:
                self._type(read_keys(self._terminal.keyboard))
            elif self._line is not None and not ready and self._line.waits:
                self._go_on(self._line.flush())
            elif self._line is not None and not ready:
                self._look_beneath()
            _check_idle(self._terminal, self._idle_minutes)

    def ask_to_talk(self) -> None:
        """Let the player type a line to those who watch, or go on with the one that was begun."""
        if self._line is None:
            self._line, self._beneath = Line("To all who watch: ", MOST_TEXT), self._stamp
        self._draw()

    @property
    def _stamp(self) -> Stamp | None:
        return None if self._recording is None else stamp_of(self._recording)

    def _ready(self) -> list[int]:
        sources = [self._connection.fileno(), self._signals.wake]
        patience = LOOK
        if self._line is not None:
            sources.append(self._terminal.keyboard)
            patience = ESCAPE_DELAY if self._line.waits else LOOK
        ready, _, _ = select.select(sources, [], [], patience)
        return ready

    def _show_mail(self) -> None:
        for mail in self._post.look():
            send_mail(self._connection, mail)

    def _look_again(self) -> None:
        """The terminal has another size, or was left to others meanwhile; a line is drawn when the host calls again."""
        self._terminal.go_on()
        send_size(self._connection, self._terminal.whole)

    def _look_beneath(self) -> None:
        """Have the game drawn again if it has written anything."""
        before, self._beneath = self._beneath, self._stamp
        if self._beneath != before:
            send_size(self._connection, self._terminal.whole)

    def _type(self, data: bytes) -> None:
        if self._line is not None:
            self._go_on(self._line.feed(data))

    def _go_on(self, typed: bytes | None) -> None:
        """Go on with the line, or with the game if it has ended, which gets what was typed after it."""
        if self._line is None or typed is None:
            self._draw()
            return
        line, self._line = self._line, None
        self._post.say(line.text)
        return_terminal(self._connection, typed)

    def _draw(self) -> None:
        self._terminal.show(typed_line(str(self._line), self._terminal.whole or USUAL_SIZE))


PROGRAM_KEYS: Final[KeyTable[_Visit]] = KeyTable(
    "program",
    (
        Key(
            "Program",
            ("ctrl-]",),
            "talk",
            "talk to those who watch",
            _Visit.ask_to_talk,
            lambda visit: visit.can_talk,
        ),
    ),
    against=sends_more,
    needed=(),
)
"""The keys that a program which is played as a game never gets."""


def _show(told: str, terminal: RawTerminal, signals: Signals, idle_minutes: float | None) -> None:
    """Tell the player something before the game begins."""
    _await_key(b"%s%s" % (told.encode(), _ON), terminal, signals, idle_minutes)


def _await_key(text: bytes, terminal: RawTerminal, signals: Signals, idle_minutes: float | None) -> None:
    """Wait until the player has read `text`, or what the program said last."""
    terminal.show(text)
    ready: list[int] = []
    while terminal.keyboard not in ready:
        ready, _, _ = select.select([terminal.keyboard, signals.wake], [], [], LOOK)
        _obey(signals)
        _check_idle(terminal, idle_minutes)
    with suppress(OSError):
        os.read(terminal.keyboard, _KEYS)


def _obey(signals: Signals) -> bool:
    """Handle signals, and return whether there were any; raises :class:`SystemExit` for one that ends the process."""
    came = signals.take()
    for number in came:
        if number in ENDING:
            raise SystemExit(BY_SIGNAL + number)
    return bool(came)


def _check_idle(terminal: RawTerminal, minutes: float | None) -> None:
    """Raise :class:`Idle` if nobody typed for so long, by the terminal's access time, because the host reads the keys.

    The system keeps that time with a precision of eight seconds.
    """
    if minutes is not None and time.time() - os.fstat(terminal.keyboard).st_atime >= minutes * MINUTE:
        raise Idle(minutes)
