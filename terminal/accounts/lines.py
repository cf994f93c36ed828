"""Questions in a terminal, each answered by a line: bounded in length and in time, and without control characters.

The terminal's own line editing is used; what is not to be seen is not echoed.
"""

import os
import select
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from nhlog.errors import NhlogError

__all__ = ["ask", "ask_secret", "say"]

PATIENCE: Final = 120.0  # seconds for an answer
_LONGEST: Final = 4096  # bytes of a line, as the system has it


def say(text: str) -> None:
    """Show a line, of our own words or of what is known to be printable."""
    print(text, flush=True)


def ask(prompt: str) -> str:
    """The line that answers; empty for none, and where the terminal is gone.

    Raises :class:`NhlogError` if nobody answers, or with anything but text.
    """
    print(prompt, end="", flush=True)
    ready, _, _ = select.select([sys.stdin.fileno()], [], [], PATIENCE)
    if not ready:
        print()
        raise NhlogError("nobody answers")
    line = os.read(sys.stdin.fileno(), _LONGEST).decode(errors="replace").strip()
    if not line.isprintable():
        raise NhlogError("the answer has characters that cannot be shown")
    return line


def ask_secret(prompt: str) -> str:
    """The same; what is typed is not shown."""
    with _unseen():
        answer = ask(prompt)
    print(flush=True)
    return answer


@contextmanager
def _unseen() -> Iterator[None]:
    """A scope in which the terminal shows nothing of what is typed; what was typed before is dropped."""
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    quiet = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(fd, termios.TCSAFLUSH, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
