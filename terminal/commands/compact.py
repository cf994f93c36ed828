"""`nhlog compact`: write a recording as small as possible."""

import click

from terminal.options import FILE, force_option, json_option
from terminal.output import print_json, print_record

__all__ = ["command"]


@click.command("compact")
@click.argument("source", type=FILE)
@click.option("-o", "--output", "target", type=FILE, required=True, metavar="FILE", help="Where to write.")
@click.option("--level", type=click.IntRange(1, 22), help="The compression level: 19 by default.")
@click.option("--dictionary", is_flag=True, help="First train a zstd dictionary on the recording.")
@click.option(
    "--merge",
    type=click.IntRange(min=1),
    metavar="TICKS",
    help="Merge chunks up to this many ticks; by default as far as seeking stays quick.",
)
@click.option("--analysis", is_flag=True, help="Add counts, time and distance to the metadata.")
@click.option("--remove", is_flag=True, help="Delete SOURCE after the result has been read back and compared.")
@force_option
@json_option
def command(
    source: str,
    target: str,
    level: int | None,
    merge: int | None,
    dictionary: bool,
    analysis: bool,
    remove: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make a Hollow Cube recording as small as possible: write SOURCE, a folder or a file, to one file.

    The result is read back and compared with SOURCE before it takes its place. It is never larger, unless you add to
    it. What a crash left of a segment is included; if something is lost, recover SOURCE first.

    \b
    nhlog compact run -o run.replay
    nhlog compact run -o run.replay --remove --analysis
    nhlog compact day.replay -o small.replay --merge 1200 --dictionary
    """
    from nhlog.formats import check_ending, format_of, operation
    from terminal.replay.operations import call_operation

    operation(source, "compact")
    check_ending(target, format_of(source))
    flags = {"dictionary": dictionary, "analysis": analysis, "remove": remove, "force": force}
    given = {name: True for name, value in flags.items() if value}
    record = call_operation(source, "compact", target, level=level, merge=merge, **given)
    if as_json:
        print_json(record)
    else:
        print_record(record)
