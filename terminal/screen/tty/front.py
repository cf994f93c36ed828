"""A process in front of ours: what sshd started, and waits for, while one that was forked uses the terminal.

The lobby of a player took 32 MB, as each was an interpreter that had imported the client.  Forked from a service
(`nhlog.forked`) it shares most of that.  But sshd waits for the process that it started, the system sends the signals
of the terminal to that one, and neither can be handed on: a session has one terminal, for good.  So that process stays,
and becomes a program of 3 MB (`waiting`) which passes on signals and ends as the forked process does.

- It is the guardian of its terminal as well: when who uses it is killed, it gives it back.
- The forked process uses the terminal as the one that it is, but has none of its own: it is told of its size and its
  end by whoever is in front.  When *that* one is killed, the system sends it SIGHUP.
- Where somebody controls jobs at the terminal, as a shell does, there is none in front: who is stopped could not be
  seen to be.  Nor where no service forks; then the process that was started does all itself, as ever.

Rejected: a shell in place of the Python in front.  It would be 0.3 MB, but its `read` does not say whether a signal or
the end came, and a terminal that takes no more output would keep it for ever.
"""

import fcntl
import marshal
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import Final, NoReturn

from nhlog.files.processes import LAST_DESCRIPTOR
from nhlog.forked import forked
from terminal.screen.tty import waiting

__all__ = ["arrive", "channel", "end_with", "leave", "step_back"]

_STANDARD: Final = (0, 1, 2)
_PATIENCE: Final = 5.0  # seconds for the forked process to have the terminal
_UTF8: Final = "utf-8"

_front: Final[list[socket.socket]] = []
"""The channel to the process in front: there is at most one, as there is one standard input."""


def step_back(module: str, arguments: list[str]) -> None:
    """Have `main` of the module done in a process that is forked, and stand in front of it; then it does not return.

    It returns if that cannot be had.
    """
    if not _is_alone() or sys.getfilesystemencoding() != _UTF8:
        return
    connection = forked(module)
    if connection is None:
        return
    with connection:
        try:
            connection.settimeout(_PATIENCE)
            socket.send_fds(connection, [b"\0"], _STANDARD)
            connection.sendall(marshal.dumps(arguments))
            user = os.pidfd_open(int(connection.recv(16)))
        except (OSError, ValueError):  # it ended
            return
        connection.settimeout(None)
        _become_front(connection, user)


def _is_alone() -> bool:
    """Whether this is our terminal, and nobody controls jobs at it."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp() == os.getsid(0)
    except OSError:
        return False


def _become_front(connection: socket.socket, user: int) -> NoReturn:
    above = [fcntl.fcntl(file, fcntl.F_DUPFD, waiting.USER + 1) for file in (connection, user)]
    for number, file in zip((waiting.CHANNEL, waiting.USER), above, strict=True):
        os.dup2(file, number)
    os.closerange(waiting.USER + 1, LAST_DESCRIPTOR)
    with suppress(OSError):  # then it stands there as it is
        os.execv(sys.executable, [sys.executable, "-I", "-S", waiting.__file__, waiting.FRONT])
    os._exit(waiting.stand_in_front())


# in the process that was forked


def arrive() -> list[str]:
    """Have the terminal of who is in front, and be sent SIGHUP when that process ends; returns our arguments."""
    connection = socket.socket(fileno=os.dup(0))
    _, files, _, _ = socket.recv_fds(connection, 1, len(_STANDARD))
    with connection.makefile("rb") as words:
        arguments: list[str] = marshal.load(words)
    for own, file in zip(_STANDARD, files, strict=True):
        os.dup2(file, own)
        os.close(file)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    end_with(connection)
    connection.send(b"%d" % os.getpid())
    _front.append(connection)
    return arguments


def end_with(connection: socket.socket) -> None:
    """Be sent SIGHUP when the process that has the other side ends."""
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(connection, fcntl.F_SETSIG, signal.SIGHUP)
    fcntl.fcntl(connection, fcntl.F_SETFL, fcntl.fcntl(connection, fcntl.F_GETFL) | os.O_ASYNC)


def channel() -> int | None:
    """The descriptor by which who is in front is told something (see `waiting`); None if nobody is."""
    return _front[0].fileno() if _front else None


def leave(code: int) -> None:
    """Have the process in front end with this exit code, as ours does now."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with suppress(OSError):  # it is gone
        _front[0].sendall(marshal.dumps(code))
