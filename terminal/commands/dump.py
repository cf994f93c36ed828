"""`nhlog dump`: the content of a recording, record by record; for a log also its saves."""

import click

from nhlog.errors import Usage
from terminal.options import (
    FILE,
    charset_option,
    force_option,
    json_option,
    output_option,
    pager_option,
    terminal_size_option,
    timing_option,
)
from terminal.output import deliver, print_error, print_json, print_lines

__all__ = ["command"]

DAMAGED = 3


@click.command("dump")
@click.argument("file", type=FILE)
@click.option("--saves", is_flag=True, help="For logs: one record per save line, with the digest of the whole save.")
@click.option("--save-at", metavar="POSITION", help="For logs: write the binary save at this position.")
@click.option("--as-reference", is_flag=True, help="For .butter files: print what the reference decoder prints.")
@click.option("--screens", is_flag=True, help="For recorded terminals: print screens instead of output.")
@click.option("--frames", metavar="N,N...", help="With --screens: those after these events.")
@click.option("--every", metavar="SPAN", help="With --screens: one every 10s, 5m, 500ms.")
@click.option("--styles", is_flag=True, help="With --screens: colours and other styles, too.")
@terminal_size_option
@charset_option
@timing_option
@click.option("--first", type=click.IntRange(min=0), help="The first tick of a teehistorian, or event of a terminal.")
@click.option("--last", type=click.IntRange(min=0), help="The last one.")
@click.option("--player", help="For teehistorians: only this player, by name or number.")
@click.option("--kind", help="For teehistorians: only records of this kind.")
@click.option("--item", metavar="TYPE:N", help="For maps: only this item: layer:3; image:2 is written as PNG.")
@click.option("--data", type=click.IntRange(min=0), metavar="N", help="For maps: the bytes of this data item.")
@output_option
@force_option
@pager_option
@json_option
def command(
    file: str,
    saves: bool,
    save_at: str | None,
    as_reference: bool,
    output: str,
    force: bool,
    as_json: bool,
    screens: bool,
    styles: bool,
    **chosen: str | int | None,
) -> int:
    """Print all records of a recording: a log's lines and saves; messages, ticks or frames of others.

    \b
    nhlog dump game.nhgame --json            every line as an object
    nhlog dump game.nhgame --saves --json    every save line, with the save's length and digest
    nhlog dump game.nhgame --save-at turn:120 -o 120.save
    nhlog dump game.ttyrec --screens --every 10s
    nhlog dump dm1.map --item image:2 -o grass.png
    nhlog dump dm1.map --data 5 -o tiles.bin
    """
    from nhlog.formats import format_of, reading
    from terminal.replay.open import telling_outside
    from terminal.replay.operations import call_operation
    from terminal.text.records import text_output

    if (output != "-" or force) and all(option is None for option in (save_at, chosen["item"], chosen["data"])):
        raise Usage("-o and --force go with --save-at, --item and --data")
    if chosen["item"] is not None and chosen["data"] is not None:
        raise Usage("--item and --data exclude each other")
    format_id = format_of(file).id  # before standard input is read
    flags = {
        "saves": saves or None,
        "as_reference": as_reference or None,
        "screens": screens or None,
        "styles": styles or None,
    }
    with telling_outside(print_error):
        records = call_operation(file, "dump", save_at=save_at, **flags, **chosen)
    if isinstance(records, bytes):
        deliver(output, records, force=force, as_json=as_json)
        return 0
    if chosen["item"] is not None and output != "-":
        raise Usage(f"{chosen['item']} is not a picture: it is printed, without -o")
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
