"""`nhlog events`: what happened in a recording, in order."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from terminal.options import FILE, json_option
from terminal.output import print_error, print_json
from terminal.text.words import clock, printable

__all__ = ["command"]

DAMAGED = 3


@click.command("events")
@click.argument("file", type=FILE)
@json_option
def command(file: str, as_json: bool) -> int:
    """List what happened: joins, goals, finishes, checkpoints; of a game its commands.

    \b
    nhlog events match.butter
    nhlog events run.teehistorian --json
    """
    from nhlog.formats import reading

    code = 0
    with reading(file):
        for record in _records(file):
            if "error" in record:
                code = DAMAGED
            if as_json:
                print_json(record)
            elif "error" in record:
                print_error(f"{file}: {record['error']}")
            else:
                print(f"{clock(record['time']):>9}  {printable(record['text'])}")
    return code


def _records(file: str) -> Iterator[Mapping[str, Any]]:
    """The format's own records, or what every recording tells of its events."""
    from nhlog.errors import Unsupported
    from nhlog.formats import operation

    try:
        own = operation(file, "events")
    except Unsupported:
        yield from _told(file)
    else:
        yield from own(file)


def _told(file: str) -> Iterator[Mapping[str, Any]]:
    """What a replay tells of its events, and whether it is damaged."""
    from nhlog.replay import Status
    from terminal.replay.open import viewing

    with viewing(file) as replay:
        timeline = replay.timeline
        for event in replay.events(0, timeline.last):
            yield {"step": event.step, "time": timeline.time(event.step), "text": event.text}
        if replay.info.status is Status.DAMAGED:
            yield {"error": replay.info.note or "damaged: nhlog verify tells where"}
