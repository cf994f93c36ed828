"""`nhlog compact`: write a recording as small as possible."""

from typing import TYPE_CHECKING, Any

import click

from terminal.options import FILE, OfFormats, force_option, json_option
from terminal.output import print_json, print_record

if TYPE_CHECKING:
    from nhlog.operations import Convert

__all__ = ["command"]


@click.command("compact", cls=OfFormats, operations=("compact",))
@click.argument("source", type=FILE)
@click.option("-o", "--output", "target", type=FILE, required=True, metavar="FILE", help="Where to write.")
@force_option
@json_option
def command(source: str, target: str, force: bool, as_json: bool, options: dict[str, Any]) -> None:
    """Make a Hollow Cube recording as small as possible: write SOURCE, a folder or a file, to one file.

    The result is read back and compared with SOURCE before it takes its place. It is never larger, unless you add to
    it. What a crash left of a segment is included; if something is lost, recover SOURCE first.

    \b
    nhlog compact run -o run.replay
    nhlog compact run -o run.replay --remove --analysis
    nhlog compact day.replay -o small.replay --merge 1200 --dictionary
    """
    from nhlog.formats import check_ending, format_of, operation

    compact: Convert = operation(source, "compact", **options)
    check_ending(target, format_of(source))
    record = compact(source, target, force=force)
    if as_json:
        print_json(record)
    else:
        print_record(record)
