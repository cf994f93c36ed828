"""`nhlog search`: search a recording."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from nhlog.progress import report
from nhlog.replay import Event, Replay
from terminal.input import recordings_in
from terminal.options import FILE, OfFormats, json_option, pager_option
from terminal.output import each_file, print_error, print_json, print_lines
from terminal.replay.search import search
from terminal.text.pattern import compile_pattern
from terminal.text.words import clock
from terminal.text.wrapping import Line

if TYPE_CHECKING:
    from nhlog.timeline import Position

__all__ = ["command"]


@click.command("search", cls=OfFormats, operations=("open",))
@click.argument("file", type=FILE, metavar="FILE|DIR")
@click.argument("pattern")
@click.option(
    "--first", metavar="POSITION", default="start", help="Where to start; by default at the start of the recording."
)
@click.option("--last", metavar="POSITION", default="end", help="Where to stop; by default at its end.")
@pager_option
@json_option
def command(file: str, pattern: str, first: str, last: str, as_json: bool, options: dict[str, Any]) -> int:
    """Search a recording: commands, answers, typed text; in recorded terminals, what appeared on the screen.

    PATTERN is a regular expression; lower-case letters match capitals, too. It is matched against what happened, in
    words and as recorded, or against the rows of the screen. The exit code is 1 if nothing is found.

    Of a folder, each recording is searched, and each hit names its file. One that cannot be read is told, and the
    others are searched.

    \b
    nhlog search game.nhgame kick
    nhlog search game.nhgame 'wish.*dragon' --json
    nhlog search game.ttyrec 'you (die|drown)'
    nhlog search /var/games/nhlog 'ascend'
    nhlog search run.teehistorian 'nameless tee.*/team' --first tick:5000 --last 2:30
    """
    from nhlog.timeline import parse_position
    from terminal.replay.open import tell_unshown, viewing

    wanted, begin, end = compile_pattern(pattern), parse_position(first), parse_position(last)
    inside = recordings_in((file,), "open")
    hits = 0

    def tell(one: str) -> int:
        nonlocal hits
        with viewing(one, **options) as replay:
            for event in _between(replay, wanted, begin, end):
                hits += 1
                _tell(replay, event, "" if inside is None else one, as_json=as_json)
            return tell_unshown(replay, one, print_error)

    code = tell(file) if inside is None else each_file(inside, tell)
    if not hits:
        nothing = "no recordings here" if inside == [] else f"nothing found that matches {pattern}"
        print_lines(f"{file}: {nothing}", err=True)
    return code or (0 if hits else 1)


def _between(replay: Replay[Any], wanted: re.Pattern[str], first: "Position", last: "Position") -> Iterator[Event]:
    """The events that match, between two positions."""
    from terminal.replay.open import telling_outside

    with telling_outside(print_error):
        begin, end = (replay.timeline.resolve(place) for place in (first, last))
    return _events(search(replay, wanted, begin, end), begin, end)


def _tell(replay: Replay[Any], event: Event, file: str, *, as_json: bool) -> None:
    """Print an event, with the file that it is in if there are several."""
    timeline = replay.timeline
    if as_json:
        first = {"file": file} if file else {}
        where = {name: timeline.at(name, event.step) for name in timeline.axes}
        print_json({**first, "step": event.step, **where, "text": event.text, "source": event.source})
        return
    place = f"{timeline.unit} {timeline.at(timeline.unit, event.step)}"
    told = f"{place:<12} {clock(timeline.time(event.step)):>9}"
    named = f"{file}: " if file else ""
    print_lines(Line(named, (told, "NOTE"), "  ", event.text, hang=len(named) + len(told) + 2))


def _events(found: Iterator[Event | int], first: int, last: int) -> Iterator[Event]:
    """The events among what was found, and how far it is to whoever waits."""
    for one in found:
        if isinstance(one, Event):
            yield one
        else:
            report("searching", abs(one - first), max(last - first, 1))
