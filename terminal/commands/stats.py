"""`nhlog stats`: what each player of a recording did, counted."""

import click

from terminal.options import FILE, json_option
from terminal.output import print_json

__all__ = ["command"]


@click.command("stats")
@click.argument("file", type=FILE)
@json_option
def command(file: str, as_json: bool) -> None:
    """Count what the players of a recording did: times, distances, finishes, points.

    \b
    nhlog stats run.teehistorian
    nhlog stats match.butter --json
    """
    from nhlog.formats import ability
    from terminal.told.plain import table

    records = list(ability(file, "stats")(file))
    if as_json:
        for record in records:
            print_json(record)
    elif records:
        print("\n".join(table(records)))
