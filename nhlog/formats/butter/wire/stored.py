"""A frame as it is stored, before differences are added up, and the layouts that frames may have (spec 3 and 5).

What a frame leaves out is an empty tuple or None.
"""

from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.values import Person
from nhlog.values import NamedTuple, dataclass

__all__ = ["EARLY_PAUSE", "Incomplete", "Layout", "Numbers", "StoredFrame", "StoredPlayer", "StoredTeam", "layouts"]

Numbers = tuple[Any, ...]  # as a struct gives them: integers and floats


class Incomplete(Damaged):
    """The bytes end inside a frame."""


class StoredPlayer(NamedTuple):
    """A player, with the numbers stored for each part in the order of the file; the bits of `parts` select `poses`."""

    who: Person
    playerid: int
    flags: int
    stats: Numbers
    ping: Numbers
    holding: Numbers
    velocity: Numbers
    parts: int
    poses: Numbers
    loadout: int | None


class StoredTeam(NamedTuple):
    """A team; its players are `StoredPlayer`, or only the first two fields of one if `read_people` read them."""

    possession: bool
    stats: Numbers
    players: tuple[Any, ...]


class StoredFrame(NamedTuple):
    """A frame at byte `offset` of its chunk; `time` is ms since 1970 in a keyframe, else since the frame before."""

    offset: int
    key: bool
    time: int
    clock: float
    status: int | None
    points: Numbers
    inputs: int | None
    pause: Numbers
    score: Numbers
    throw: Numbers
    vr: Numbers
    disc: Numbers
    payload: Numbers
    rules: tuple[int, str] | None
    teams: tuple[StoredTeam, StoredTeam, StoredTeam]
    bones: bytes | None


EARLY_PAUSE: Final = 5  # bytes of a pause before package 1.3.4


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a file's frames, by version and map; `pause` is the size of a pause in bytes."""

    version: int
    arena: bool
    combat: bool
    pause: int
    people: tuple[Person, ...]


def layouts(header: Header) -> tuple[Layout, ...]:
    """The possible layouts of a file with this header, the likeliest first."""
    nobody = header.person(0)
    pauses = (6, EARLY_PAUSE) if header.version == 3 else (EARLY_PAUSE,)
    return tuple(
        Layout(header.version, header.arena, header.combat, pause, (nobody, *header.people)) for pause in pauses
    )
