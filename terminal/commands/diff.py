"""`nhlog diff`: the difference between two saves, or between two recordings."""

import click

from nhlog.formats import is_recording, operation
from nhlog.mdiff import MAX_SAVE, compact, reference
from terminal.input import read_files
from terminal.options import FILE, explain_option, force_option, json_option, output_option
from terminal.output import deliver, print_diff, print_json, print_table

__all__ = ["command"]


@click.command("diff")
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@output_option
@force_option
@click.option("--reference", "identical", is_flag=True, help="Make the very bytes that NetHack 4 makes without hints.")
@explain_option
@json_option
def command(old: str, new: str, output: str, force: bool, identical: bool, explain: bool, as_json: bool) -> None:
    """Make the diff that turns the binary save OLD into NEW, in the newest format (beta3).

    Of two Echo VR replays: the largest and the mean difference of each field.

    \b
    nhlog diff 119.save 120.save -o 120.diff
    nhlog diff 119.save 120.save --explain
    nhlog dump game.nhgame --save-at end | nhlog diff 119.save - -o last.diff
    nhlog diff match.echoreplay match.butter
    """
    if is_recording(old):
        _compare(old, new, as_json)
        return
    base, save = read_files((old, new), MAX_SAVE)
    diff = (reference if identical else compact).encode(base, save)
    if explain:
        print_diff(diff, as_json)
    if output != "-" or not explain:
        deliver(output, diff, force=force, as_json=as_json)


def _compare(old: str, new: str, as_json: bool) -> None:
    """Print the differences between two recordings."""
    records = list(operation(old, "diff")(old, new))
    if as_json:
        for record in records:
            print_json(record)
    else:
        print_table(records)
