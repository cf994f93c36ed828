"""`nhlog stats`: what each player of a recording did, counted."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click

from terminal.options import FILE, json_option
from terminal.output import print_error, print_json

__all__ = ["command"]

DAMAGED = 3


@click.command("stats")
@click.argument("file", type=FILE)
@click.option("--ghost", type=FILE, help="Of a Hollow Cube recording: another run of the course to compare with.")
@json_option
def command(file: str, ghost: str | None, as_json: bool) -> int:
    """Count what the players of a recording did: times, distances, finishes, points.

    \b
    nhlog stats run.teehistorian
    nhlog stats match.butter --json
    nhlog stats run.replay --ghost ghost.replay
    """
    from nhlog.formats import reading
    from terminal.replay.operations import call_operation
    from terminal.text.plain import table

    records = list(call_operation(file, "stats", ghost=ghost))
    errors = [record for record in records if "error" in record]
    if as_json:
        for record in records:
            print_json(record)
    else:
        counted = [record for record in records if "error" not in record]
        with reading(file):
            print("\n\n".join("\n".join(table(rows)) for rows in _by_kind(counted)))
        for record in errors:
            print_error(f"{file}: {record['error']}")
    return DAMAGED if errors else 0


def _by_kind(records: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The records of each kind, which is then not told in each of them."""
    for _, rows in groupby(records, lambda record: record.get("kind")):
        yield [{key: value for key, value in row.items() if key != "kind"} for row in rows]
