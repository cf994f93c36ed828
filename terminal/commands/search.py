"""`nhlog search`: search a recording."""

from collections.abc import Iterator
from typing import Any

import click

from nhlog.progress import report
from nhlog.replay import Event
from terminal.options import FILE, json_option, opening_options, pager_option
from terminal.output import print_error, print_json, print_lines
from terminal.replay.search import search
from terminal.text.pattern import compile_pattern
from terminal.text.words import clock
from terminal.text.wrapping import Line

__all__ = ["command"]


@click.command("search")
@click.argument("file", type=FILE)
@click.argument("pattern")
@click.option(
    "--first", metavar="POSITION", default="start", help="Where to start; by default at the start of the recording."
)
@click.option("--last", metavar="POSITION", default="end", help="Where to stop; by default at its end.")
@opening_options()
@pager_option
@json_option
def command(file: str, pattern: str, first: str, last: str, as_json: bool, opening: dict[str, Any]) -> int:
    """Search a recording: commands, answers, typed text; in recorded terminals, what appeared on the screen.

    PATTERN is a regular expression; lower-case letters match capitals, too. It is matched against what happened, in
    words and as recorded, or against the rows of the screen. The exit code is 1 if nothing is found.

    \b
    nhlog search game.nhgame kick
    nhlog search game.nhgame 'wish.*dragon' --json
    nhlog search game.ttyrec 'you (die|drown)'
    nhlog search run.teehistorian 'nameless tee.*/team' --first tick:5000 --last 2:30
    """
    from nhlog.timeline import parse_position
    from terminal.replay.open import tell_unshown, telling_outside, viewing

    wanted = compile_pattern(pattern)
    hits = 0
    with viewing(file, **opening) as replay:
        timeline = replay.timeline
        with telling_outside(print_error):
            begin, end = (timeline.resolve(parse_position(place)) for place in (first, last))
        for event in _events(search(replay, wanted, begin, end), begin, end):
            hits += 1
            if as_json:
                where = {name: timeline.at(name, event.step) for name in timeline.axes}
                print_json({"step": event.step, **where, "text": event.text, "source": event.source})
            else:
                place = f"{timeline.unit} {timeline.at(timeline.unit, event.step)}"
                told = f"{place:<12} {clock(timeline.time(event.step)):>9}"
                print_lines(Line((told, "NOTE"), "  ", event.text, hang=len(told) + 2))
        code = tell_unshown(replay, file, print_error)
    if not hits:
        print_lines(f"{file}: nothing found that matches {pattern}", err=True)
    return code or (0 if hits else 1)


def _events(found: Iterator[Event | int], first: int, last: int) -> Iterator[Event]:
    """The events among what was found, and how far it is to whoever waits."""
    for one in found:
        if isinstance(one, Event):
            yield one
        else:
            report("searching", abs(one - first), max(last - first, 1))
