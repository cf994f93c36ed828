"""`nhlog patch`: rebuild a save from the one before it and a diff."""

import click

from nhlog.mdiff import MAX_SAVE, MdiffError, apply
from terminal.input import read_files
from terminal.options import FILE, explain_option, force_option, json_option, output_option
from terminal.output import deliver, print_diff

__all__ = ["command"]


@click.command("patch")
@click.argument("old", type=FILE)
@click.argument("diff", type=FILE)
@output_option
@force_option
@explain_option
@json_option
def command(old: str, diff: str, output: str, force: bool, explain: bool, as_json: bool) -> None:
    """Apply DIFF, in any of the three formats, to the binary save OLD, and write the new save.

    \b
    nhlog patch 119.save 120.diff -o 120.save
    nhlog patch 119.save 120.diff --explain
    """
    base, changes = read_files((old, diff), MAX_SAVE)
    try:
        if explain:
            print_diff(changes, as_json)
        if output != "-" or not explain:
            deliver(output, apply(changes, base), force=force, as_json=as_json)
    except MdiffError as error:
        raise error.within(diff) from None
