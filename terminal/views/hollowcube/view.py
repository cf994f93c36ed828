"""A Hollow Cube recording from above or from a side: the player and a trail, entities, the blocks that were set.

The player is ``@`` with an arrow where they look, the ghost ``&``, every other entity a letter by its type.
"""

from itertools import pairwise
from math import dist, isfinite
from typing import Any, Final

from nhlog.formats.hollowcube.race import Race
from nhlog.formats.hollowcube.reading.summary import people_of
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.state import Entity, RecordingState, Run
from nhlog.formats.hollowcube.wire.enums import End
from nhlog.formats.hollowcube.wire.events import PLAYER
from nhlog.formats.hollowcube.wire.header import TICK
from nhlog.formats.hollowcube.wire.primitives import Pos
from nhlog.formats.hollowcube.words import (
    coordinate,
    flag_words,
    item_words,
    one_line,
    pose_words,
    run_clock,
    slot_words,
)
from nhlog.replay import Replay
from nhlog.screen import PLAIN, Screen, Style, clip, width_of
from terminal.screen import theme
from terminal.views import LEGEND, Fact, View, Viewpoint, events
from terminal.views.hollowcube.cubes import (
    SIDES,
    Window,
    around,
    arrow,
    color_of,
    draw_blocks,
    draw_grid,
    draw_trail,
    fitting,
)
from terminal.views.lines import Line, draw_lines

__all__ = ["VIEW"]

TRAIL: Final = 200  # ticks: ten seconds
SECOND: Final = 20  # ticks
HERO: Final = Style(fg=231, bold=True)
GHOST: Final = Style(fg=177, bold=True)
PATH: Final = Style(fg=75)
GHOST_PATH: Final = Style(fg=97)
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
LEDGER: Final = (76, 18)
COMPASS: Final = ("south", "south-west", "west", "north-west", "north", "north-east", "east", "south-east")
NAMES: Final = {"top": "from above", "side": "from the south", "front": "from the west"}


def _opened(replay: Replay[Any]) -> CubeReplay:
    assert isinstance(replay, CubeReplay)
    return replay


def body(replay: Replay[RecordingState], width: int, height: int, viewpoint: Viewpoint) -> Screen:
    """The scene at the replay's step."""
    opened = _opened(replay)
    state, race = opened.state, opened.race
    ghost = None if race is None else race.state(state.step)
    trail = [place for _, place in opened.trail(TRAIL)]
    ghost_trail = [] if race is None else [place for _, place in race.path(state.step, TRAIL)]
    screen = Screen(width, height)
    room = height - 1
    window = _window(state, ghost, [*trail, *ghost_trail], width, room, viewpoint)
    scene = Screen(width, room)
    step = draw_grid(scene, window)
    draw_blocks(scene, window, state.blocks)
    draw_trail(scene, window, ghost_trail, GHOST_PATH)
    draw_trail(scene, window, trail, PATH)
    for number, entity in state.entities.items():
        if number != PLAYER:
            letter = LETTERS[entity.kind % len(LETTERS)]
            _draw_entity(scene, window, entity.position, letter, Style(fg=color_of(entity.kind)))
    if ghost is not None:
        _draw_entity(scene, window, ghost.player.position, "&", GHOST)
    _draw_entity(scene, window, state.player.position, "@", HERO)
    screen.paste(0, 1, scene)
    _draw_clock(screen, opened, f"{NAMES[window.side]}, {step:g} block{'' if step == 1 else 's'} between dots")
    return screen


def _window(
    state: RecordingState,
    ghost: RecordingState | None,
    places: list[Pos],
    width: int,
    height: int,
    viewpoint: Viewpoint,
) -> Window:
    side = SIDES[viewpoint.side % len(SIDES)]
    camera = viewpoint.camera % (2 if ghost is None else 3)
    if camera != 1:
        follows = state if camera == 0 or ghost is None else ghost
        return around(side, follows.player.position, width, height, viewpoint.zoom, viewpoint.pan)
    places += [entity.position for entity in state.entities.values()]
    places += [Pos(*place, 0.0, 0.0) for place in state.blocks]
    if ghost is not None:
        places.append(ghost.player.position)
    return fitting(side, places, width, height, viewpoint.zoom, viewpoint.pan)


def _draw_entity(screen: Screen, window: Window, position: Pos, glyph: str, style: Style) -> None:
    cell = window.cell(position)
    if cell is None:
        return
    x, y = cell
    looks = arrow(window, position)
    if looks is not None and glyph in "@&":
        screen.put(x + looks[0], y + looks[1], looks[2], Style(fg=style.fg))
    screen.put(x, y, glyph, style)


