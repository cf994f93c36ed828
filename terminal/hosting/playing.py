"""How a player joins a game that is a program, and leaves it; between, the host uses the player's terminal directly.

A game that is already running is continued.  If it is being saved because its terminal was lost, the player waits.
"""

import json
import os
import pickle
import select
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from nhlog.beside.talk import close_talk
from nhlog.config import GameProgram
from nhlog.errors import BY_SIGNAL, LockNotObtained, NhlogError, Usage
from nhlog.files import reason
from nhlog.files.processes import python_command, python_environment
from nhlog.players import PlayerFolder
from nhlog.recorder import ENDING
from nhlog.recorder.exchange import LAST_WORDS
from terminal.hosting.borrowed import borrowed, environment_of
from terminal.hosting.job import Job
from terminal.hosting.mail import LOOK, Post
from terminal.hosting.messages import Ended, Lent, lend, receive_end, send_mail, send_size
from terminal.hosting.places import Place, made
from terminal.input import Signals
from terminal.messages.others import FromOthers
from terminal.screen.console import MINUTE, Idle
from terminal.screen.display import Display
from terminal.screen.tty.raw import RawTerminal

__all__ = ["come", "play_program"]

_SAVING: Final = 3 * LAST_WORDS  # seconds for a game that is being saved
_AGAIN: Final = 0.05  # seconds between two looks whether it has been
_BACK: Final = b"\x1b[m\r\n[press any key to go back]"
_ON: Final = b"\r\n[press any key to go on]"
_KEYS: Final = 1 << 10  # bytes of what is pressed there


def play_program(
    display: Display,
    game: GameProgram,
    folder: PlayerFolder,
    recordings: Path,
    everywhere: Sequence[Path],
    *,
    finished: Path | None = None,
    bones: Path | None = None,
    hears: Callable[[str | None], FromOthers] = FromOthers,
    idle_minutes: float | None = None,
) -> str:
    """Play the game on the terminal of `display`; returns a message for afterwards.

    It is recorded in the folder `recordings`; `everywhere` are all such folders, `finished` and `bones` those for what
    it leaves (see :class:`Job`).  `hears` gives what others say beside the recording in a file, if there is one.
    Raises :class:`NhlogError` if it cannot be played, and :class:`SystemExit` if the player's terminal is gone, or
    nobody pressed a key for `idle_minutes`.
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
            size=terminal.first_size,
            modes=terminal.modes,
            environment=environment_of(folder),
        )
        with closing(come(job, lambda told: _show(told, terminal, signals, idle_minutes))) as connection:
            lend(connection, Lent(terminal.keyboard, terminal.screen, terminal.whole, typed))
            recording = Place(folder, game.name).recording
            watched = recording if game.walls.logs is None else None
            post = Post(watched, hears(watched)) if recording else None
            ended = _wait(connection, terminal, signals, post, idle_minutes)
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
        started = subprocess.Popen(
            python_command("-m", "terminal.hosting.host"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=python_environment(),
            start_new_session=True,
        )
        said, _ = started.communicate(pickle.dumps(job))
        told = json.loads(said)
    except OSError as error:
        raise NhlogError(f"cannot start a process for the game: {reason(error)}") from None
    except ValueError:
        raise NhlogError("the process for the game ended unexpectedly") from None
    if "error" in told:
        kind = LockNotObtained if told["code"] == LockNotObtained.exit_code else NhlogError
        raise kind(told["error"])
    return str(told["told"])


def _wait(
    connection: socket.socket, terminal: RawTerminal, signals: Signals, post: Post | None, idle_minutes: float | None
) -> Ended:
    """Wait until the game ends or the player leaves; send the terminal's size and mail to the host meanwhile."""
    while True:
        ready, _, _ = select.select([connection.fileno(), signals.wake], [], [], LOOK)
        for mail in post.look() if post is not None and not ready else ():
            send_mail(connection, mail)
        if _obey(signals):
            terminal.go_on()
            send_size(connection, terminal.whole)
        if connection.fileno() in ready:
            return receive_end(connection) or Ended("the process that ran it was killed")
        _check_idle(terminal, idle_minutes)


def _show(told: str, terminal: RawTerminal, signals: Signals, idle_minutes: float | None) -> None:
    """Tell the player something before the game begins."""
    _await_key(b"%s%s" % (told.encode(), _ON), terminal, signals, idle_minutes)


def _await_key(text: bytes, terminal: RawTerminal, signals: Signals, idle_minutes: float | None) -> None:
    """Wait until the player has read `text`, or what the program said last."""
    with suppress(OSError):  # it is gone, or takes nothing
        os.write(terminal.screen, text)
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
