"""The view of a Teeworlds server: the map, the tees on it with names, aim and hook, and the ghost of another run.

The camera follows one player, by client id in the order of first appearance; the last camera shows the whole map.
"""

from typing import Final

from nhlog.formats.datafile.terrain import KINDS
from nhlog.formats.datafile.wire.tiles import TILE, Grid
from nhlog.formats.teehistorian.ghost import GhostPosition
from nhlog.formats.teehistorian.reading.events import TICKS_PER_SECOND, clock
from nhlog.formats.teehistorian.replay import TeeReplay
from nhlog.formats.teehistorian.state import GameState, Tee
from nhlog.replay import Replay
from nhlog.screen import PLAIN, Screen, Style, clip
from nhlog.values import NamedTuple
from terminal.screen import theme
from terminal.views import LEGEND, Fact, SquareInfo, View, Viewpoint
from terminal.views.labels import OVER, Label, draw_labels
from terminal.views.teeworlds.glyphs import AIR, GLYPHS
from terminal.views.teeworlds.tiles import FARTHEST, NEAREST, Window, draw_tiles, fitting, legend, whole
from terminal.views.teeworlds.words import PANELS, keys_words, run_words

__all__ = ["VIEW"]

COLOURS: Final = (203, 114, 75, 221, 177, 80, 215, 147, 155, 211)  # of tees, by client id
CAPTION: Final = 2  # rows below the map about the player who is followed
LEAST: Final = 6  # rows from which there is room for them
GHOST: Final = "&"
GHOSTLY: Final = Style(fg=250, dim=True, reverse=True)
AIMS: Final = Style(fg=250)
HOOKS: Final = Style(fg=221, bold=True)
SIGNS: Final = (
    ("A", Style(bold=True), "a player: a letter of the name, reversed if followed"),
    ("-\\|/", AIMS, "where one aims, red while firing"),
    ("---", HOOKS, "a hook"),
)
LONGEST_NAME: Final = 24
HALF: Final = -1  # the farthest zoom that leaves room for names and aims
REACH: Final = 3  # cells of a hook that is drawn; how far it really is, is not recorded
EVERYWHERE: Final = "the whole map"
NO_MAP: Final = "nothing"  # the side without a map


class _Scene(NamedTuple):
    """What is shown: the followed player's client id (-1: nobody), his tee, and where that is or was last."""

    replay: TeeReplay
    state: GameState
    cid: int
    tee: Tee | None
    place: tuple[int, int] | None


def _opened(replay: object) -> TeeReplay:
    assert isinstance(replay, TeeReplay)
    return replay


def _scene(replay: Replay[GameState], viewpoint: Viewpoint) -> _Scene:
    """The scene around the player of the camera, or around the next one who is there."""
    opened = _opened(replay)
    cids = [*opened.index.spawns]
    number = viewpoint.camera % (len(cids) + 1)
    for cid in (*cids[number:], *cids[:number]) if number < len(cids) else ():
        tee = opened.state.tee(cid)
        place = tee and (tee.place or opened.last_place(cid))
        if tee and place:
            return _Scene(opened, opened.state, cid, tee, place)
    return _Scene(opened, opened.state, -1, None, None)


def cameras(replay: Replay[GameState]) -> list[str]:
    """Everybody who ever had a tee, by his current name, empty for those who are not there; and the whole map."""
    opened = _opened(replay)
    tees = {tee.cid: tee.called for tee in opened.state.tees}
    return [*(tees.get(cid, "") for cid in opened.index.spawns), EVERYWHERE]


def sides(replay: Replay[GameState]) -> list[str]:
    """The layers of the map, and none."""
    terrain = _opened(replay).terrain
    return ["all layers", *(kind for kind in KINDS if kind in terrain.grids), NO_MAP] if terrain else [NO_MAP]


def _grid(replay: TeeReplay, viewpoint: Viewpoint) -> Grid | None:
    """The layer of the viewpoint's side."""
    names = sides(replay)
    name = names[viewpoint.side % len(names)]
    if replay.terrain is None or name == NO_MAP:
        return None
    return replay.terrain.grids.get(name, replay.terrain.all)