def _draw_clock(screen: Screen, replay: CubeReplay, caption: str) -> None:
    """Draw the first row: the run's clock, the last checkpoint, the ghost, or what is wrong; on the right the scale."""
    state = replay.state
    if state.fault:
        screen.put(0, 0, clip(state.fault, screen.width), theme.ALARM)
        return
    x = screen.put(1, 0, run_words(state.run, state.step), theme.KEY) + 2
    if state.run is not None and state.run.splits:
        split = state.run.splits[-1]
        told = f"{one_line(split.checkpoint)} {run_clock(split.run_time)}"
        x = screen.put(x, 0, clip(told, max(screen.width - x, 0)), theme.RARE) + 2
    if replay.race is not None:
        x = screen.put(x, 0, _gap_words(replay.race.gap(state.step)), GHOST) + 2
    if x + width_of(caption) <= screen.width:
        screen.put(screen.width - width_of(caption), 0, caption, theme.BAR)


def run_words(run: Run | None, tick: int) -> str:
    """The clock of a run as text."""
    if run is None:
        return "run unknown"
    if run.started is None and not run.splits:
        return "no run"
    if run.ended is not None and run.run_time is not None:
        return f"{'finished' if run.end is End.FINISH else 'given up'} {run_clock(run.run_time)}"
    return f"run {run_clock((tick - (run.started or 0)) * TICK // 1000)}"


def _gap_words(gap: int | None) -> str:
    if gap is None:
        return "no gap"
    if gap == 0:
        return "level with the ghost"
    return f"{run_clock(abs(gap))} {'ahead of' if gap > 0 else 'behind'} the ghost"


def facts(replay: Replay[RecordingState]) -> list[Fact]:
    """The run, the ghost, and the player's condition."""
    opened = _opened(replay)
    state = opened.state
    player, run, race = state.player, state.run, opened.race
    told: list[Fact] = [("fault", state.fault)] if state.fault else []
    if race is not None:
        told += _race_facts(race, state)
    told.append(("at", " ".join(coordinate(value) for value in player.position[:3])))
    told.append(("looks", _look_words(player.position)))
    told.append(("speed", _speed_words(opened)))
    told += _pose_facts(player)
    told.append(("run", run_words(run, state.step).removeprefix("run ")))
    if run is not None and run.splits:
        split = run.splits[-1]
        reached = f"{len(run.splits)} reached"
        told.append(("checkpoint", f"{one_line(split.checkpoint)} {run_clock(split.run_time)}, {reached}"))
    if len(state.entities) > 1:
        told.append(("entities", str(len(state.entities) - 1)))
    if state.blocks:
        told.append(("blocks set", str(len(state.blocks))))
    return told


def _race_facts(race: Race, state: RecordingState) -> list[Fact]:
    ghost = race.state(state.step)
    gap = race.gap(state.step)
    apart = dist(ghost.player.position[:3], state.player.position[:3])
    told: list[Fact] = [("gap", _gap_words(gap)), ("ghost", f"tick {ghost.step}, {coordinate(apart)} blocks away")]
    splits = race.splits(state.step)
    if splits:
        told.append((f"at {one_line(splits[-1].checkpoint)}", _signed_gap(splits[-1].gap)))
    return told


def _signed_gap(gap: int) -> str:
    """A time difference as racers write it: minus means faster than the ghost."""
    return f"{'-' if gap > 0 else '+'}{run_clock(abs(gap))}"


def _look_words(position: Pos) -> str:
    if not (isfinite(position.yaw) and isfinite(position.pitch)):
        return "nowhere"
    where = COMPASS[round(position.yaw / 45) % len(COMPASS)]
    return f"{where}, yaw {round(position.yaw)} pitch {round(position.pitch)}"


def _speed_words(replay: CubeReplay) -> str:
    """The speed over the last second, or the part of it that was recorded."""
    places = replay.trail(SECOND)
    way = sum(dist(before[1][:3], after[1][:3]) for before, after in pairwise(places))
    return f"{coordinate(way * SECOND / min(SECOND, max(replay.step, 1)))} blocks/s"


def _pose_facts(entity: Entity) -> list[Fact]:
    told: list[Fact] = []
    if entity.pose is not None:
        told.append(("pose", ", ".join([pose_words(entity.pose), *flag_words(entity.flags or 0)])))
    if entity.held is not None:
        item = entity.items.get(entity.held)
        told.append(("holds", f"{slot_words(entity.held)}: {(item and item_words(item)) or 'nothing known'}"))
    if entity.using is not None:
        told.append(("uses", f"{entity.using.name.lower()} hand"))
    return told


def inventory(replay: Replay[RecordingState]) -> Screen:
    """The player's inventory, as far as it was recorded; the held item is marked."""
    player = _opened(replay).state.player
    lines: list[Line] = [("Inventory", theme.HEAD)]
    for slot, item in sorted(player.items.items()):
        held = slot == player.held
        words = item_words(item)
        if words or held:
            lines.append(
                (f"{'▶' if held else ' '} {slot_words(slot):<12} {words or 'nothing'}", HERO if held else PLAIN)
            )
    if player.held is not None and player.held not in player.items:
        lines.append((f"▶ {slot_words(player.held):<12} nothing known", HERO))
    if len(lines) == 1:
        lines.append(("The recording says nothing of it.", PLAIN))
    return draw_lines(lines)


