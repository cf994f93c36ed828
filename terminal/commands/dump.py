"""`nhlog dump`: a log line by line, its saves, or one save."""

from contextlib import closing

import click

from nhlog.errors import Usage
from terminal.options import FILE, force_option, json_option, output_option
from terminal.output import deliver, print_json
from terminal.words import printable

__all__ = ["command"]


@click.command("dump")
@click.argument("file", type=FILE)
@click.option("--saves", is_flag=True, help="One record per save line, with the digest of the whole save.")
@click.option("--save-at", metavar="POSITION", help="Write the binary save in force at this position.")
@output_option
@force_option
@json_option
def command(file: str, saves: bool, save_at: str | None, output: str, force: bool, as_json: bool) -> int:
    """Print what a log holds: its lines, its saves, or one binary save.

    \b
    nhlog dump game.nhgame --json            every line as an object
    nhlog dump game.nhgame --saves --json    every save line, with the save's length and digest
    nhlog dump game.nhgame --save-at turn:120 -o 120.save
    """
    from nhlog.formats import nhgame
    from nhlog.formats.nhgame.records import line_records, save_records

    if save_at is None and (output != "-" or force):
        raise Usage("-o and --force go with --save-at")
    log = nhgame.open_log(file)
    with closing(log.source):
        if save_at is not None:
            deliver(output, nhgame.save_at(log, save_at), force=force, as_json=as_json)
            return 0
        damaged = bool(log.partial)
        for record in save_records(log) if saves else line_records(log):
            damaged |= "error" in record
            if as_json:
                print_json(record)
            else:
                print(_plain(record))
    return 3 if damaged else 0


def _plain(record: dict[str, object]) -> str:
    """A record on one line: number, offset and kind in columns, then what else there is."""
    known = ("line", "offset", "kind", "utc", "date")
    rest = " ".join(f"{name}={_shown(value)}" for name, value in record.items() if name not in known and value != [])
    return printable(f"{record['line']:>6} {record['offset']:>9} {record['kind']:<14} {rest}".rstrip())


def _shown(value: object) -> object:
    """What is listed, with commas; of an object its values."""
    if isinstance(value, dict):
        return " ".join(map(str, value.values()))
    return ", ".join(str(_shown(item)) for item in value) if isinstance(value, list | tuple) else value
