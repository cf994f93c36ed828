"""Standard output as a person looks at it: how wide it is, whether it has colours, and page by page, as git shows it.

What is no terminal gets whole lines without colours, unless ``COLUMNS`` says how wide they may be.
"""

import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    import subprocess

__all__ = ["Pager", "colors", "paged", "pager_command", "width"]

_USUAL: Final = 80
_DUMB: Final = ("", "dumb")
_NONE: Final = ("", "cat")  # pagers that are none
_LESS: Final = {"LESS": "FRX", "LV": "-c"}  # as git: leave at once what fits, keep colours and what was shown


def width() -> int | None:
    """The columns of standard output; None where lines may be of any length."""
    told = os.environ.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and int(told):
        return int(told)
    if not sys.stdout.isatty():
        return None
    with suppress(OSError, ValueError, AttributeError):
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _USUAL  # type: ignore[union-attr]
    return _USUAL


def colors(stream: TextIO) -> int:
    """How many colours there are; 0 where there is to be none, and no other style."""
    plain = not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in _DUMB
    return 0 if plain else 256


class _Interrupted(BaseException):
    """The reader pressed ^C; no KeyboardInterrupt, after which Python may end by the signal although it was caught."""


class Pager(io.TextIOBase):
    """A terminal whose pages a program turns; it is started with the first that is written."""

    def __init__(self, command: str, terminal: TextIO) -> None:
        self._command, self._terminal = command, terminal
        self._process: subprocess.Popen[str] | None = None
        self._leaving = False
        self._before: Any = None

    @property
    def started(self) -> bool:
        """Whether there is something to be read in it."""
        return self._process is not None

    def isatty(self) -> bool:
        """What is written here is looked at."""
        return True

    def write(self, text: str) -> int:
        """Have this read; raises BrokenPipeError when the reader left."""
        return self._input().write(text)

    def flush(self) -> None:
        """Have all read that was written."""
        if self._process is not None:
            self._input().flush()

    def leave(self) -> None:
        """Wait until the reader leaves; an interrupt is the program's own affair."""
        if self._process is None:
            return
        import signal

        self._leaving = True
        with suppress(BrokenPipeError):
            self._input().close()
        self._process.wait()
        signal.signal(signal.SIGINT, self._before)

    def _interrupt(self, *_: object) -> None:
        if not self._leaving:
            self._leaving = True
            raise _Interrupted

    def _input(self) -> TextIO:
        if self._process is None:
            import signal
            import subprocess

            self._terminal.flush()
            self._before = signal.signal(signal.SIGINT, self._interrupt)
            self._process = subprocess.Popen(
                self._command,
                shell=True,
                stdin=subprocess.PIPE,
                env=_LESS | os.environ,
                encoding=self._terminal.encoding,
                errors="backslashreplace",
            )
        stream = self._process.stdin
        assert stream is not None  # it is a pipe
        return stream  # type: ignore[return-value]


class _Errors(io.TextIOBase):
    """Standard error: beside the pages, once there are some."""

    def __init__(self, pager: Pager, terminal: TextIO) -> None:
        self._pager, self._terminal = pager, terminal

    def isatty(self) -> bool:
        """Nothing is drawn over pages."""
        return not self._pager.started

    def write(self, text: str) -> int:
        """Tell this."""
        return (self._pager if self._pager.started else self._terminal).write(text)

    def flush(self) -> None:
        """Have it told."""
        (self._pager if self._pager.started else self._terminal).flush()


@contextmanager
def paged() -> Iterator[None]:
    """A context in which what is printed is read in a pager, if standard output is a terminal.

    It is left when the reader leaves, and by an interrupt; neither is an error.
    """
    command = pager_command()
    if command is None or not sys.stdout.isatty():
        yield
        return
    out, err = sys.stdout, sys.stderr
    pager = Pager(command, out)
    sys.stdout = pager
    if err.isatty():
        sys.stderr = _Errors(pager, err)
    try:
        yield
        pager.flush()
    except (BrokenPipeError, _Interrupted):
        pass
    finally:
        sys.stdout, sys.stderr = out, err
        pager.leave()


def pager_command(environment: Mapping[str, str] = os.environ) -> str | None:
    """The pager: ``NHLOG_PAGER``, ``PAGER``, or less; None where there is to be none, or it is not installed."""
    from shutil import which

    wanted = (environment[name] for name in ("NHLOG_PAGER", "PAGER") if name in environment)
    command = next(wanted, "less").strip()
    if command in _NONE or environment.get("TERM", "") in _DUMB:
        return None
    program = command.split()[0]
    return command if "=" in program or which(program) else None
