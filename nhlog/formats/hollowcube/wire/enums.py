"""The values of enumerated fields of events, with the numbers that are written: their order is fixed (spec 5)."""

from enum import IntEnum
from typing import Final

__all__ = ["FLAGS", "End", "Hand", "Pose", "Reset"]


class Pose(IntEnum):
    """The pose of an entity."""

    STANDING = 0
    FALL_FLYING = 1
    SLEEPING = 2
    SWIMMING = 3
    SPIN_ATTACK = 4
    SNEAKING = 5
    LONG_JUMPING = 6
    DYING = 7
    CROAKING = 8
    USING_TONGUE = 9
    SITTING = 10
    ROARING = 11
    SNIFFING = 12
    EMERGING = 13
    DIGGING = 14
    SLIDING = 15
    SHOOTING = 16
    INHALING = 17


class Hand(IntEnum):
    """One of the hands of an entity."""

    MAIN = 0
    OFF = 1


class Reset(IntEnum):
    """The reason for which a player was put back to a checkpoint."""

    LIVES = 0
    RESET_HEIGHT = 1
    TIMER = 2
    MANUAL = 3
    FORCED = 4
    LIQUID = 5
    SNEAK = 6
    TURN = 7
    SPRINT = 8
    RELOG = 9


class End(IntEnum):
    """How a run ended."""

    FINISH = 0
    RESET = 1


FLAGS: Final = {
    "onFire": 0x01,
    "sneaking": 0x02,
    "riptideSpinAttack": 0x04,
    "sprinting": 0x08,
    "swimming": 0x10,
    "invisible": 0x20,
    "glowing": 0x40,
    "flyingWithElytra": 0x80,
}
"""The bits of an entity's state, by their names in records."""
