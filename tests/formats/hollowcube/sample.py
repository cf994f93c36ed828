"""The two runs that ship as samples: one course, two players.

``python -m tests.formats.hollowcube.sample`` writes them.
"""

import random
from dataclasses import replace
from math import atan2, cos, degrees, sin
from uuid import UUID

from nhlog.formats.hollowcube.wire.enums import End, Hand, Pose, Reset
from nhlog.formats.hollowcube.wire.events import (
    AbsoluteMove,
    ChangeHeldSlot,
    CheckpointReached,
    CheckpointReset,
    DeltaMove,
    EntityState,
    Event,
    HandAnimation,
    RunEnd,
    RunStart,
    SetBlock,
    SetItem,
    SpawnEntity,
)
from nhlog.formats.hollowcube.wire.header import Header, Layout
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from nhlog.formats.hollowcube.wire.primitives import BlockPosition, Pos, Vector, read_lp_pos, write_lp_pos
from tests.corpus import SAMPLES
from tests.formats.hollowcube.made import Made, item

PLATFORMS = 50
CHECKPOINTS = {10: "meadow", 20: "bridge", 30: "tower", 40: "falls"}
SHEEP = 111
SPRINTING = 0x08
BELOW = 1.5  # blocks below the platforms from which one is put back
MAP = UUID("6d617020-6f66-4068-a16d-706c65730001")
STILL = Vector(0.0, 0.0, 0.0)


def course() -> list[BlockPosition]:
    """Where the platforms are: on a long bend that climbs."""
    chance = random.Random(7)
    x, y, z, heading = 0.0, 64, 0.0, 0.0
    places = []
    for _ in range(PLATFORMS):  # a case: a course of so many
        places.append(BlockPosition(round(x), y, round(z)))
        heading += chance.uniform(-0.15, 0.35)
        reach = chance.uniform(3.0, 4.2)
        x, z = x + reach * cos(heading), z + reach * sin(heading)
        y += chance.choice((-1, 0, 0, 1, 1))
    return places


class Runner:
    """Somebody on the course, tick by tick."""

    def __init__(self, seed: int, falls_at: int) -> None:
        self.chance, self.falls_at = random.Random(seed), falls_at
        self.course = course()
        self.ticks: list[list[Event]] = []
        self.here = self.stand(0)
        self.shown = 0

    def stand(self, number: int, view: tuple[float, float] = (-90.0, 10.0)) -> Pos:
        x, y, z = self.course[number]
        return Pos(x + 0.5, y + 1.0, z + 0.5, *view)

    def tick(self, *events: Event) -> None:
        self.ticks.append(list(events))

    def say(self, event: Event) -> None:
        self.ticks[-1].append(event)

    def move(self, there: Pos) -> None:
        """A tick in which one goes there, as near as a delta can say."""
        here = self.here
        delta = Pos(there.x - here.x, there.y - here.y, there.z - here.z, there.yaw, there.pitch)
        delta = read_lp_pos(write_lp_pos(delta), 0)[0]
        self.here = Pos(here.x + delta.x, here.y + delta.y, here.z + delta.z, delta.yaw, delta.pitch)
        self.tick(DeltaMove(0, delta, STILL))

    def show(self, number: int) -> None:
        """The platforms up to a few ahead appear."""
        while self.shown < min(number + 4, PLATFORMS):
            self.say(SetBlock(self.course[self.shown], 9 if self.shown in CHECKPOINTS else 1 + self.shown // 10 * 37))
            self.shown += 1

    def hop(self, number: int, length: float = 1.0) -> None:
        """A jump to a platform; a `length` below 1 falls short of it."""
        begin, there = self.here, self.stand(number)
        yaw = degrees(atan2(-(there.x - begin.x), there.z - begin.z))
        self.tick(EntityState(0, Pose.STANDING, SPRINTING))
        ticks = self.chance.randint(10, 12)
        for count in range(1, ticks + 1):
            part = count / ticks * length
            arc = 4.0 * 1.3 * part * (1.0 - part)
            rise = (there.y - begin.y) * part
            x, z = begin.x + (there.x - begin.x) * part, begin.z + (there.z - begin.z) * part
            self.move(Pos(x, begin.y + rise + arc, z, yaw, 20.0))
        if length < 1.0:
            while self.here.y > there.y - BELOW:
                self.move(self.here._replace(y=self.here.y - 0.6))
            return
        self.say(EntityState(0, Pose.STANDING, 0))
        self.show(number)

    def rest(self) -> None:
        for _ in range(self.chance.choice((0, 1, 2, 3, 3, 6))):
            self.tick()

    def time(self) -> int:
        return (len(self.ticks) - 1) * 50

    def run(self) -> "Runner":
        self.tick(AbsoluteMove(0, self.here, STILL), RunStart(), EntityState(0, Pose.STANDING, 0))
        self.say(SetItem(0, {0: item("feather"), 4: item("lime_dye"), 8: item("firework_rocket", 3)}))
        self.say(ChangeHeldSlot(0, 0))
        self.say(SpawnEntity(1, SHEEP, Pos(8.0, 64.0, 6.0, 180.0, 0.0)))
        self.show(0)
        number, safe = 1, 0
        while number < PLATFORMS:  # a case: from the first to the last
            if number == self.falls_at:
                self.falls_at = -1
                self.hop(number, 0.7)
                self.here = self.stand(safe)
                self.tick(CheckpointReset(Reset.RESET_HEIGHT, self.time()), AbsoluteMove(0, self.here, STILL))
                number = safe + 1
                continue
            self.hop(number)
            if number in CHECKPOINTS:
                self.say(CheckpointReached(CHECKPOINTS[number], self.time()))
                self.say(ChangeHeldSlot(0, 4 if number == 20 else 0))
                self.tick(HandAnimation(0, Hand.MAIN))
                safe = number
            self.rest()
            number += 1
        self.tick(RunEnd(End.FINISH, self.time()))
        for _ in range(20):
            self.tick()
        return self


def recording(name: str, seed: int, falls_at: int, start: int) -> bytes:
    """One of the two runs, as a recorder of the design text's layout would have written it."""
    header = Header(Layout.TEXT, MAP, bytes(16), start, 0, 0, 0, 0)
    metadata = Tag(Kind.COMPOUND, {"player": Tag(Kind.STRING, name)})
    made = Made(Runner(seed, falls_at).run().ticks, size=100, metadata=metadata)
    return replace(made, header=header).data()


if __name__ == "__main__":
    (SAMPLES / "run.replay").write_bytes(recording("ada", 3, 24, 1_795_187_205_278))
    (SAMPLES / "ghost.replay").write_bytes(recording("grace", 11, -1, 1_795_100_805_278))
