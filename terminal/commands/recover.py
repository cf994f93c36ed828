"""`nhlog recover`: repair what a crash left incomplete."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from nhlog.errors import Usage
from terminal.input import recordings_in
from terminal.options import FILE, OfFormats, json_option, recordings_argument
from terminal.output import print_json, print_lines, tell_each

if TYPE_CHECKING:
    from nhlog.operations import Recover, Rescue

__all__ = ["command"]

Record = Mapping[str, Any]


@click.command("recover", cls=OfFormats, operations=("recover",))
@recordings_argument
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@click.option("--no-keep", is_flag=True, help="Do not keep what is cut off.")
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="For Hollow Cube: save what can be read here, and leave the recording as it is; --force replaces the file.",
)
@json_option
def command(
    files: tuple[str, ...], dry_run: bool, no_keep: bool, output: str | None, as_json: bool, options: dict[str, Any]
) -> int:
    """Repair a recording that was not finished properly.

    A log whose last line is incomplete is cut after its last newline, and its recovery count is raised, so everybody
    who has the game open reads it again. What was cut off is kept in FILE.cut-NUMBER. A log that ends in a newline is
    left alone. The same people may do it as for `nhlog rewind`; players need no such right: the next key they press
    repairs the game.

    Any other recording is cut after its last whole record, in the same way. It is left alone while another program
    writes it. For a Hollow Cube recording that is damaged earlier, -o saves what can be read.

    Several recordings, or those in a folder, are repaired in turn; a table shows the result of each.

    \b
    nhlog recover /var/games/nhlog --dry-run
    nhlog recover game.nhgame
    nhlog recover segments/ -o saved.replay
    """
    from nhlog.formats import check_ending, format_of, operation, reading
    from terminal.text.records import text_output

    def recover(file: str) -> tuple[Record, int]:
        found: Recover = operation(file, "recover", **options)
        return {"file": file, **found(file, dry_run=dry_run, keep=not no_keep)}, 0

    def rescue(file: str, target: str) -> tuple[Record, int]:
        check_ending(target, format_of(file))
        found: Rescue = operation(file, "rescue")
        return {"file": file, **found(file, target, dry_run=dry_run, force="force" in options)}, 0

    def told(record: Record) -> list[str]:
        with reading(record["file"]):
            return [*text_output(format_of(record["file"]).id, "recover", record)]

    def row(record: Record) -> dict[str, str]:
        status = "recovered" if record.get("recovered") else "sound" if record.get("offset") is None else "not sound"
        return {"status": status, "what": " ".join(told(record)).removeprefix(f"{record['file']}: ")}

    several = recordings_in(files, "recover")
    if several is not None:
        if output is not None:
            raise Usage("several recordings cannot be written to one file", expected="-o with one recording")
        return tell_each(several, recover, row, as_json=as_json)
    record, code = recover(files[0]) if output is None else rescue(files[0], output)
    if as_json:
        print_json(record)
    else:
        print_lines(*told(record))
    return code
