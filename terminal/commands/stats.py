"""`nhlog stats`: statistics of a recording's players."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click

from terminal.options import FILE, charset_option, json_option, pager_option, terminal_size_option, timing_option
from terminal.output import print_error, print_json, print_lines, print_table

__all__ = ["command"]

DAMAGED = 3


@click.command("stats")
@click.argument("file", type=FILE)
@click.option("--ghost", type=FILE, help="For Hollow Cube: another run of the course, to compare with.")
@terminal_size_option
@charset_option
@timing_option
@pager_option
@json_option
def command(
    file: str, ghost: str | None, size: str | None, charset: str | None, timing: str | None, as_json: bool
) -> int:
    """Count what players did: times, distances, finishes, points; for a game, its places and commands.

    \b
    nhlog stats game.nhgame
    nhlog stats run.teehistorian
    nhlog stats match.butter --json
    nhlog stats run.replay --ghost ghost.replay
    """
    from nhlog.formats import reading
    from terminal.replay.operations import call_operation

    records = list(call_operation(file, "stats", ghost=ghost, size=size, charset=charset, timing=timing))
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
