"""`nhlog diff`: the difference between two saves, or between two recordings."""

from collections.abc import Mapping
from typing import Any

import click

from nhlog.errors import Usage
from nhlog.files.kinds import with_article
from nhlog.formats import format_of, is_recording
from nhlog.mdiff import MAX_SAVE, compact, reference
from terminal.input import read_files
from terminal.options import FILE, explain_option, force_option, json_option, output_option, pager_option
from terminal.output import deliver, print_diff, print_json, print_lines, print_table
from terminal.text.values import worded

__all__ = ["command"]


@click.command("diff")
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@output_option
@force_option
@click.option(
    "--reference", "identical", is_flag=True, help="Make exactly the bytes that NetHack 4 makes without hints."
)
@explain_option
@pager_option
@json_option
def command(old: str, new: str, output: str, force: bool, identical: bool, explain: bool, as_json: bool) -> int:
    """Compare two recordings of one format, or make the diff between two saves.

    For recordings, it prints the first differing event and state, and all differing metadata; for two maps also items
    and data; for two Echo VR replays also the largest and mean difference of each field. The exit code is 1 if they
    differ.

    For saves, the diff turns the binary save OLD into NEW, in the newest format (beta3).

    \b
    nhlog diff game.nhgame backup.nhgame
    nhlog diff old.map new.map
    nhlog diff match.echoreplay match.butter
    nhlog diff 119.save 120.save -o 120.diff
    nhlog diff 119.save 120.save --explain
    nhlog dump game.nhgame --save-at end | nhlog diff 119.save - -o last.diff
    """
    recordings = [is_recording(file) for file in (old, new)]
    if any(recordings):
        if not all(recordings):
            raise Usage("one is a recording and the other is not", expected="two recordings, or two saves")
        if explain or identical or force or output != "-":
            raise Usage("-o, --force, --reference and --explain are for saves")
        return _compare(old, new, as_json)
    base, save = read_files((old, new), MAX_SAVE)
    diff = (reference if identical else compact).encode(base, save)
    if explain:
        print_diff(diff, as_json)
    if output != "-" or not explain:
        deliver(output, diff, force=force, as_json=as_json)
    return 0


def _compare(old: str, new: str, as_json: bool) -> int:
    """Print the differences between two recordings; returns whether there are any."""
    from nhlog.formats.compare import compare

    kinds = [format_of(file) for file in (old, new)]
    if kinds[0] != kinds[1]:
        first, second = (with_article(kind.name) for kind in kinds)
        raise Usage(f"only recordings of one format can be compared: {old} is {first}, and {new} is {second}")
    own = kinds[0].load().diff
    records = list((own or compare)(old, new))
    if as_json:
        for record in records:
            print_json(record)
    elif records:
        print_table([_row(record) if "what" in record else record for record in records])
    else:
        print_lines("there is no difference", err=True)
    return 1 if any(_differs(record) for record in records) else 0


def _row(record: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a difference."""
    shown = {side: "-" if record[side] is None else worded(record["what"], record[side]) for side in ("old", "new")}
    return {"what": record["what"].replace("_", " "), "at": record["at"], **shown}


def _differs(record: Mapping[str, Any]) -> bool:
    """Whether a record tells of a difference; a report on all of them counts those."""
    return "what" in record or bool(record.get("differing") or record.get("only_a") or record.get("only_b"))
