"""`nhlog restore`: the exact file of an archived game."""

import click

from terminal.options import FILE, force_option, json_option
from terminal.output import print_error, print_json, print_lines
from terminal.text.words import size

__all__ = ["command"]

DAMAGED = 3


@click.command("restore")
@click.argument("address", metavar="ADDRESS")
@click.option(
    "-o", "--output", "target", type=FILE, metavar="FILE", help="Where to write; by default here, under the same name."
)
@force_option
@json_option
def command(address: str, target: str | None, force: bool, as_json: bool) -> int:
    """Write an archived game to a file again, byte for byte.

    If the archive is damaged, the lost parts are filled with zero bytes, and the exit code is 3. A game of more than
    64 MB, and 200 bytes for each byte that it is unpacked from, is written only with --force.

    \b
    nhlog restore s3://museum/2026/ada.nhgame
    nhlog restore s3://museum/2026/ada.nhgame -o again.nhgame
    """
    from nhlog.archive.writing import restore

    record = restore(address, target or address.rpartition("/")[2], force=force)
    if as_json:
        print_json(record)
    else:
        print_lines(f"{record['file']}: {size(record['size'])}")
    if not record["damaged"]:
        return 0
    lost = f"{record['damaged']} damaged frames, {size(record['lost_bytes'])} of zero bytes in their place"
    print_error(f"{address}: {lost}")
    return DAMAGED
