"""`nhlog longest`: the longest recordings in a folder."""

import os
from contextlib import closing

import click

from nhlog import NhlogError, is_recording, open_recording
from terminal.options import json_option
from terminal.output import print_error, print_json, print_table


@click.command("longest")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False))
@click.option("--most", default=3, show_default=True, help="How many at the most.")
@json_option
def command(folder: str, most: int, as_json: bool) -> int:
    """List the longest recordings in a folder.

    \b
    nhlog longest samples --most 5
    """
    found, worst = [], 0
    for path in filter(is_recording, (os.path.join(folder, name) for name in sorted(os.listdir(folder)))):
        try:
            with closing(open_recording(path)) as replay:
                found.append({"file": path, "duration": replay.info.duration or 0})
        except NhlogError as error:  # the others are listed
            print_error(str(error))
            worst = max(worst, error.exit_code)
    longest = sorted(found, key=lambda one: -one["duration"])[:most]
    if as_json:
        for one in longest:
            print_json(one)
    else:
        print_table(longest)
    return worst
