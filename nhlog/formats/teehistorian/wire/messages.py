"""The messages of the stream as values (spec 3), in the form that is stored and in the form that readers get.

Differences are stored; `PlayerChange`, `PlayerGone` and `Input` are the same messages with all earlier differences
added up.  Strings are bytes, as they need not be UTF-8.
"""

from nhlog.kernels.teehistorian import INPUTS
from nhlog.values import NamedTuple

__all__ = [
    "CHAT",
    "INPUTS",
    "ConsoleCommand",
    "Drop",
    "Finish",
    "Input",
    "InputDiff",
    "InputNew",
    "Join",
    "NetMessage",
    "PlayerChange",
    "PlayerDiff",
    "PlayerGone",
    "PlayerNew",
    "PlayerOld",
    "TickSkip",
    "TimedMessage",
]

CHAT = 128  # flag of a console command that was typed into the chat


class PlayerDiff(NamedTuple):
    """A tee moved by (dx, dy) world units, 32 to a tile."""

    cid: int
    dx: int
    dy: int


class Finish(NamedTuple):
    """The end of the file."""


class TickSkip(NamedTuple):
    """`dt` ticks passed in which nothing happened."""

    dt: int


class PlayerNew(NamedTuple):
    """A tee appeared at (x, y) world units."""

    cid: int
    x: int
    y: int


class PlayerOld(NamedTuple):
    """A tee disappeared."""

    cid: int


class InputDiff(NamedTuple):
    """The differences to the client's last input.

    Its numbers are direction, target_x, target_y, jump, fire, hook, player_flags, wanted_weapon, next_weapon and
    prev_weapon.
    """

    cid: int
    difference: tuple[int, ...]


class InputNew(NamedTuple):
    """The first input of a connection."""

    cid: int
    input: tuple[int, ...]


class NetMessage(NamedTuple):
    """A packet of the game's protocol."""

    cid: int
    data: bytes


class Join(NamedTuple):
    """A client joined."""

    cid: int


class Drop(NamedTuple):
    """A client left or was removed."""

    cid: int
    reason: bytes


class ConsoleCommand(NamedTuple):
    """A command was executed; `cid` is a client, or negative for the server itself; `flags` are those of its origin."""

    cid: int
    flags: int
    command: bytes
    args: tuple[bytes, ...]


class PlayerChange(NamedTuple):
    """A tee moved from (old_x, old_y) to (x, y)."""

    cid: int
    x: int
    y: int
    old_x: int
    old_y: int


class PlayerGone(NamedTuple):
    """A tee disappeared from (x, y)."""

    cid: int
    x: int
    y: int


class Input(NamedTuple):
    """The complete new input of a player; `first` is whether it is the first of a connection."""

    cid: int
    input: tuple[int, ...]
    first: bool


class TimedMessage(NamedTuple):
    """A message with its tick and its offset in the uncompressed file."""

    tick: int
    offset: int
    message: tuple[object, ...]
