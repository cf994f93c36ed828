"""`nhlog events`: what happened in a recording, in order."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import click

from terminal.options import FILE, OfFormats, json_option, pager_option
from terminal.output import line_printer, print_error, print_json, print_lines
from terminal.text.words import clock

__all__ = ["command"]

DAMAGED: Final = 3
PAUSE: Final = 1 / 4  # seconds between two looks at a recording that is followed


@click.command("events", cls=OfFormats, operations=("open",))
@click.argument("file", type=FILE)
@click.option("--follow", is_flag=True, help="Wait for more until the recording is finished.")
@pager_option
@json_option
def command(file: str, follow: bool, as_json: bool, options: dict[str, str]) -> int:
    """List what happened: joins, goals, finishes, checkpoints; for a game, its commands.

    With --follow it also says when the recording is waited for, rewound, replaced or finished.

    \b
    nhlog events match.butter
    nhlog events run.teehistorian --json
    nhlog events game.nhgame --follow --json
    """
    from nhlog.formats import reading

    code, happened, tell = 0, False, line_printer("NOTE", 9)
    with reading(file):
        for record in (_followed if follow else _records)(file, options):
            happened = True
            if "error" in record:
                code = DAMAGED
            if as_json:
                print_json(record)
            elif "error" in record:
                print_error(f"{file}: {record['error']}")
            elif "time" not in record:
                print_error(f"{file}: {record['text']}")
            else:
                tell(clock(record["time"]), record["text"])
    if not happened:
        print_lines(f"{file}: nothing happened in it", err=True)
    return code


def _followed(file: str, opening: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """The events of a recording, and those to come, each printed before the next is waited for."""
    from nhlog.formats.follow import follow

    for record in follow(file, _opener(opening)):
        if record is not None:
            yield record
            continue
        sys.stdout.flush()
        time.sleep(PAUSE)


def _records(file: str, opening: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    from nhlog.formats.follow import happened

    return happened(file, _opener(opening))


def _opener(opening: Mapping[str, str]) -> Callable[[str], Any]:
    from nhlog.formats import open_recording

    return lambda path: open_recording(path, **opening)
