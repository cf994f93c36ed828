"""The view of a Teeworlds map: one of its layers, whole or near a spawn or a line of the race, with a legend below it.

Zoom counts from the scale at which everything fits.
"""

from collections.abc import Callable, Sequence
from typing import Final

from nhlog.formats.datafile.replay import MapReplay, describe_layer
from nhlog.formats.datafile.terrain import FINISH, START, Terrain
from nhlog.formats.datafile.wire.tiles import TILE, Grid
from nhlog.replay import Replay
from nhlog.screen import PLAIN, Screen, clip, width_of
from terminal.screen import theme
from terminal.views import LEGEND, Fact, SquareInfo, View, Viewpoint
from terminal.views.lines import Line, draw_lines
from terminal.views.teeworlds.glyphs import AIR, GLYPHS
from terminal.views.teeworlds.tiles import FARTHEST, NEAREST, Window, draw_tiles, fitting, legend, whole

__all__ = ["VIEW", "draw_caption", "scale_words"]

SPAWN: Final = 192  # index of tiles where tees begin
PLACES: Final = (("spawn", SPAWN), ("start line", START), ("finish line", FINISH))
CAPTION: Final = 4  # rows from which the last one has the legend


def body(replay: Replay[MapReplay], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The layer of the viewpoint's side, from its camera; below it the legend."""
    opened = _opened(replay)
    sides = opened.sides
    side = viewpoint.side % len(sides)
    grid = opened.grid(side)
    screen = Screen(width, height)
    if grid is None:
        screen.put(1, height // 2, clip(opened.state.fault or "this layer cannot be read", width - 2), theme.ALARM)
        return screen
    room = height - (height >= CAPTION)
    window = _window(opened, grid, width, room, viewpoint)
    screen.paste(0, 0, draw_tiles(grid, window))
    if room < height:
        screen.paste(0, room, draw_caption(grid, f"{_side_words(sides[side])}, {scale_words(window.zoom)}", width))
    return screen


def _opened(replay: object) -> MapReplay:
    assert isinstance(replay, MapReplay)
    return replay


def _window(opened: MapReplay, grid: Grid, width: int, height: int, viewpoint: Viewpoint) -> Window:
    terrain = opened.state.terrain
    place = _places(terrain)[viewpoint.camera % len(_places(terrain))][1] if terrain else None
    zoom = 0 if place else fitting(grid, width, height)
    zoom = min(max(zoom + viewpoint.zoom, FARTHEST), NEAREST)
    return Window.around(place or whole(grid), width, height, zoom).inside(grid).moved(*viewpoint.pan)


def _places(terrain: Terrain) -> list[tuple[str, tuple[int, int] | None]]:
    """The names and tiles that a camera can be turned to; None is the whole map."""
    places: list[tuple[str, tuple[int, int] | None]] = [("the whole map", None)]
    for name, index in PLACES:
        found = terrain.all.tiles.find(index)
        if found >= 0:
            row, column = divmod(found, terrain.width)
            places.append((name, (column * TILE + TILE // 2, row * TILE + TILE // 2)))
    return places


def _side_words(side: str) -> str:
    return "all layers" if side == "all" else f"{side} layer"


def scale_words(zoom: int) -> str:
    """The scale as text: how large a tile is drawn."""
    if zoom > 0:
        return f"a tile is {1 << zoom} by {1 << zoom - 1} cells"
    return f"a cell is {1 << -zoom - 1} by {2 << -zoom - 1} tiles" if zoom else "a cell is a tile"


def draw_caption(grid: Grid, said: str, width: int) -> Screen:
    """One row: what is shown, and as much of the legend as fits."""
    screen = Screen(width, 1)
    x = screen.put(1, 0, clip(said, width - 2), theme.NOTE) + 2
    for char, style, words, _ in legend(grid):
        if x + width_of(char) + 1 + width_of(words) > width:
            break
        x = screen.put(x, 0, char, style) + 1
        x = screen.put(x, 0, words, theme.QUIET) + 2
    return screen


def facts(replay: Replay[MapReplay]) -> list[Fact]:
    """The content of the map, and what is wrong with it."""
    opened = _opened(replay)
    terrain, fault = opened.state.terrain, opened.state.fault
    told = [("fault", fault)] if fault else []
    if terrain:
        told.append(("map", f"{terrain.width} by {terrain.height} tiles"))
        told.append(("layers", " ".join(terrain.grids)))
        told += [(words, str(count)) for words, count in _counts(terrain)]
    return told


def _counts(terrain: Terrain) -> list[tuple[str, int]]:
    """The numbers of tiles that matter in a race, by kind."""
    names = (("spawns", SPAWN), ("start tiles", START), ("finish tiles", FINISH))
    counts = [(name, terrain.all.tiles.count(index)) for name, index in names]
    return [(name, count) for name, count in counts if count]


def look(replay: Replay[MapReplay], viewpoint: Viewpoint, across: int, down: int) -> SquareInfo:
    """The tile that far from the one that the camera is turned to."""
    opened = _opened(replay)
    terrain = opened.state.terrain
    if terrain is None:
        return SquareInfo(opened.state.fault, lambda width, height: (-1, -1))
    places = _places(terrain)
    x, y = places[viewpoint.camera % len(places)][1] or whole(terrain)
    x = min(max(x + across * TILE, 0), terrain.width * TILE - 1)
    y = min(max(y + down * TILE, 0), terrain.height * TILE - 1)

    def place(width: int, height: int) -> tuple[int, int]:
        room = height - (height >= CAPTION)
        grid = opened.grid(viewpoint.side % len(opened.sides)) or terrain.all
        column, row = _window(opened, grid, width, room, viewpoint).cell(x, y)
        return (column, row) if row < room else (-1, -1)

    return SquareInfo(f"{_tile_words(terrain, x, y)} (tile {x // TILE},{y // TILE})", place)


def _tile_words(terrain: Terrain, x: int, y: int) -> str:
    """What each layer has at a tile, as text."""
    told = []
    for kind, grid in terrain.grids.items():
        index = grid.at(x, y)
        glyph = GLYPHS[kind][index]
        if glyph.rank != AIR:
            number = f" {grid.number_at(x, y)}" if grid.numbers else ""
            told.append(f"{kind} {glyph.words}{number} ({index})")
    return ", ".join(told) or "air"


def _panel(lines: Callable[[MapReplay], list[Line]]) -> Callable[[Replay[MapReplay]], Screen]:
    return lambda replay: draw_lines(lines(_opened(replay)))


def _legend(replay: Replay[MapReplay]) -> Screen:
    """The meaning of each character on the map."""
    from terminal.views.legend import draw_signs

    terrain = _opened(replay).state.terrain
    signs = [(glyph.char, glyph.style, glyph.words) for glyph in legend(terrain.all)] if terrain else []
    return draw_signs(signs or [("", PLAIN, "an empty map")])


def _layer_lines(opened: MapReplay) -> list[Line]:
    """Every layer, under its group."""
    lines: list[Line] = []
    group = None
    for placed in opened.map.layers:
        if placed.group != group:
            group = placed.group
            name = opened.map.groups[group].name if group >= 0 else ""
            lines.append((f"group {group} {name}".rstrip() if group >= 0 else "in no group", theme.HEAD))
        lines.append((f"{placed.number:>4}  {describe_layer(placed.layer)}", PLAIN))
    return lines or [("no layers", PLAIN)]


def _about_lines(opened: MapReplay) -> list[Line]:
    """The map's own information, and the commands that it gives its server."""
    lines: list[Line] = [(f"{name:<10}{value}", PLAIN) for name, value in opened.info.metadata.items()]
    settings = [text for text in opened.map.texts(opened.map.info.settings) if text]
    return [*lines, ("settings", theme.HEAD), *((text, PLAIN) for text in settings)] if settings else lines


def sides(replay: Replay[MapReplay]) -> Sequence[str]:
    """The names of the layers that can be shown."""
    return _opened(replay).sides


def cameras(replay: Replay[MapReplay]) -> Sequence[str]:
    """The places that a camera can be turned to."""
    terrain = _opened(replay).state.terrain
    return [name for name, _ in _places(terrain)] if terrain else []


PANELS: Final = {
    LEGEND: _legend,
    "ledger": _panel(_layer_lines),
    "attributes": _panel(_about_lines),
}
VIEW: Final = View(
    body,
    facts,
    look=look,
    panels=PANELS,
    cameras=cameras,
    sides=sides,
    words={
        "attributes": "about the map",
        "ledger": "layers",
        "look": "what is on a tile",
        "next-camera": "the map, a spawn, the lines",
        "next-side": "next layer, or 3v",
        "centre": "all in view",
    },
)
