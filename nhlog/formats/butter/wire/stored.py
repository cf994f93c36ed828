"""A frame as it is stored, and the layouts that frames may have (spec 3 and 5).

What a frame leaves out is an empty tuple or None.
"""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from nhlog.errors import Damaged
from nhlog.formats.butter.wire.header import Header
from nhlog.formats.butter.wire.values import Person

__all__ = ["EARLY_PAUSE", "Incomplete", "Layout", "Numbers", "StoredFrame", "StoredPlayer", "StoredTeam", "layouts"]

Numbers = tuple[Any, ...]  # as a struct gives them: integers and floats


class Incomplete(Damaged):
    """The bytes end inside a frame."""


class StoredPlayer(NamedTuple):
    """A player: what is stored of each part, in the order of the file; `parts` says which `poses` there are."""

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
    """A team; its players are `StoredPlayer`, or their first two fields where no more was asked for."""

    possession: bool
    stats: Numbers
    players: tuple[Any, ...]


class StoredFrame(NamedTuple):
    """A frame at byte `offset` of its chunk; `time` is absolute in a keyframe, else ms since the frame before."""

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
    """How the frames of a file are laid out: by version, map, and the bytes that a pause takes."""

    version: int
    arena: bool
    combat: bool
    pause: int
    people: tuple[Person, ...]


def layouts(header: Header) -> tuple[Layout, ...]:
    """The layouts that a file with this header may have, the likeliest first."""
    nobody = header.person(0)
    pauses = (6, EARLY_PAUSE) if header.version == 3 else (EARLY_PAUSE,)
    return tuple(
        Layout(header.version, header.arena, header.combat, pause, (nobody, *header.people)) for pause in pauses
    )
