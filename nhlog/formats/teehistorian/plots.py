"""Plots of a Teeworlds server: where players were and died, and how fast they were.

The positions are looked at in equal distances of time, so that a place counts for as long as somebody was there.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from nhlog.formats.datafile.terrain import Terrain
from nhlog.formats.datafile.wire.tiles import TILE
from nhlog.formats.teehistorian.race import LEAP
from nhlog.formats.teehistorian.reading.events import TICKS_PER_SECOND, TeeEvent
from nhlog.formats.teehistorian.reading.index import Cursor, Index
from nhlog.formats.trajectory import Squares, Trajectory, around, speeds
from nhlog.plots import TIME, Curves, Heat, Kind, Mark, NothingToPlot, Plots, Scale, Walls

__all__ = ["plots_of"]

_MOST_LOOKS: Final = 20_000
_PIECE: Final = 256  # looks after which one tells how far it is
_MOST_PLAYERS: Final = 8  # whose speeds are shown: those who were there for longest
_MOST_DEATHS: Final = 5_000
_MARGIN: Final = 8  # tiles that are shown around where somebody was, or more
_FASTEST: Final = LEAP / TILE * TICKS_PER_SECOND  # tiles in a second: who would have been faster was teleported
_LEAVING: Final = 2  # ticks by which a tee may disappear before or after its player is said to leave
_SOLID: Final = bytes(index in (1, 3) for index in range(256))  # hookable and unhookable


def plots_of(index: Index, terrain: Terrain | None) -> Plots:
    """The plots of a recording on the map with this terrain, which may not be at hand."""
    survey = _Survey(index)
    kinds = {
        "places": Kind("where players were, and died, on the map", lambda: _places(survey, terrain)),
        "speed": Kind("how fast players were, over time", lambda: _speed(survey)),
    }
    return Plots(kinds, survey.go())


class _Survey:
    """The paths of all players, by client id and name, and where and when somebody died."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.step = index.tick // _MOST_LOOKS + 1  # ticks from one look to the next
        self.paths: defaultdict[tuple[int, str], Trajectory] = defaultdict(lambda: Trajectory([], [], []))
        self.deaths: list[Mark] = []

    def go(self) -> Iterator[int]:
        """Look at the whole recording; yields the ticks up to which that was done."""
        cursor = Cursor(self.index)
        died = iter([*_deaths(self.index)][:_MOST_DEATHS])
        death = next(died, None)
        for number, tick in enumerate(range(0, self.index.tick + 1, self.step)):
            while death is not None and death.step <= tick:
                cursor.go(max(death.step - 1, 0))
                self._note(death, cursor.world.places)
                death = next(died, None)
            cursor.go(tick)
            players = cursor.world.players
            for cid, (x, y) in cursor.world.places.items():
                path = self.paths[cid, players[cid].called if cid in players else f"client {cid}"]
                path.add(tick, tick / TICKS_PER_SECOND, (x / TILE, y / TILE))
            if number % _PIECE == 0:
                yield tick

    def _note(self, death: TeeEvent, places: dict[int, tuple[int, int]]) -> None:
        place = places.get(-1 if death.cid is None else death.cid)
        if place is not None:
            name = death.text.replace("disappears", "dies")
            self.deaths.append(Mark(death.step, name, place[0] / TILE, place[1] / TILE))


def _deaths(index: Index) -> Iterator[TeeEvent]:
    """The events of deaths: a tee disappeared, and nobody left or went to the spectators, or somebody gave up."""
    gone: list[TeeEvent] = []
    left: defaultdict[int | None, list[int]] = defaultdict(list)
    for event in index.events(0, index.tick):
        if event.kind in ("disappear", "kill"):
            gone.append(event)
        elif event.kind in ("leave", "team"):
            left[event.cid].append(event.step)
    before: dict[int | None, int] = {}
    for event in gone:
        others = left[event.cid]
        if event.kind == "disappear" and any(abs(step - event.step) <= _LEAVING for step in others):
            continue
        if event.step - before.get(event.cid, -TICKS_PER_SECOND) > _LEAVING:  # who gives up disappears, too
            before[event.cid] = event.step
            yield event


def _places(survey: _Survey, terrain: Terrain | None) -> Heat:
    places = [place for path in survey.paths.values() for place in path.places]
    if not places:
        raise NothingToPlot("there are no players in it")
    left, top, right, bottom = map(int, around(places, _MARGIN))
    if terrain is not None:
        left, top = min(max(left, 0), terrain.width - 1), min(max(top, 0), terrain.height - 1)
        right, bottom = max(min(right, terrain.width), left + 1), max(min(bottom, terrain.height), top + 1)
    squares = Squares((left, top, right, bottom))
    for path in survey.paths.values():
        for step, (x, y) in zip(path.steps, path.places, strict=True):
            squares.add(step, x, y, survey.step / TICKS_PER_SECOND)
    walls = _walls(terrain, left, top, right, bottom) if terrain else None
    return squares.heat("where players were", Scale("x", "tiles"), Scale("y", "tiles"), survey.deaths, walls)


def _walls(terrain: Terrain, left: int, top: int, right: int, bottom: int) -> Walls:
    """What is solid in a part of the map."""
    solid, width = terrain.all.tiles.translate(_SOLID), terrain.width
    rows = (solid[row * width + left : row * width + right] for row in range(top, bottom))
    return Walls(right - left, bottom - top, b"".join(rows))


def _speed(survey: _Survey) -> Curves:
    longest = sorted(survey.paths.items(), key=lambda one: -len(one[1].steps))[:_MOST_PLAYERS]
    length, each = survey.index.tick / TICKS_PER_SECOND, survey.step / TICKS_PER_SECOND
    series = [speeds(name, path, length, _FASTEST, each * 1.5) for (_, name), path in longest]
    if not any(one.xs for one in series):
        raise NothingToPlot("no player moves in it")
    marks = tuple(Mark(mark.step, mark.name, mark.step / TICKS_PER_SECOND) for mark in survey.deaths)
    return Curves("speed", TIME, Scale("speed", "tiles/s"), tuple(series), marks)
