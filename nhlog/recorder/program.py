"""A program in a pseudo-terminal: it begins as after a login, and gets SIGHUP when its terminal is gone.

It has a session and the terminal to itself, no descriptors but this terminal, and every signal at its default.  The
terminal is as large in pixels as that of who plays: programs that draw pictures (Sixel) reckon with it.
"""

import errno
import fcntl
import os
import shutil
import signal
import struct
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn

from nhlog.errors import BY_SIGNAL, NhlogError
from nhlog.files import reason
from nhlog.files.processes import LAST_DESCRIPTOR
from nhlog.vt import Size

__all__ = [
    "CannotRun",
    "Modes",
    "NotExecutable",
    "Program",
    "become",
    "exit_status",
    "find_program",
    "pixels_of",
]

Modes = list[Any]
"""A terminal's attributes, as `termios` has them."""

Pixels = tuple[int, int]
"""Width and height of a terminal; 0 where it does not tell them."""

_NOT_FOUND, _NOT_EXECUTABLE = 127, 126  # exit codes, as shells have them
_SHELL: Final = "/bin/sh"  # runs what does not say how it is run, as everywhere
_WINSIZE: Final = struct.Struct("4H")  # struct winsize: rows, columns, pixels
_MOST_PIXELS: Final = 0xFFFF
_INPUT_FLAGS: Final = 0
_UTF_8: Final = getattr(termios, "IUTF8", 0o40000)  # a character is erased whole; Python 3.11 has no name for it
_LOCAL_FLAGS: Final = 3


class CannotRun(NhlogError):
    """There is no such program (exit code 127, as of a shell)."""

    exit_code = _NOT_FOUND


class NotExecutable(CannotRun):
    """There is such a file, but it cannot be run (exit code 126, as of a shell)."""

    exit_code = _NOT_EXECUTABLE


def find_program(name: str, environment: Mapping[str, str]) -> str:
    """The path of a program; raises :class:`CannotRun`."""
    path = environment.get("PATH")
    found = shutil.which(name, path=path)
    if found is not None:
        return found
    if os.path.isdir(name) and os.path.dirname(name):
        raise NotExecutable("this is a folder", file=name)
    if shutil.which(name, mode=os.F_OK, path=path):
        raise NotExecutable("it may not be executed", file=name)
    raise CannotRun("there is no such program", file=name)


def pixels_of(terminal: int, size: Size) -> Pixels:
    """How large so many cells of a terminal are, as this descriptor of it tells."""
    try:
        rows, columns, *pixels = _WINSIZE.unpack(fcntl.ioctl(terminal, termios.TIOCGWINSZ, bytes(_WINSIZE.size)))
    except OSError:  # it is gone, or none
        return 0, 0
    if not rows or not columns:
        return 0, 0
    width, height = (whole * wanted // has for whole, wanted, has in zip(pixels, size, (columns, rows), strict=True))
    return min(width, _MOST_PIXELS), min(height, _MOST_PIXELS)


class Program:
    """A running program.

    `fd` is its terminal's other side: what it writes is read there, what is typed is written; it never blocks.  `size`
    is the terminal's now; `pixels` is that at first.
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
        pixels: Pixels = (0, 0),
    ) -> None:
        found = find_program(command[0], environment)
        self._given: tuple[Size, Pixels] | None = None  # the program may have changed it
        # ours, too, stays open: so the program may close its own and open the terminal again
        self.fd, self._terminal = os.openpty()
        try:
            os.set_blocking(self.fd, False)
            termios.tcsetattr(self._terminal, termios.TCSANOW, modes or self._usual_modes())
            self.resize(size, pixels)
            self.pid = os.fork()
            if not self.pid:
                become(found, command, environment, lambda: begin(self._terminal))
        except BaseException:
            self.hang_up()
            raise
        self._status: int | None = None

    def _usual_modes(self) -> Modes:
        modes: Modes = termios.tcgetattr(self._terminal)
        modes[_INPUT_FLAGS] |= _UTF_8
        return modes

    def resize(self, size: Size, pixels: Pixels) -> None:
        """Give its terminal this size, unless it has it from us; if it is another one, the system tells the program."""
        if self._given != (size, pixels):
            self.size, self._given = size, (size, pixels)
            fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, _WINSIZE.pack(size.rows, size.columns, *pixels))

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
                self._status = exit_status(status)
        return self._status

    def hang_up(self) -> None:
        """Take its terminal away: the system sends SIGHUP, as for every terminal; may be called again."""
        for fd in (self.fd, self._terminal):
            if fd >= 0:
                os.close(fd)
        self.fd = self._terminal = -1


def exit_status(status: int) -> int:
    """How a program ended that was waited for: its exit code, or 128 and the number of the signal."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else BY_SIGNAL - code


def become(path: str, command: Sequence[str], environment: Mapping[str, str], begin: Callable[[], None]) -> NoReturn:
    """Be the program, in a process that has just begun; `begin` gives it its standard files."""
    code = _NOT_FOUND
    try:
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            with suppress(OSError, ValueError):  # the C library keeps some for itself
                signal.signal(number, signal.SIG_DFL)
        begin()
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.closerange(3, LAST_DESCRIPTOR)
        _execute(path, command, environment)
    except OSError as error:  # it is told where the program would have told something
        code = _NOT_FOUND if error.errno == errno.ENOENT else _NOT_EXECUTABLE
        os.write(2, os.fsencode(f"nhlog: {command[0]}: {reason(error)}\n"))
    finally:
        os._exit(code)


def _execute(path: str, command: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    try:
        os.execve(path, [*command], dict(environment))
    except OSError as error:
        if error.errno != errno.ENOEXEC:
            raise
        os.execve(_SHELL, [_SHELL, path, *command[1:]], dict(environment))
