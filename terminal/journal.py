"""What nhlog does, line by line in a file or on standard error; imported only where somebody wants to know.

What is told: the command line, whatever libraries log, every error with its traceback, and, where more is wanted, each
file that is opened, process that is started and address that is asked.  While the terminal is drawn on, what belongs on
it waits.
"""

import logging
import platform
import sys
import termios
import threading
from typing import Final

import click

from nhlog.errors import Usage
from nhlog.files import naming
from nhlog.formats import is_recording
from terminal.text.words import printable

__all__ = ["begin", "tell_error"]

_TOLD: Final = ("open", "os.kill", "socket.connect", "subprocess.Popen")  # names of Python's audit events
_FORM: Final = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"
_LOG: Final = logging.getLogger("nhlog")
_BEGUN: Final = "nhlog.journal"  # where it goes, in the context's `meta`
_telling = threading.local()  # whether this thread tells of one: what that opens is not told
_open: Final[set[logging.Handler]] = set()  # where it goes now
_hooked: list[bool] = []  # whether the interpreter calls `_audit`, which it does from then on


class _Printable(logging.Formatter):
    """Lines without what may not reach a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, and those of a traceback."""
        return "\n".join(map(printable, super().format(record).split("\n")))


class _Aside(logging.Handler):
    """Writes to standard error when nothing is drawn there."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Write what waits, too."""
        self._waiting.append(self.format(record))
        if not _is_drawn_on():
            self.flush()

    def flush(self) -> None:
        """Write all that waits."""
        from terminal.output import print_lines

        waiting, self._waiting = self._waiting, []
        for text in waiting:
            print_lines(*text.split("\n"), err=True)

    def close(self) -> None:
        """Write what is left: the terminal is as it was."""
        self.flush()
        super().close()


def begin(context: click.Context, file: str | None, verbose: int) -> None:
    """Write the journal to this file, or to standard error, until the command is done; again for more of it."""
    root = logging.getLogger()
    level = logging.DEBUG if verbose + (file is not None) > 1 else logging.INFO
    if context.meta.get(_BEGUN) == file and _BEGUN in context.meta:
        root.setLevel(level)
        return
    context.meta[_BEGUN] = file
    handler: logging.Handler
    if file is None:
        handler = _Aside()
    elif is_recording(file):
        raise Usage("--log-file needs another file: this is a recording", file=file)
    else:
        with naming(file):
            handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
    handler.setFormatter(_Printable(_FORM))
    before = root.level
    root.addHandler(handler)
    _open.add(handler)
    root.setLevel(level)
    if not _hooked:
        _hooked.append(True)
        sys.addaudithook(_audit)

    def end() -> None:
        _LOG.info("ended")
        root.removeHandler(handler)
        _open.discard(handler)
        root.setLevel(before)
        handler.close()

    context.find_root().call_on_close(end)
    _LOG.info("Python %s, %s: %r", platform.python_version(), platform.platform(), sys.argv)


def tell_error(error: BaseException) -> None:
    """Tell where an error came from, if anybody listens."""
    if _open:
        _LOG.error("%s", error, exc_info=error)


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if event not in _TOLD or getattr(_telling, "here", False) or not _LOG.isEnabledFor(logging.DEBUG):
        return
    _telling.here = True
    try:
        _LOG.debug("%s %r", event, arguments[:2])
    finally:
        _telling.here = False


def _is_drawn_on() -> bool:
    """Whether standard error is a terminal that gives every key to a program."""
    try:
        return not termios.tcgetattr(2)[3] & termios.ICANON
    except termios.error:
        return False
