"""Lines on their way to those who play or watch a game.

Who plays notices that somebody came after some seconds, and only then there is a file to write to: a line that was
written sooner is sent again until it is taken.  Only a refusal of another kind is one that its writer sees.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from nhlog.beside.file import NotYet
from nhlog.errors import NhlogError

__all__ = ["Outbox"]

_AGAIN: Final = 0.5  # seconds until a line is sent again,
_MOST_TRIES: Final = 20  # so often: who plays a program looks who watches every four seconds (`terminal.hosting.mail`)


def _stay() -> None:
    pass


@dataclass(slots=True)
class _Unsent:
    """A line, how it is written, what is done when it is no longer to be sent, and how often that was tried."""

    text: str
    write: Callable[[str], None]
    leave: Callable[[], None]
    tries: int = 0


class Outbox:
    """What was written and is not sent yet, in the order in which it is sent."""

    def __init__(self) -> None:
        self._unsent = deque[_Unsent]()
        self._due = 0.0  # when to try again

    def send(self, write: Callable[[str], None], text: str, leave: Callable[[], None] = _stay) -> str:
        """Send a line by `write`, behind those which are still to be sent; returns what became of it.

        `leave` is called when the line was sent or given up: until then its writer has to be there as a watcher is.
        """
        self._unsent.append(_Unsent(text, write, leave))
        return f"sending: {text}" if len(self._unsent) > 1 else self._try_first()

    def send_again(self, now: float) -> str:
        """Send what could not be sent yet, if it is time; returns what became of it, or nothing."""
        if not self._unsent or now < self._due:
            return ""
        self._due = now + _AGAIN
        return self._try_first()

    def _try_first(self) -> str:
        line = self._unsent[0]
        line.tries += 1
        try:
            line.write(line.text)
            told = f"sent: {line.text}"
        except NotYet as error:
            if line.tries < _MOST_TRIES:
                return f"sending: {line.text}"
            told = error.what
        except NhlogError as error:
            told = error.what
        self._unsent.popleft()
        line.leave()
        return told
