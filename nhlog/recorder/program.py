"""A program in a pseudo-terminal: it begins as after a login, and is told as by any terminal when that is gone.

It has a session and the terminal to itself, no descriptors but this terminal, and every signal at its default.
"""

import errno
import os
import shutil
import signal
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from nhlog.errors import BY_SIGNAL, NhlogError
from nhlog.files import reason
from nhlog.vt import Size

__all__ = ["CannotRun", "Modes", "Program", "find_program"]

Modes = list[Any]
"""A terminal's attributes, as `termios` has them."""

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126  # exit codes, as shells have them
_LAST_DESCRIPTOR: Final = (1 << 31) - 1
_INPUT_FLAGS: Final = 0
_UTF_8: Final = getattr(termios, "IUTF8", 0o40000)  # a character is erased whole; Python 3.11 has no name for it
_LOCAL_FLAGS: Final = 3


class CannotRun(NhlogError):
    """There is no such program (exit code 127, as of a shell)."""

    exit_code = _NOT_FOUND


def find_program(name: str, environment: Mapping[str, str]) -> str:
    """The path of a program; raises :class:`CannotRun`."""
    found = shutil.which(name, path=environment.get("PATH"))
    if found is None:
        raise CannotRun("there is no such program", file=name)
    return found


class Program:
    """A running program.

    `fd` is its terminal's other side: what it writes is read there, what is typed is written; it never blocks.  `size`
    is the terminal's now.
    `modes` are the terminal's at first, by default a new one's that takes UTF-8; `begin` is called in the new process,
    and gives it this terminal.  Raises :class:`CannotRun`.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        size: Size,
        modes: Modes | None = None,
        begin: Callable[[int], None] = os.login_tty,
    ) -> None:
        found = find_program(command[0], environment)
        # ours, too, stays open: so the program may close its own and open the terminal again
        self.fd, self._terminal = os.openpty()
        try:
            os.set_blocking(self.fd, False)
            termios.tcsetattr(self._terminal, termios.TCSANOW, modes or self._usual_modes())
            self.resize(size)
            self.pid = os.fork()
            if not self.pid:
                _become(found, command, environment, self._terminal, begin)
        except BaseException:
            self.hang_up()
            raise
        self._status: int | None = None

    def _usual_modes(self) -> Modes:
        modes: Modes = termios.tcgetattr(self._terminal)
        modes[_INPUT_FLAGS] |= _UTF_8
        return modes

    def resize(self, size: Size) -> None:
        """Give its terminal another size, of which the system tells it."""
        self.size = size
        termios.tcsetwinsize(self._terminal, (size.rows, size.columns))

    @property
    def echoes(self) -> bool:
        """Whether its terminal shows what is typed: not so while it asks for a password."""
        with suppress(termios.error):
            return bool(termios.tcgetattr(self._terminal)[_LOCAL_FLAGS] & termios.ECHO)
        return False

    @property
    def status(self) -> int | None:
        """Its exit status, 128 and the number for a signal; None while it runs."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self._status = code if code >= 0 else BY_SIGNAL - code
        return self._status

    def hang_up(self) -> None:
        """Take its terminal away: the system sends SIGHUP, as for every terminal; may be called again."""
        for fd in (self.fd, self._terminal):
            if fd >= 0:
                os.close(fd)
        self.fd = self._terminal = -1


def _become(
    path: str, command: Sequence[str], environment: Mapping[str, str], terminal: int, begin: Callable[[int], None]
) -> NoReturn:
    """Be the program, in a process that has just begun."""
    code = _NOT_FOUND
    try:
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(OSError, ValueError):  # the C library keeps some for itself
                signal.signal(number, signal.SIG_DFL)
        begin(terminal)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.closerange(3, _LAST_DESCRIPTOR)
        os.execve(path, [*command], dict(environment))
    except OSError as error:  # it is told where the program would have told something
        code = _NOT_FOUND if error.errno == errno.ENOENT else _NOT_EXECUTABLE
        os.write(2, os.fsencode(f"nhlog: {command[0]}: {reason(error)}\n"))
    finally:
        os._exit(code)
