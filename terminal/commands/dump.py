"""`nhlog dump`: the content of a recording, record by record; for a log also its saves."""

from typing import Any

import click

from nhlog.errors import Usage
from terminal.options import FILE, OfFormats, force_option, json_option, output_option, pager_option
from terminal.output import deliver, print_error, print_json, print_lines

__all__ = ["command"]

DAMAGED = 3


@click.command("dump", cls=OfFormats, operations=("dump",))
@click.argument("file", type=FILE)
@output_option
@force_option
@pager_option
@json_option
def command(file: str, output: str, force: bool, as_json: bool, options: dict[str, Any]) -> int:
    """Print all records of a recording: a log's lines and saves; messages, ticks or frames of others.

    \b
    nhlog dump game.nhgame --json            every line as an object
    nhlog dump game.nhgame --saves --json    every save line, with the save's length and digest
    nhlog dump game.nhgame --save-at turn:120 -o 120.save
    nhlog dump game.ttyrec --screens --every 10s
    nhlog dump dm1.map --item image:2 -o grass.png
    nhlog dump dm1.map --data 5 -o tiles.bin
    """
    from nhlog.formats import format_of, operation, reading
    from terminal.replay.open import telling_outside
    from terminal.text.records import text_output

    format_id = format_of(file).id  # before standard input is read
    with telling_outside(print_error):
        records = operation(file, "dump", **options)(file)
    if isinstance(records, bytes):
        deliver(output, records, force=force, as_json=as_json)
        return 0
    if output != "-" or force:
        raise Usage("these are records, which are printed: -o and --force are for what is dumped as bytes", file=file)
    damaged, found = False, False
    with reading(file):
        for record in records:
            found = True
            damaged |= "error" in record or record.get("kind") == "partial"
            if as_json:
                print_json(record)
            else:
                print_lines(*text_output(format_id, "dump", record))
    if not found:
        print_lines(f"{file}: no such records in it", err=True)
    return DAMAGED if damaged else 0
