"""A lobby that was left for a program, while that is played and until the next lobby comes.

A program is played for hours, by a process that should have nothing of the lobby (see `terminal.screen.tty.apart`).  So
the list is not kept, but where its visitor was in it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self, TypeVar

from nhlog.config import Config
from nhlog.errors import NhlogError
from nhlog.files import losses
from nhlog.files.losses import Loss
from nhlog.players.notices import Notices
from nhlog.values import NamedTuple
from terminal.lobby.model import Lobby
from terminal.lobby.new_game import play_named
from terminal.lobby.visitors import Visitor
from terminal.screen.console import Idle, size_of
from terminal.screen.keys import KeyTable

__all__ = ["Left", "play_left"]

C = TypeVar("C")


class Left(NamedTuple):
    """What a lobby leaves to the next one, and the `program` for which it was left, with the keys `typed` ahead."""

    program: str
    typed: bytes
    chosen: str
    sort: str
    reverse: bool
    filter: str
    notices: Notices
    notice: str
    lost: Mapping[str, Loss]
    message: str = ""

    @classmethod
    def of(cls, lobby: Lobby, typed: bytes) -> Self:
        """That of this lobby."""
        row, contents = lobby.chosen, lobby.contents
        return cls(
            program=lobby.program,
            typed=typed,
            chosen="" if row is None else row.file,
            sort=contents.sort,
            reverse=contents.reverse,
            filter=contents.filter,
            notices=lobby.notices,
            notice=lobby.notice,
            lost=losses.take(),
        )

    def give(self, lobby: Lobby) -> None:
        """Have a new lobby stand where the one before did."""
        losses.put_back(self.lost)
        lobby.choose(self.chosen)
        lobby.contents.sort, lobby.contents.reverse, lobby.contents.filter = self.sort, self.reverse, self.filter
        lobby.notices, lobby.notice, lobby.message = self.notices, self.notice, self.message


class _Terminal:
    """The terminal as a lobby left it (see :class:`terminal.screen.display.Lender`)."""

    def __init__(self, typed: bytes, tables: Mapping[str, KeyTable[Any]]) -> None:
        self._typed, self._tables = typed, tables

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and rows."""
        return size_of(1)

    def bound(self, table: KeyTable[C], /) -> KeyTable[C]:
        """The table with the keys that the user chose."""
        return self._tables.get(table.name, table)

    @contextmanager
    def lent(self) -> Iterator[bytes]:
        """Give the keys that were typed ahead: there is nothing on it that would have to leave."""
        yield self._typed


def play_left(left: Left, visitor: Visitor, config: Config, tables: Mapping[str, KeyTable[Any]]) -> Left:
    """Play the program; returns what the next lobby has, with a message, also of what cannot be done.

    `tables` are those for which the user chose keys, by their names.
    """
    try:
        message = play_named(_Terminal(left.typed, tables), visitor, config, left.program)
    except (NhlogError, OSError) as error:
        message = str(error)
    except Idle as idle:
        print(idle.told)
        raise
    return left._replace(message=message)
