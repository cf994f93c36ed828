"""`nhlog events`: what happened in a recording, in order."""

import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from terminal.options import FILE, json_option
from terminal.output import print_error, print_json, print_lines
from terminal.text.words import clock

__all__ = ["command"]

DAMAGED: Final = 3
PAUSE: Final = 1 / 4  # seconds between two looks at a recording that is followed


@click.command("events")
@click.argument("file", type=FILE)
@click.option("--follow", is_flag=True, help="Wait for more, until the recording is finished.")
@json_option
def command(file: str, follow: bool, as_json: bool) -> int:
    """List what happened: joins, goals, finishes, checkpoints; of a game its commands.

    With --follow, too, what becomes of the recording: that it is waited for, rewound, replaced or finished.

    \b
    nhlog events match.butter
    nhlog events run.teehistorian --json
    nhlog events game.nhgame --follow --json
    """
    from nhlog.formats import reading

    code = 0
    with reading(file):
        for record in _followed(file) if follow else _records(file):
            if "error" in record:
                code = DAMAGED
            if as_json:
                print_json(record)
            elif "error" in record:
                print_error(f"{file}: {record['error']}")
            elif "change" in record:
                print_error(f"{file}: {record['text']}")
            else:
                print_lines(f"{clock(record['time']):>9}  {record['text']}")
    return code


def _followed(file: str) -> Iterator[Mapping[str, Any]]:
    """The events of a recording, and those to come, each printed before the next is waited for."""
    from nhlog.formats.follow import follow

    for record in follow(file):
        if record is not None:
            yield record
            continue
        sys.stdout.flush()
        time.sleep(PAUSE)


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
