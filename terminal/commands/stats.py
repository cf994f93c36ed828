"""`nhlog stats`: statistics of a recording's players."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click

from terminal.options import FILE, OfFormats, json_option, pager_option
from terminal.output import print_error, print_json, print_lines, print_table

__all__ = ["command"]

DAMAGED = 3


@click.command("stats", cls=OfFormats, operations=("stats",))
@click.argument("file", type=FILE)
@pager_option
@json_option
def command(file: str, as_json: bool, options: dict[str, Any]) -> int:
    """Count what players did: times, distances, finishes, points; for a game, its places and commands.

    \b
    nhlog stats game.nhgame
    nhlog stats run.teehistorian
    nhlog stats match.butter --json
    nhlog stats run.replay --ghost ghost.replay
    """
    from nhlog.formats import operation, reading

    records = list(operation(file, "stats", **options)(file))
    errors = [record for record in records if "error" in record]
    if as_json:
        for record in records:
            print_json(record)
    else:
        counted = [record for record in records if "error" not in record]
        with reading(file):
            for number, rows in enumerate(_by_kind(counted)):
                if number:
                    print_lines("")
                print_table(rows)
        if not records:
            print_lines(f"{file}: there is nobody to count anything of", err=True)
        for record in errors:
            print_error(f"{file}: {record['error']}")
    return DAMAGED if errors else 0


def _by_kind(records: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The records by kind, without the key `kind`."""
    for _, rows in groupby(records, lambda record: record.get("kind")):
        yield [{key: value for key, value in row.items() if key != "kind"} for row in rows]