def _window(scene: _Scene, width: int, height: int, viewpoint: Viewpoint) -> Window:
    """The visible part of the world."""
    terrain = scene.replay.terrain
    zoom, centre = viewpoint.zoom, scene.place
    if scene.cid < 0 and terrain:
        zoom, centre = zoom + fitting(terrain, width, height), whole(terrain)
    if centre is None:
        centre = next((tee.place for tee in scene.state.tees if tee.place), (0, 0))
    zoom = min(max(zoom, FARTHEST), NEAREST)
    return Window.around(centre, width, height, zoom).moved(*viewpoint.pan)


def body(replay: Replay[GameState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The map with the tees on it; below it a caption about the followed player."""
    scene = _scene(replay, viewpoint)
    screen = Screen(width, height)
    room = height - CAPTION if height >= LEAST else height
    window = _window(scene, width, room, viewpoint)
    game = draw_tiles(_grid(scene.replay, viewpoint), window)
    meeting = _meeting(scene)
    if meeting and meeting.tee and meeting.tee.place:
        _draw_letter(game, window, meeting.tee.place, GHOST, GHOSTLY)
    _draw_tees(game, window, scene)
    screen.paste(0, 0, game)
    if room < height:
        _draw_caption(screen, room, scene, meeting)
    return screen


def _meeting(scene: _Scene) -> GhostPosition | None:
    """The ghost of the followed player."""
    if scene.replay.ghost is None or scene.tee is None:
        return None
    return scene.replay.ghost.meet(scene.replay, scene.cid, scene.state.step)


def _draw_letter(screen: Screen, window: Window, place: tuple[int, int], letter: str, style: Style) -> None:
    column, row = window.cell(*place)
    if 0 <= column < screen.width and 0 <= row < screen.height:
        screen.put(column, row, letter, style)


def _draw_tees(screen: Screen, window: Window, scene: _Scene) -> None:
    """Draw aims, over them names, over them letters; the followed tee last."""
    tees = [tee for tee in scene.state.tees if tee.place is not None]
    tees.sort(key=lambda tee: tee.cid == scene.cid)
    near = tees if window.zoom >= HALF else []
    for tee in near:
        _draw_aim(screen, *window.cell(*(tee.place or (0, 0))), tee)
    labels = [
        Label(*window.cell(*(tee.place or (0, 0))), tee.called, _colour(tee, bold=tee.cid == scene.cid)) for tee in near
    ]
    draw_labels(screen, labels, OVER, (screen.width // 2, screen.height // 2))
    for tee in tees:
        colour = _colour(tee, bold=True)
        style = Style(fg=16, bg=colour.fg, bold=True) if tee.cid == scene.cid else colour
        letter = next((char for char in tee.called if char.isascii() and char.isalnum()), "?").upper()
        _draw_letter(screen, window, tee.place or (0, 0), letter, style)


def _colour(tee: Tee, *, bold: bool) -> Style:
    return Style(fg=COLOURS[tee.cid % len(COLOURS)], bold=bold)


def _draw_aim(screen: Screen, column: int, row: int, tee: Tee) -> None:
    """Draw the direction of a tee's aim in one cell, or in `REACH` cells while its hook is out."""
    x, y = tee.aim
    if tee.input is None or (x, y) == (0, 0):
        return
    steep, flat = abs(y) > 2 * abs(x), abs(x) > 2 * abs(y)
    across = 0 if steep else 1 if x > 0 else -1
    down = 0 if flat else 1 if y > 0 else -1
    mark = "-" if flat else "|" if steep else "\\" if across == down else "/"
    for far in range(1, 1 + (REACH if tee.hooks else 1)):
        style = HOOKS if tee.hooks else theme.ALARM if tee.fires else AIMS
        at = (column + across * far, row + down * far)
        if 0 <= at[0] < screen.width and 0 <= at[1] < screen.height:
            screen.put(*at, mark, style)


def _draw_caption(screen: Screen, y: int, scene: _Scene, meeting: GhostPosition | None) -> None:
    """Draw the caption of the followed player: name, keys pressed, position, and run."""
    tee = scene.tee
    if tee is None:
        screen.put(1, y, EVERYWHERE if scene.cid < 0 else "not here now", theme.NOTE)
        return
    x = screen.put(1, y, clip(tee.called, LONGEST_NAME), _colour(tee, bold=True)) + 2
    x = screen.put(x, y, keys_words(tee)) + 2
    told = [*_whereabouts(tee), *tee.flags]
    screen.put(x, y, clip("  ".join(told), max(screen.width - x, 0)), theme.QUIET)
    words = [run_words(scene.replay, scene.cid)]
    if meeting:
        words.append(_ghost_words(meeting))
    screen.put(1, y + 1, clip("   ".join(filter(None, words)), screen.width - 2), theme.NOTE)


def _whereabouts(tee: Tee) -> list[str]:
    where = f"at {tee.place[0] // TILE},{tee.place[1] // TILE}" if tee.place else "has no tee"
    return [where, *([f"team {tee.team}"] if tee.team else []), *([tee.level] if tee.level else [])]


def _ghost_words(meeting: GhostPosition) -> str:
    if meeting.gap is None:
        return "ghost not here yet" if meeting.elapsed < 0 else "ghost far away"
    seconds = abs(meeting.gap) / TICKS_PER_SECOND
    ahead = "ahead" if meeting.gap > 0 else "behind" if meeting.gap < 0 else "beside you"
    return f"ghost {seconds:.2f} s {ahead}" if meeting.gap else f"ghost {ahead}"


def facts(replay: Replay[GameState]) -> list[Fact]:
    """Facts about the whole game."""
    opened = _opened(replay)
    state, terrain, header = opened.state, opened.terrain, opened.header
    alive = [tee for tee in state.tees if tee.alive]
    told = [("map", header.text("map_name"))]
    if terrain is None:
        told.append(("no map", "none of the maps at hand is it"))
    told.append(("players", f"{len(state.tees)}, {len(alive)} of them with a tee"))
    teams = sorted({tee.team for tee in state.tees if tee.team})
    if teams:
        told.append(("teams", " ".join(map(str, teams))))
    logged_in = [f"{tee.called} ({tee.level})" for tee in state.tees if tee.level]
    if logged_in:
        told.append(("rcon", ", ".join(logged_in)))
    latest, _ = opened.index.around(state.step, 1)
    told += [("last", f"{event.text} ({clock(state.step - event.step)} ago)") for event in latest]
    return told


def look(replay: Replay[GameState], viewpoint: Viewpoint, across: int, down: int) -> SquareInfo:
    """The content of the tile that far from the middle of the view."""
    scene = _scene(replay, viewpoint)
    centre = _window(scene, 3, 3, viewpoint).world(1, 1)
    x, y = centre[0] + across * TILE, centre[1] + down * TILE

    def place(width: int, height: int) -> tuple[int, int]:
        room = height - CAPTION if height >= LEAST else height
        column, row = _window(scene, width, room, viewpoint).cell(x, y)
        return (column, row) if row < room else (-1, -1)

    terrain = scene.replay.terrain
    told = [tee.called for tee in scene.state.tees if tee.place and _tile(tee.place) == _tile((x, y))]
    for kind, grid in terrain.grids.items() if terrain else ():
        glyph = GLYPHS[kind][grid.at(x, y)]
        if glyph.rank != AIR:
            told.append(f"{kind} {glyph.words}")
    return SquareInfo(f"{', '.join(told) or 'nothing'} (tile {x // TILE},{y // TILE})", place)


def _tile(place: tuple[int, int]) -> tuple[int, int]:
    return place[0] // TILE, place[1] // TILE


def _legend(replay: Replay[GameState]) -> Screen:
    from terminal.views.legend import draw_signs

    opened = _opened(replay)
    ghost = [(GHOST, GHOSTLY, "the ghost")] if opened.ghost else []
    tiles = [(glyph.char, glyph.style, glyph.words) for glyph in legend(opened.terrain.all)] if opened.terrain else []
    return draw_signs([*SIGNS, *ghost, *(tiles or [("", PLAIN, "there is no map at hand")])])


VIEW: Final = View(
    body,
    facts,
    look=look,
    panels={**PANELS, LEGEND: _legend},
    cameras=cameras,
    sides=sides,
    words={
        "attributes": "players",
        "overview": "times and runs",
        "ledger": "what happened",
        "look": "what is on a tile",
        "next-camera": "next player, the whole map",
        "next-side": "next layer, or 3v",
        "centre": "back to the player",
    },
)
