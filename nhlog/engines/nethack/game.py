"""A game as the session uses it: what is seen now, and the past that led there, if it is known here.

It changes only inside `run`.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from nhlog.engines.nethack.bindings import code_of
from nhlog.engines.nethack.options import number_pad
from nhlog.engines.nethack.past import Past, Start
from nhlog.engines.nethack.record import record
from nhlog.engines.nethack.save import Saved, write_save
from nhlog.engines.nethack.seen import ENDINGS, SIZE, Seen
from nhlog.engines.protocol import Run
from nhlog.log.wire.lines import Command

__all__ = ["Game", "keys_of", "saved_at"]

_ASKS: Final = ("?", ":")  # how a question ends at which nothing was typed yet
_DEATH: Final = re.compile(rb"(?:^|\t)death=([^\t\n]*)")
_USER: Final = re.compile(rb"\tuid=\d+")  # whose process it was: a game is the same for all
_TAKEN: Final = 4  # bytes of the number of keys
_LONGEST: Final = 78  # characters of how a game ended


def keys_of(commands: Iterable[Command], start: Start) -> bytes:
    """The codes of the keys that these commands give to a NetHack which was started so."""
    pad = number_pad(start.options.decode("latin-1"))
    return bytes(key for command in commands if (key := code_of(command, pad)) is not None)


class Game:
    """A game of NetHack: a save, and `press`, which gives a key to the machine that stands at the save's past."""

    bones: None = None
    incomplete = False

    def __init__(self, saved: Saved, press: Callable[["Game", int], Saved]) -> None:
        self._press = press
        self._show(saved)

    def _show(self, saved: Saved) -> None:
        self.saved = saved
        self.seen = Seen(saved.seen, saved.start.options)

    @property
    def turn(self) -> int:
        """The turn, from 1."""
        return self.seen.turn

    @property
    def here(self) -> tuple[str, int, int]:
        """The hero's place: level name, column and row."""
        return self.seen.place, *self.seen.square

    @property
    def state(self) -> str:
        """The hero's condition, for the log's second line."""
        return f"Exp:{self.seen.status[18]}, {self.turn} turns, on {self.seen.place}"

    @property
    def ending(self) -> str:
        """How the game ended; empty while it is in progress."""
        if not self.seen.is_over:
            return ""
        found = _DEATH.search(self.saved.line)
        words = found[1].decode("ascii", "replace") if found else ""
        how = ENDINGS[self.seen.how] if 0 <= self.seen.how < len(ENDINGS) else "ended"
        return "".join(char if " " <= char <= "~" else "?" for char in words or how)[:_LONGEST]

    @property
    def messages(self) -> tuple[str, ...]:
        """What NetHack says after the last key, which its screen shows, too.

        Not what is typed after ``#`` or a question.
        """
        said, (_, asks_line, _) = self.seen.message.rstrip(), self.seen.asks
        is_typed = said.startswith("#") or (asks_line and not said.endswith(_ASKS))
        return (said,) if said and not is_typed else ()

    def record(self) -> dict[str, Any]:
        """What NetHack tells, as plain values."""
        return record(self.seen, self.saved, self.ending)

    def save(self) -> bytes:
        """What is seen, and what led there."""
        return write_save(self.saved)

    def at_once(self, command: Command) -> tuple[str, ...] | None:
        """None: NetHack alone knows what a key does."""
        return None

    def run(self, command: Command) -> Run:
        """Give the key to NetHack; nothing happens after the end, and by other commands."""
        for key in keys_of((command,), self.saved.start) if not self.seen.is_over else b"":
            self._show(self._press(self, key))
        yield from ()


def saved_at(build: bytes, past: Past, told: bytes) -> Saved:
    """The save after a past, of what a machine tells there."""
    seen = bytes(_TAKEN) + told[_TAKEN:SIZE]  # not how many keys were given at once
    return Saved(build, past.start, past.count, past.name, _USER.sub(b"", told[SIZE:]), seen)
