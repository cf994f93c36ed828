"""Statistics of each player, added up over all stays under one name.

Distances are in tiles, including teleports but not spawns; keys are counted when they are pressed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from typing import Any, Final

from nhlog.errors import Damaged
from nhlog.formats.teehistorian.dump import error_record
from nhlog.formats.teehistorian.reading.attendance import Attendance, Stay
from nhlog.formats.teehistorian.reading.events import TICK
from nhlog.formats.teehistorian.reading.reader import Reader, read_records
from nhlog.formats.teehistorian.wire.messages import Input, PlayerChange

__all__ = ["stats"]

TILE: Final = 32  # world units
COUNTER: Final = 0x3F  # the bits of a counter such as fire
_JUMP, _FIRE, _HOOK = 3, 4, 5  # places in an input


@dataclass(slots=True)
class _Activity:
    """The counts of a player in one stay."""

    distance: float = 0.0
    inputs: int = 0
    jumps: int = 0
    hooks: int = 0
    fires: int = 0
    last: tuple[int, ...] = field(default=(0,) * 10)

    def press(self, new: tuple[int, ...]) -> None:
        """Count the next input."""
        old, self.last = self.last, new
        self.inputs += 1
        self.jumps += bool(new[_JUMP]) and not old[_JUMP]
        self.hooks += bool(new[_HOOK]) and not old[_HOOK]
        if new[_FIRE] != old[_FIRE]:
            counter = old[_FIRE] & COUNTER
            passed = (new[_FIRE] - old[_FIRE]) & COUNTER
            self.fires += (counter + passed + 1) // 2 - (counter + 1) // 2  # the odd numbers: the key is down


def stats(path: str) -> Iterator[dict[str, Any]]:
    """One record per name, in the order of joining, then one with ``error`` if the recording is damaged."""
    attendance = Attendance()
    activities: dict[int, _Activity] = {}  # by number of the stay

    def activity(cid: int) -> _Activity:
        return activities.setdefault(attendance.stay(cid, tick).number, _Activity())

    reader, faults = Reader(path), list[Damaged]()
    try:
        for tick, _, message in read_records(reader):
            match message:
                case PlayerChange(cid, x, y, old_x, old_y):
                    activity(cid).distance += hypot(x - old_x, y - old_y)
                case Input(cid, numbers, first):
                    if first:
                        activity(cid).last = numbers
                    activity(cid).press(numbers)
                case _:
                    attendance.on_message(tick, 0, 0, message)
    except Damaged as error:
        faults.append(error)
    named: dict[str, list[Stay]] = {}
    for stay in attendance.stays:
        named.setdefault(stay.player.called, []).append(stay)
    for name, stays in named.items():
        times = [finish.time for finish in attendance.finishes if finish.player == name]
        done = [activities.get(stay.number, _Activity()) for stay in stays]
        yield _record(name, stays, done, times, reader.world.tick)
    for fault in (*faults, *reader.flaws()):
        yield error_record(fault, reader.world.tick)


def _record(name: str, stays: list[Stay], activities: list[_Activity], times: list[int], last: int) -> dict[str, Any]:
    ticks = sum((last if stay.last is None else stay.last) - stay.first for stay in stays)
    return {
        "player": name,
        "stays": len(stays),
        "time": ticks * TICK,
        "distance": round(sum(activity.distance for activity in activities) / TILE),
        "spawns": sum(stay.spawns for stay in stays),
        "deaths": sum(stay.deaths for stay in stays),
        "kills": sum(stay.kills for stay in stays),
        "commands": sum(stay.commands for stay in stays),
        "finishes": len(times),
        "best": min(times) * TICK if times else None,
        "inputs": sum(activity.inputs for activity in activities),
        "jumps": sum(activity.jumps for activity in activities),
        "hooks": sum(activity.hooks for activity in activities),
        "fires": sum(activity.fires for activity in activities),
    }
