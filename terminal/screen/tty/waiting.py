"""What a guardian does once it is a program of its own: ``python -I -S waiting.py`` (see `guardian`).

It is run as a file, by a Python with nothing in it, and stays as long as who is guarded: so it must import nothing but
what is built in.
"""

import os
import termios

__all__ = ["DISMISSED", "LEFT", "OURS", "wait"]

OURS, LEFT, DISMISSED = b"+", b"-", b"!"
"""What is sent to the guardian."""


def wait(name: str, modes: list[object], ours: list[object], farewell: bytes) -> None:
    """Wait until we are dismissed, or nobody is left who could do that; then give the terminal back.

    What is told comes by descriptor 0, and 1 is the terminal, which has this name.
    """
    last = _last_told()
    if last != DISMISSED:
        _say(name, farewell if last == OURS else b"")
        if not _restore(1, modes, ours):  # it hung up with who was guarded, but may be there
            os.dup2(os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK), 1)
            _restore(1, modes, ours)


def _last_told() -> bytes:
    """Wait for the end, and return what was sent last."""
    last = b""
    while last != DISMISSED and (told := os.read(0, 512)):
        last = told[-1:]
    return last


def _say(name: str, farewell: bytes) -> None:
    """Send it without waiting for a terminal that takes nothing."""
    try:
        if farewell:
            os.write(os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK), farewell)
    except OSError:  # it is gone, or full
        return


def _restore(terminal: int, modes: list[object], ours: list[object]) -> bool:
    """Give it its modes if nobody else gave it others; returns whether it could be asked."""
    try:
        if termios.tcgetattr(terminal) == ours:
            termios.tcsetattr(terminal, termios.TCSANOW, modes)  # type: ignore[arg-type]
    except termios.error:
        return False
    return True


if __name__ == "__main__":
    import marshal  # of what the program that we were has written itself, to descriptor 2

    given = os.read(2, 1 << 16)
    os.close(2)
    wait(*marshal.loads(given))
