"""A teehistorian recording as a replay: one step per tick, 50 per second.

The state at a tick depends only on the messages up to the end of that tick.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from nhlog.change import change_of_name
from nhlog.errors import NhlogError
from nhlog.formats.datafile.library import MapReference, check_map, find_map, load_terrain
from nhlog.formats.datafile.terrain import Terrain
from nhlog.formats.teehistorian import FORMAT
from nhlog.formats.teehistorian.ghost import Ghost
from nhlog.formats.teehistorian.paths import Paths
from nhlog.formats.teehistorian.race import Races
from nhlog.formats.teehistorian.reading.events import TICK, TICKS_PER_SECOND, TeeEvent, clock
from nhlog.formats.teehistorian.reading.index import Cursor, Index
from nhlog.formats.teehistorian.reading.players import Player
from nhlog.formats.teehistorian.reading.reader import Incomplete
from nhlog.formats.teehistorian.reading.world import Inputs, Place, World
from nhlog.formats.teehistorian.state import GameState, Tee
from nhlog.formats.teehistorian.wire.header import Header
from nhlog.replay import Change, Info, Status
from nhlog.timeline import Axis, Computed, Marker, Timeline
from nhlog.unpacked import UnpackedSource

if TYPE_CHECKING:
    from nhlog.plots import Plots

__all__ = ["TeeReplay", "open_replay"]

LATELY: Final = 5 * TICKS_PER_SECOND  # to look back for the place of a tee that is gone, once or twice as far
MAX_SEARCHED: Final = 1 << 24  # bytes of a recording that is searched for finishes when it is opened


class TeeReplay:
    """An open recording, standing at one of its ticks (see :class:`nhlog.replay.Replay`).

    `map` is the path of its map, which is searched for if it is None, and refused if it is another; `ghost` is another
    recording to compare with.  Raises :class:`NhlogError` if there is no header.
    """

    def __init__(self, source: UnpackedSource, map: str | None = None, ghost: "TeeReplay | None" = None) -> None:
        self.ghost = Ghost(ghost) if ghost else None
        self._map = map
        self._step = 0
        self._read(source)

    def _read(self, source: UnpackedSource) -> None:
        """Read the whole source, which is then the replay's; what was known stays if there is no header."""
        index = Index(source)
        self.terrain = _terrain(index.header, source.name, self._map)
        self.index, self.source, self._fate = index, source, source.fate
        self.races = Races(self.index, self.terrain.lines) if self.terrain else None
        self.paths, self._lately = Paths(self.index), Paths(self.index)
        self._cursor = Cursor(self.index)
        self._update()
        self._step = min(self._step, self.timeline.last)

    def _update(self) -> None:
        """Update timeline and info from the index."""
        self._state: GameState | None = None
        self.timeline: Timeline = _timeline(self.index, self.races)
        self.info = _info(self.index, self.source.fate_told)

    @property
    def header(self) -> Header:
        """The header of the recording."""
        return self.index.header

    @property
    def step(self) -> int:
        """The tick at which the replay stands."""
        return self._step

    @property
    def state(self) -> GameState:
        """The state at the end of that tick."""
        if self._state is None:
            self._cursor.go(self._step)
            self._state = _state(self._step, self._cursor.world)
        return self._state

    def state_at(self, step: int) -> GameState:
        """The state at another tick; the replay stays where it is."""
        step = min(max(step, 0), self.timeline.last)
        if step == self._step:
            return self.state
        self._cursor.go(step)
        return _state(step, self._cursor.world)

    def last_place(self, cid: int) -> Place | None:
        """Where the client's tee is, or was last; None if it had no place for long."""
        way = self._lately.way(cid, max((self._step // LATELY - 1) * LATELY, 0), self._step)
        return (int(way[-1][1][0]), int(way[-1][1][1])) if way else None

    def run_start(self, cid: int, tick: int) -> int:
        """The tick in which the client's run at `tick` begins; if the map has no start line, of its first spawn."""
        start = self.races.start(cid, tick) if self.races else None
        return self.index.spawns.get(cid, 0) if start is None else start

    def seek(self, step: int) -> None:
        """Go to tick `step`, clamped to the timeline."""
        step = min(max(step, 0), self.timeline.last)
        if step != self._step:
            self._step, self._state = step, None

    def refresh(self) -> Change:
        """Read what was appended to the file, and return what changed; a file that was written anew is read again."""
        if not self.source.catch_up() or self.source.size() < self.index.limit:
            self._read_again()
            return Change.REWOUND
        if self.index.error is not None or self.source.size() == self.index.limit:
            return self._look_at_name()
        finished = self.index.finished
        self.index.extend()
        self._update()  # the last tick may have gone on
        return Change.FINISHED if self.index.finished and not finished else Change.GREW

    def _read_again(self) -> None:
        fresh, old = UnpackedSource(self.source.name), self.source
        try:
            self._read(fresh)
        except NhlogError:
            fresh.close()
            raise
        old.close()

    def _look_at_name(self) -> Change:
        """What became of the file's name since the last look, each told once."""
        before, self._fate = self._fate, self.source.fate
        if self._fate is not before:
            self._update()
        return change_of_name(before, self._fate)

    def events(self, first: int, last: int) -> Iterator[TeeEvent]:
        """The events in ticks `first` to `last`, both included; movements and inputs are no events."""
        return self.index.events(first, last)

    def plots(self) -> "Plots":
        """The plots of the recording; with a ghost also of the race with it."""
        from nhlog.formats.race_plot import with_race
        from nhlog.formats.teehistorian.plots import plots_of  # nobody else needs it

        plots, ghost = plots_of(self.index, self.terrain), self.ghost
        return plots if ghost is None else with_race(plots, lambda: ghost.race(self), TICKS_PER_SECOND)

    def close(self) -> None:
        """Close the files."""
        self.source.close()
        if self.ghost:
            self.ghost.replay.close()


def open_replay(path: str, ghost: str | None = None, map: str | None = None) -> TeeReplay:
    """Open the recording in `path` at its first tick, with another one of the same map as `ghost`.

    The map is searched for by its name and digest in the header, unless `map` is its path.  Raises :class:`NhlogError`
    if a file cannot be opened or has no header, and :class:`~nhlog.errors.Usage` for another map than was played.
    """
    source = UnpackedSource(path)
    other = None
    try:
        other = open_replay(ghost, map=map) if ghost else None
        return TeeReplay(source, map, other)
    except BaseException as error:
        source.close()
        if other:
            other.close()
        if isinstance(error, NhlogError):
            raise error.within(source.name) from None
        raise


def _terrain(header: Header, recording: str, map: str | None) -> Terrain | None:
    """The map, None if its file is not found."""
    wanted = MapReference(
        header.text("map_name"), header.text("map_sha256"), header.text("map_crc"), header.number("map_size") or 0
    )
    if map:
        check_map(wanted, map)
    found = map or find_map(wanted, recording)
    return load_terrain(found) if found else None


def _state(tick: int, world: World) -> GameState:
    players, places, inputs = world.players, world.places, world.inputs
    known = sorted({*places, *(cid for cid, player in players.items() if player.here)})
    return GameState(tick, tuple(_tee(cid, players.get(cid), places.get(cid), inputs.get(cid)) for cid in known))


def _tee(cid: int, player: Player | None, place: Place | None, inputs: Inputs | None) -> Tee:
    return Tee(
        cid=cid,
        name=player.name if player else "",
        clan=player.clan if player else "",
        team=player.team if player else 0,
        level=player.level if player else "",
        ready=bool(player and player.ready),
        place=place,
        input=inputs,
    )


def _info(index: Index, fate: str) -> Info:
    header, fault = index.header, index.fault()
    live = isinstance(fault, Incomplete) and index.source.grows
    status = Status.LIVE if live else Status.DAMAGED if fault or index.junk else Status.FINISHED
    waiting = index.limit - index.end
    note = f"waiting for the rest of a message at offset {index.end}" if live and waiting else ""
    return Info(
        id=FORMAT.id,
        format=FORMAT.name,
        title=f"{header.text('map_name') or 'a map without a name'} on {header.text('server_name') or 'a server'}",
        people=tuple(index.people),
        start=header.start,
        duration=index.tick * TICK,
        status=status,
        metadata={
            "map": header.text("map_name"),
            "game": header.text("game_type"),
            "server": header.text("server_name"),
            "version": f"{header.text('version')}.{header.text('version_minor') or 0}",
            "ticks": index.tick,
        },
        note=fate or (note if live else str(fault.what) if fault else ""),
    )


def _markers(index: Index, races: Races | None) -> list[Marker]:
    """Events of the marked kinds, and finishes found from the map where the server recorded none."""
    markers = list(index.markers)
    if races and index.limit <= MAX_SEARCHED and not any(marker.kind == "finish" for marker in markers):
        for run in races.runs(index.tick):
            if run.finish is not None:
                words = f"client {run.cid} at the finish line after {clock(run.finish - run.start)}"
                markers.append(Marker(run.finish, "finish", words))
    return sorted(markers, key=lambda marker: marker.step)


def _timeline(index: Index, races: Races | None) -> Timeline:
    steps, cursor = range(index.tick + 1), Cursor(index)

    def offset(tick: int) -> int:
        """Where its messages begin, the TICK_SKIP before them included."""
        if tick:
            cursor.go(tick - 1)
        return cursor.offset if tick else len(index.header.raw)

    return Timeline(
        unit="tick",
        axes={
            "tick": Axis(steps),
            "time": Axis(range(0, TICK * len(steps), TICK)),
            "offset": Axis(Computed(len(steps), offset)),
        },
        start=index.header.start,
        stops=steps,
        keyframes=sorted(set(index.ticks)),
        markers=_markers(index, races),
    )
