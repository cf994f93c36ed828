"""What stays by a terminal as long as somebody uses it, and then gives it back: ``python -I -S waiting.py``.

It is a guardian (see `guardian`), or, with the argument ``front``, a process in front of its user (see `front`).  It is
run as a file, by a Python with nothing in it, and there is one for each player: so it must import nothing but what is
built in (`signal` alone would be another 0.8 MB of 2.8).
"""

import _signal  # type: ignore[import-not-found]
import marshal
import os
import sys
import termios

__all__ = ["CHANNEL", "DISMISSED", "FRONT", "PASSED_ON", "USER", "stand_in_front", "wait"]

DISMISSED: tuple[()] = ()
"""What is said when there is nothing to give back any more."""

FRONT = "front"
CHANNEL, USER = 3, 4
"""The descriptors of who is in front: that by which it is told something, and its user's process."""

PASSED_ON = (_signal.SIGHUP, _signal.SIGINT, _signal.SIGQUIT, _signal.SIGTERM, _signal.SIGWINCH)
"""The signals that are meant for the user of the terminal."""

_LOST = 1  # the exit code where nobody says another


def wait(told: int, terminal: int) -> int:
    """Wait until the user of the terminal is gone, then give it back, and return the exit code that was said.

    What is said comes by the descriptor `told`, as `marshal` has it: what is to be given back (the terminal's name, its
    modes, those that it has now, what to send), or that nothing is; and at last the exit code.
    """
    held: tuple[object, ...] = DISMISSED
    try:
        with open(told, "rb") as words:
            while not isinstance(said := marshal.load(words), int):
                held = said
            return said
    except (EOFError, OSError):
        if held:
            _give_back(terminal, *held)  # type: ignore[arg-type]
        return _LOST


def _give_back(terminal: int, name: str, modes: list[object], ours: list[object], farewell: bytes) -> None:
    """Send the farewell and restore the modes of a terminal that may be gone, or take nothing."""
    _say(name, farewell)
    if not _restore(terminal, modes, ours):  # it hung up with who was guarded, but may be there
        try:
            _restore(os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK), modes, ours)
        except OSError:
            return


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


def stand_in_front() -> int:
    """Wait like that at our own terminal, and pass signals on to its user; returns the exit code."""
    for number in PASSED_ON:
        if _signal.getsignal(number) is not _signal.SIG_IGN:
            _signal.signal(number, _pass_on)
    _pass_on(_signal.SIGWINCH)  # it may have another size since
    return wait(CHANNEL, 0)


def _pass_on(number: int, _: object = None) -> None:
    try:
        _signal.pidfd_send_signal(USER, number)
    except OSError:  # it is gone, which the channel says
        return


if __name__ == "__main__":
    sys.exit(stand_in_front() if sys.argv[1:] == [FRONT] else wait(0, 1))
