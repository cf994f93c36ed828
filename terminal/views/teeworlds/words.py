"""Text for recorded Teeworlds servers: keys, runs, tables of players and events."""

from collections.abc import Callable, Mapping
from typing import Final

from nhlog.formats.datafile.wire.tiles import TILE
from nhlog.formats.teehistorian.race import Run
from nhlog.formats.teehistorian.reading.events import TeeEvent, clock
from nhlog.formats.teehistorian.replay import TeeReplay
from nhlog.formats.teehistorian.state import GameState, Tee
from nhlog.replay import Replay
from nhlog.screen import PLAIN, Screen, Style, clip, width_of
from terminal.screen import theme
from terminal.views.lines import Line, draw_lines

__all__ = ["PANELS", "keys_words", "run_words"]

LEDGER: Final = (76, 20)
NAMES: Final = 16  # columns for a name
FEW: Final = 200  # rows of a table
_STYLES: Final = {"finish": theme.GOOD, "login": theme.RARE, "leave": theme.QUIET, "command": theme.NOTE}


def keys_words(tee: Tee) -> str:
    """The keys held, each at a fixed place; a dot for one that is not held."""
    direction = {-1: "<-", 1: "->"}.get(tee.direction, "..")
    held = [(tee.jumps, "jump"), (tee.hooks, "hook"), (tee.fires, "fire")]
    words = [direction, *(word if on else "." * len(word) for on, word in held), tee.weapon]
    return " ".join(words) if tee.input else "no input yet"


def run_words(replay: TeeReplay, cid: int) -> str:
    """The run of a client at the replay's step; empty without a map or a run."""
    step = replay.state.step
    run = replay.races.run(cid, step) if replay.races else None
    if run is None:
        return ""
    if run.finish is not None:
        told = [f"finished in {clock(run.finish - run.start)}"]
    else:
        told = [f"run {clock(step - run.start)}"]
    if run.splits:
        number, tick = run.splits[-1]
        told.append(f"checkpoint {number} {clock(tick - run.start)}")
    return "  ".join(told)


def _opened(replay: object) -> TeeReplay:
    assert isinstance(replay, TeeReplay)
    return replay


def _name(name: str) -> str:
    name = clip(name, NAMES)
    return name + " " * (NAMES - width_of(name))


def _players(replay: Replay[GameState]) -> Screen:
    """The present players, with team, place, weapon and keys."""
    rows: list[Line] = [(f"{'id':>3} {'name':{NAMES}} {'clan':12} team   tile      keys", theme.HEAD)]
    for tee in _opened(replay).state.tees:
        tile = f"{tee.place[0] // TILE},{tee.place[1] // TILE}" if tee.place else "-"
        clan = clip(tee.clan, 12)
        line = f"{tee.cid:>3} {_name(tee.called)} {clan}{' ' * (12 - width_of(clan))} {tee.team:>4}   {tile:9} "
        rows.append((line + keys_words(tee), PLAIN if tee.alive else theme.QUIET))
    return draw_lines(rows)


def _overview(replay: Replay[GameState]) -> Screen:
    """The times recorded by the server, and the runs from start to finish line on the map with their splits."""
    opened = _opened(replay)
    step = opened.state.step
    finishes = [event for event in opened.events(0, step) if event.kind == "finish"]
    rows: list[Line] = [("times by the server", theme.HEAD)]
    rows += [(f"{clock(event.step):>9}  {event.text}", theme.GOOD) for event in finishes[-FEW:]]
    if not finishes:
        rows.append(("none so far", theme.NOTE))
    rows += [("", PLAIN), ("runs on the map", theme.HEAD)]
    runs = opened.races.runs(step) if opened.races else []
    rows += [_run_line(opened, run, step) for run in runs[-FEW:]]
    if not runs:
        rows.append(("none so far" if opened.races else "the map is not at hand", theme.NOTE))
    return draw_lines(rows)


def _run_line(replay: TeeReplay, run: Run, step: int) -> Line:
    tee = replay.state_at(run.start).tee(run.cid)
    splits = [f"{number}: {clock(tick - run.start)}" for number, tick in run.splits if tick <= step]
    done = run.finish is not None and run.finish <= step
    end = clock((run.finish or 0) - run.start) if done else "-"
    words = f"{clock(run.start):>9}  {_name(tee.called if tee else f'client {run.cid}')} {end:>8}  {'  '.join(splits)}"
    return words, theme.GOOD if done else PLAIN


def _ledger(replay: Replay[GameState]) -> Screen:
    """The events around the replay's step, with the current one marked."""
    opened = _opened(replay)
    before, after = opened.index.around(opened.state.step, LEDGER[1] // 2)
    rows: list[Line] = [(f"  {'time':>9} {'tick':>8}  what", theme.HEAD)]
    for event in (*before, *after):
        here = bool(before) and event is before[-1]
        style = theme.HERE if here else theme.FUTURE if event.step > opened.state.step else _event_style(event)
        rows.append((_event_words(event, here), style))
    return draw_lines(rows)


def _event_words(event: TeeEvent, here: bool) -> str:
    words = f"{'▶' if here else ' '} {clock(event.step):>9} {event.step:>8}  {event.text}"
    return clip(words, LEDGER[0])


def _event_style(event: TeeEvent) -> Style:
    return _STYLES.get(event.kind, PLAIN)


PANELS: Final[Mapping[str, Callable[[Replay[GameState]], Screen]]] = {
    "attributes": _players,
    "overview": _overview,
    "ledger": _ledger,
}