def attributes(replay: Replay[RecordingState]) -> Screen:
    """Every entity: its type, place and pose."""
    lines: list[Line] = [("   entity  type        x        y        z  pose", theme.HEAD)]
    for number, entity in sorted(_opened(replay).state.entities.items()):
        letter = "@" if number == PLAYER else LETTERS[entity.kind % len(LETTERS)]
        place = " ".join(f"{coordinate(value):>8}" for value in entity.position[:3])
        pose = [pose_words(entity.pose), *flag_words(entity.flags or 0)] if entity.pose is not None else []
        kind = "player" if number == PLAYER else str(entity.kind)
        lines.append(
            (f"{letter}  {number:>6}  {kind:<6} {place}  {', '.join(pose)}", HERO if number == PLAYER else PLAIN)
        )
    return draw_lines(lines)


def overview(replay: Replay[RecordingState]) -> Screen:
    """The checkpoints of the current run, and in a race the times at which the ghost reached them."""
    opened = _opened(replay)
    state, race = opened.state, opened.race
    if state.run is None:
        return draw_lines(
            [("Runs are known where all of a recording is cheap to read, or it has a table of them.", PLAIN)]
        )
    gaps = {} if race is None else {pair.checkpoint: pair for pair in race.splits(opened.timeline.last)}
    run = opened.history.run_at(opened.timeline.last) if race is not None else state.run
    run = state.run if run is None or run.started != state.run.started else run
    lines: list[Line] = [
        (run_words(state.run, state.step).capitalize() + ("" if race is None else _against(race)), theme.KEY),
        (f"{'checkpoint':<24} {'tick':>8} {'time':>12}" + (f" {'ghost':>8} {'gap':>11}" if race else ""), theme.HEAD),
    ]
    before = 0
    rows = [(split.tick, split.checkpoint, split.run_time) for split in run.splits]
    if run.ended is not None and run.run_time is not None:
        rows.append((run.ended, "finish" if run.end is End.FINISH else "given up", run.run_time))
    for tick, name, time in rows:
        pair = gaps.get(name)
        told = f" {pair.ghost_tick:>8} {_signed_gap(pair.gap):>11}" if pair else ""
        style = theme.FUTURE if tick > state.step else PLAIN
        lines.append((f"{clip(one_line(name), 24):<24} {tick:>8} {run_clock(time):>12}{told}", style))
        before = tick
    if not before:
        lines.append(("no checkpoint was reached", PLAIN))
    if run.resets:
        lines.append((f"put back to a checkpoint: {run.resets}", theme.NOTE))
    return draw_lines(lines)


def _against(race: Race) -> str:
    who = ", ".join(people_of(race.reader)) or "a ghost"
    return f", against {who}" + ("" if race.run.run_time is None else f" ({run_clock(race.run.run_time)})")


def ledger(replay: Replay[RecordingState]) -> Screen:
    """The events around this tick."""
    return events.VIEW.body(replay, *LEDGER, Viewpoint())


def cameras(replay: Replay[RecordingState]) -> tuple[str, ...]:
    """The names of the cameras: the player, everything, and in a race the ghost."""
    names = ("the player", "everything")
    return names if _opened(replay).race is None else (*names, "the ghost")


def sides(replay: Replay[RecordingState]) -> tuple[str, ...]:
    """The sides from which the world can be seen."""
    return tuple(NAMES[side] for side in SIDES)


def legend(replay: Replay[RecordingState]) -> Screen:
    """The signs of the scene."""
    from terminal.views.legend import Sign, draw_signs

    signs: list[Sign] = [
        ("@", HERO, "the player"),
        ("&", GHOST, "the ghost"),
        ("→", PLAIN, "beside them: where they look"),
        (f"{chr(0x28C7)}{chr(0x28F8)}", PATH, f"the way of the last {TRAIL // SECOND} s"),
        ("a-z", PLAIN, "others, a letter and a colour for each type"),
        ("█", PLAIN, "a block that was set, a colour for each kind"),
        ("·", theme.BAR, "points of a grid; the first row says how far apart"),
    ]
    return draw_signs([sign for sign in signs if sign[0] != "&" or _opened(replay).race is not None])


VIEW: Final = View(
    body,
    facts,
    panels={
        "inventory": inventory,
        "ledger": ledger,
        "attributes": attributes,
        "overview": overview,
        LEGEND: legend,
    },
    cameras=cameras,
    sides=sides,
    words={
        "ledger": "what happened",
        "attributes": "entities",
        "overview": "checkpoints and their times",
        "next-camera": "the player, all, the ghost",
        "next-side": "from above, south, west",
    },
)
