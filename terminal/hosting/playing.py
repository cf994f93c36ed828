"""How a player comes to a game that is a program, and leaves it: the host has the terminal meanwhile, as it is.

A game that runs already is gone on with; one that is being saved, as its terminal was lost, is waited for.
"""

import json
import os
import pickle
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from nhlog.config import GameProgram
from nhlog.errors import LockNotObtained, NhlogError
from nhlog.files import reason
from nhlog.players import PlayerFolder
from nhlog.recorder import ENDING
from nhlog.recorder.relay import LAST_WORDS
from terminal.hosting.job import Job
from terminal.hosting.messages import Ended, lend, receive_end, send_size
from terminal.hosting.places import Place
from terminal.input import Signals, noted
from terminal.screen.display import Display
from terminal.screen.tty.raw import RawTerminal

__all__ = ["come", "play_program"]

_SAVING: Final = 3 * LAST_WORDS  # seconds for a game that is being saved
_AGAIN: Final = 0.05  # seconds between two looks whether it has been
_NOTICED: Final = (signal.SIGWINCH, signal.SIGCONT)
_BY_SIGNAL: Final = 128
_TOLD: Final = ("LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "TZ", "COLORTERM")
_HARMLESS: Final = re.compile(r"[A-Za-z0-9_.@+:,-]+")
_USUAL_TERMINAL: Final = "xterm-256color"
_USUAL_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_GAMES_PATH: Final = "/usr/local/games:/usr/games"
_NO_SHELL: Final = "/bin/false"
_CLEAR: Final = b"\x1b[H\x1b[2J"
_AS_BEFORE: Final = (
    b"\x18"  # whatever sequence was begun
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l"  # no mouse, focus or marked pastes
    b"\x1b[?1049l\x1b[!p\x1b>\x1b(B\x0f\x1b[m"  # the main screen, and all else as it is at first
)
"""What a terminal is sent that a program may have left in any state."""


def play_program(
    display: Display, game: GameProgram, folder: PlayerFolder, recordings: Path, everywhere: Sequence[Path]
) -> str:
    """Play the game on the terminal of `display`, and return what there is to say afterwards.

    It is recorded in the folder `recordings`; `everywhere` are all such folders.  Raises :class:`NhlogError` if it
    cannot be played, and :class:`SystemExit` if the player's terminal is gone.
    """
    with display.lent(), RawTerminal(game.size) as terminal, noted((*ENDING, *_NOTICED)) as signals:
        job = Job(
            program=game.for_player(folder.name, folder.home.absolute()),
            folder=PlayerFolder(folder.name, folder.path.absolute()),
            recordings=recordings.absolute(),
            everywhere=tuple(path.absolute() for path in everywhere),
            size=terminal.first_size,
            modes=terminal.modes,
            environment=_environment(folder),
        )
        with closing(come(job)) as connection:
            _write(terminal, _CLEAR)
            lend(connection, terminal.keyboard, terminal.screen, terminal.size)
            ended = _wait(connection, terminal, signals)
        _write(terminal, _AS_BEFORE)
    if ended.code:
        return f"{game.title} ended with exit code {ended.code}"
    return f"{game.title}: {ended.why}" if ended.why else f"{game.title} has ended"


def _environment(folder: PlayerFolder) -> dict[str, str]:
    """What a program is told: whose it is, and what the player's terminal is; nothing else of ours."""
    told = {name: os.environ[name] for name in _TOLD if _HARMLESS.fullmatch(os.environ.get(name, ""))}
    terminal = os.environ.get("TERM", "")
    return told | {
        "HOME": str(folder.home.absolute()),
        "LOGNAME": folder.name,
        "PATH": f"{os.environ.get('PATH', _USUAL_PATH)}:{_GAMES_PATH}",
        "SHELL": _NO_SHELL,
        "TERM": terminal if _HARMLESS.fullmatch(terminal) else _USUAL_TERMINAL,
        "USER": folder.name,
    }


def come(job: Job) -> socket.socket:
    """A connection to the game's host, which is started if there is none; raises :class:`NhlogError`."""
    job.folder.path.parent.mkdir(parents=True, exist_ok=True)
    job.folder.make()
    place = Place(job.folder, job.program.name)
    deadline = time.monotonic() + _SAVING
    while True:
        connection = place.connect()
        if connection is not None:
            return connection
        try:
            _start(job)
        except LockNotObtained:
            if time.monotonic() > deadline:
                raise LockNotObtained("it is still being saved: try again in a moment") from None
            time.sleep(_AGAIN)


def _start(job: Job) -> None:
    """Start a host; raises what speaks against it, :class:`LockNotObtained` if there is one."""
    try:
        started = subprocess.Popen(
            [sys.executable, "-P", "-m", "terminal.hosting.host"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,
        )
        said, _ = started.communicate(pickle.dumps(job))
        told = json.loads(said)
    except OSError as error:
        raise NhlogError(f"no process for the game: {reason(error)}") from None
    except ValueError:
        raise NhlogError("the process for the game broke down") from None
    if told:
        kind = LockNotObtained if told["code"] == LockNotObtained.exit_code else NhlogError
        raise kind(told["error"])


def _wait(connection: socket.socket, terminal: RawTerminal, signals: Signals) -> Ended:
    """Wait for the end of the game or of the player, and tell the host of the terminal's size meanwhile."""
    while True:
        ready, _, _ = select.select([connection.fileno(), signals.wake], [], [])
        for number in signals.take():
            if number in ENDING:
                raise SystemExit(_BY_SIGNAL + number)
            terminal.go_on()
            send_size(connection, terminal.size)
        if connection.fileno() in ready:
            return receive_end(connection) or Ended("the process that kept it was killed", None)


def _write(terminal: RawTerminal, data: bytes) -> None:
    with suppress(OSError):  # it is gone, or takes nothing
        os.write(terminal.screen, data)
