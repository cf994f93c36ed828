"""Conversion of exact positions to the smallest events of the format.

Differences count from the position that a reader decodes from the events before, so that rounding errors never add up.
"""

from typing import Final

from nhlog.formats.hollowcube.wire.events import (
    AbsoluteMove,
    DeltaMove,
    Event,
    SpawnEntity,
    read_event,
    write_event,
)
from nhlog.formats.hollowcube.wire.primitives import Pos, Vector, write_lp_pos, write_lp_vector
from nhlog.values import NamedTuple

__all__ = ["Move", "as_read", "rounded", "settled"]

_FURTHEST: Final = 2.0**40  # blocks: beyond, steps of 1/4096 do not fit a double's 53 bits
_ROUNDED: Final = (DeltaMove, AbsoluteMove, SpawnEntity)  # whose fields hold less than what they are made of


class Move(NamedTuple):
    """The exact position of an entity: not rounded, and not an event of the format.

    A recorder writes it as the smallest event that leads there.
    """

    entity: int
    position: Pos
    velocity: Vector = Vector(0.0, 0.0, 0.0)


def settled(event: Event) -> tuple[Event, bytes]:
    """The event as it will be read, with rounded fields, and its bytes."""
    data = write_event(event)
    return (read_event(data, 0)[0] if type(event) in _ROUNDED else event), data


def as_read(event: Event) -> Event:
    """The event as it will be read, with rounded fields."""
    return settled(event)[0] if type(event) in _ROUNDED else event


def rounded(move: Move, here: Pos | None, velocity: Vector) -> DeltaMove | AbsoluteMove | None:
    """The smallest event that moves an entity to its position; None if a reader would see no difference.

    `here` and `velocity` are the values that a reader has so far.  An absolute move results if `here` is None, as no
    event has placed the entity, and if the distance is too large for a difference.
    """
    if here is None:
        return AbsoluteMove(*move)
    x, y, z, yaw, pitch = move.position
    delta = Pos(x - here.x, y - here.y, z - here.z, yaw, pitch)
    if max(map(abs, delta[:3])) > _FURTHEST:
        return AbsoluteMove(*move)
    known = (write_lp_pos(Pos(0.0, 0.0, 0.0, here.yaw, here.pitch)), write_lp_vector(velocity))
    if (write_lp_pos(delta), write_lp_vector(move.velocity)) == known:
        return None
    return DeltaMove(move.entity, delta, move.velocity)
