"""`nhlog events`: what happened in a recording, in order."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from terminal.options import FILE, json_option
from terminal.output import print_json
from terminal.text.words import clock, printable

__all__ = ["command"]


@click.command("events")
@click.argument("file", type=FILE)
@json_option
def command(file: str, as_json: bool) -> None:
    """List what happened: joins, goals, finishes, checkpoints; of a game its commands.

    \b
    nhlog events match.butter
    nhlog events run.teehistorian --json
    """
    for record in _records(file):
        if as_json:
            print_json(record)
        else:
            print(f"{clock(record['time']):>9}  {printable(record['text'])}")


def _records(file: str) -> Iterator[Mapping[str, Any]]:
    """The format's own event records, or the replay's events."""
    from contextlib import closing

    from nhlog.errors import Unsupported
    from nhlog.formats import operation
    from terminal.replay.open import open_viewed

    try:
        own = operation(file, "events")
    except Unsupported:
        with closing(open_viewed(file)) as replay:
            timeline = replay.timeline
            for event in replay.events(0, timeline.last):
                yield {"step": event.step, "time": timeline.time(event.step), "text": event.text}
    else:
        yield from own(file)
