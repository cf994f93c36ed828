"""The messages of a game to its player: since the last key, in pages of a few rows, and all of them as a list.

No message is lost: it is in the log, or among the asides if its command leaves no line there.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from nhlog.replay import Told
from nhlog.session.replay import GameReplay
from nhlog.session.session import told_since
from terminal.messages.rows import pages

__all__ = ["Heard"]

USUAL_WIDTH: Final = 80  # columns of a screen, until one is drawn
MOST_ASIDES: Final = 1000  # that are kept for the list of messages


class Heard:
    """The messages of the game of `replay`, which its player has seen or not; `shown` is whether it shows them."""

    def __init__(self, replay: GameReplay, *, shown: bool = False) -> None:
        self._replay = replay
        self._session = replay.session
        self._since = self._session.following.at  # the first line whose messages may not have been seen yet
        self._at_once: list[str] = []
        self._shown = shown

        self.asides: deque[Told] = deque(maxlen=MOST_ASIDES)
        """Messages that are in no log: those of commands that take no time, and of watchers."""

        self.width = USUAL_WIDTH
        """The columns of the screen."""

        self.turned = 0
        """The number of pages that were turned on it."""

    @property
    def told(self) -> list[str]:
        """The messages since the last key that are to be shown."""
        told = [] if self._shown else told_since(self._session, self._since)
        return [*(message.text for message in told), *self._at_once]

    def messages(self) -> Iterator[Sequence[Told]]:
        """All messages, in pieces, the latest first; the asides are among them."""
        asides = [*self.asides]
        for piece in self._replay.messages():
            first = piece[0].step if piece else self._session.following.at
            yield sorted((*piece, *(told for told in asides if told.step >= first)), key=lambda told: told.step)
            asides = [told for told in asides if told.step < first]
        yield asides

    def at_once(self, texts: Sequence[str]) -> None:
        """Show the messages of a command that leaves no line in the log."""
        self._at_once += texts
        self.aside(texts)

    def aside(self, texts: Sequence[str]) -> None:
        """Add texts that are in no log to the list of messages."""
        self.asides += [Told(self._session.following.at - 1, self._session.game.turn, text) for text in texts]

    def hush(self) -> None:
        """Mark all messages as seen."""
        self._since = self._session.following.at
        self._at_once = []
        self.turned = 0

    def since(self, line: int) -> None:
        """Show the messages from this line of the log on."""
        self._since = line

    def forget(self) -> None:
        """Drop all messages: the game was taken back."""
        self.hush()
        self.asides.clear()

    def pages(self, width: int) -> list[list[str]]:
        """The pages of the messages since the last key; what the client says comes below the last one."""
        return pages(self.told, width)

    @property
    def has_more(self) -> bool:
        """Whether there is a page that was not seen."""
        return self.turned + 1 < len(self.pages(self.width))

    def turn_page(self) -> None:
        """Go on to the next page."""
        self.turned += 1

    def skip(self) -> None:
        """Go on to the last page."""
        self.turned = len(self.pages(self.width)) - 1
