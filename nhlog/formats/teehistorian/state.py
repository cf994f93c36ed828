"""The state of a recording at one tick."""

from typing import Final

from nhlog.values import dataclass

__all__ = ["FLAGS", "WEAPONS", "GameState", "Tee"]

WEAPONS: Final = ("", "hammer", "gun", "shotgun", "grenade", "laser", "ninja")  # by wanted_weapon
FLAGS: Final = {
    1: "playing",
    2: "in menu",
    4: "chatting",
    8: "scoreboard",
    16: "aim line",
    32: "spectating",
    64: "absolute",
    128: "manual",
}


@dataclass(frozen=True, slots=True)
class Tee:
    """A player; `place` is in world units (32 to a tile, y down), None if there is no tee.

    `input` are ten numbers as in the recording: direction, aim x and y, jump, fire, hook, flags, weapon, next and
    previous weapon; None if none was sent yet.
    """

    cid: int
    name: str
    clan: str
    team: int
    level: str
    ready: bool
    place: tuple[int, int] | None
    input: tuple[int, ...] | None

    @property
    def called(self) -> str:
        """The name, or ``client`` and the client id if there is none."""
        return self.name or f"client {self.cid}"

    @property
    def alive(self) -> bool:
        """Whether the player has a tee."""
        return self.place is not None

    @property
    def direction(self) -> int:
        """The direction of walking: -1 left, 0 none, 1 right."""
        return self.input[0] if self.input else 0

    @property
    def aim(self) -> tuple[int, int]:
        """The aim (x, y), in world units relative to the tee."""
        return (self.input[1], self.input[2]) if self.input else (0, 0)

    @property
    def jumps(self) -> bool:
        """Whether the key is held."""
        return bool(self.input and self.input[3])

    @property
    def fires(self) -> bool:
        """Whether the key is held: the lowest bit of a counter."""
        return bool(self.input and self.input[4] & 1)

    @property
    def hooks(self) -> bool:
        """Whether the key is held."""
        return bool(self.input and self.input[5])

    @property
    def weapon(self) -> str:
        """The selected weapon; empty if unknown."""
        number = self.input[7] if self.input else 0
        return WEAPONS[number] if 0 <= number < len(WEAPONS) else ""

    @property
    def flags(self) -> list[str]:
        """The set flags, as words of `FLAGS`."""
        return [word for bit, word in FLAGS.items() if self.input and self.input[6] & bit]


@dataclass(frozen=True, slots=True)
class GameState:
    """All players who are connected or have a tee, by client id, at the end of tick `step`."""

    step: int
    tees: tuple[Tee, ...]

    def tee(self, cid: int) -> Tee | None:
        """The player with this client id, or None."""
        return next((tee for tee in self.tees if tee.cid == cid), None)
