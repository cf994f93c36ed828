"""The description of a recording from its preamble and file sizes, in terms that all formats share; reads no chunk."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.errors import in_short
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import PREAMBLE
from nhlog.formats.hollowcube.wire.enums import End
from nhlog.formats.hollowcube.wire.events import CheckpointReached, RunEnd, RunStart
from nhlog.formats.hollowcube.wire.header import TICK
from nhlog.formats.hollowcube.wire.nbt import Kind
from nhlog.formats.hollowcube.words import one_line
from nhlog.replay import Status
from nhlog.timeline import Axis, Marker, Timeline

if TYPE_CHECKING:
    from nhlog.formats.hollowcube.reading.history import History

__all__ = [
    "health_of",
    "people_of",
    "size_of",
    "start_of",
    "status_of",
    "timeline_of",
    "title_of",
]

_LAST_MOMENT: Final = 253_402_300_800_000  # milliseconds since 1970: the year 10000, where calendars end


def start_of(reader: Reader) -> int | None:
    """The start of the recording, in UTC microseconds since 1970; None if it is no valid date."""
    timestamp = reader.preamble.header.timestamp
    return timestamp * 1000 if 0 < timestamp < _LAST_MOMENT else None


def title_of(reader: Reader) -> str:
    """A title: ``map`` and the first eight digits of its id."""
    return f"map {str(reader.preamble.header.world_id)[:8]}"


def people_of(reader: Reader) -> tuple[str, ...]:
    """The name of the recorded player, if the metadata has it as `player`."""
    player = reader.preamble.metadata.value.get("player")
    named = player is not None and player.kind is Kind.STRING and player.value
    return (one_line(player.value),) if player is not None and named else ()


def status_of(reader: Reader) -> Status:
    """Damaged if the preamble or the files' sizes show a fault, else finished or live."""
    if reader.faults:
        return Status.DAMAGED
    return Status.FINISHED if reader.finished else Status.LIVE


def timeline_of(reader: Reader, history: "History") -> Timeline:
    """One step per tick; keyframes are snapshots, markers the starts, checkpoints and ends of runs."""
    ticks = max(reader.ticks, 1)
    snapshots = [part.entry.start for part in reader.parts if part.entry.has_snapshot]
    return Timeline(
        unit="tick",
        axes={"tick": Axis(range(ticks)), "time": Axis(range(0, ticks * TICK, TICK))},
        start=start_of(reader),
        stops=range(ticks),
        keyframes=snapshots,
        markers=list(_markers(history, ticks)),
    )


def _markers(history: "History", ticks: int) -> Iterator[Marker]:
    runs = 0
    for tick, event in history.run_events or ():
        if tick >= ticks:
            return
        match event:
            case RunStart():
                runs += 1
                yield Marker(tick, "run", f"run {runs}")
            case CheckpointReached(checkpoint):
                yield Marker(tick, "checkpoint", one_line(checkpoint) or "checkpoint")
            case RunEnd(reason):
                yield Marker(tick, "end", "finish" if reason is End.FINISH else "given up")


def size_of(reader: Reader) -> int:
    """The size of the recording in bytes; for a folder, that of all its files."""
    names = {PREAMBLE, *(part.name for part in reader.parts)} if reader.source.folder else {""}
    return sum(reader.source.size(name) or 0 for name in names)


def health_of(reader: Reader) -> str:
    """``sound``, or the first fault that shows without reading chunks."""
    faults = reader.faults
    return in_short(faults[0].message, len(faults)) if faults else "sound"
