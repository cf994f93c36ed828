"""`nhlog recover`: repair what a crash left incomplete."""

import click

from terminal.options import FILE, force_cut_option, json_option
from terminal.output import print_json, print_lines

__all__ = ["command"]


@click.command("recover")
@click.argument("file", type=FILE)
@click.option("--dry-run", is_flag=True, help="Tell what would be done, and do nothing.")
@click.option("--no-keep", is_flag=True, help="Do not save what is cut off.")
@force_cut_option
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="Of a Hollow Cube recording: save what can be read of it here, and leave it as it is.",
)
@json_option
def command(file: str, dry_run: bool, no_keep: bool, force: bool, output: str | None, as_json: bool) -> int:
    """Repair a recording that was not finished properly.

    Of a log whose last line is incomplete, by the log's own rules: under the write lock the recovery count is raised,
    then the file is cut after its last newline. Everybody who has the game open reads it again. What was cut off is in
    FILE.cut-COUNT. A log that ends in a newline is left alone. Who may is as for `nhlog rewind`; a player needs no
    such right, as the next key in the game does the same.

    Of another recording: what comes behind its last whole record is cut off, in the same way. One that another program
    is writing is left alone. Of a Hollow Cube recording that is damaged before its end, -o saves what can be read.

    \b
    nhlog recover game.nhgame --dry-run
    nhlog recover game.nhgame
    nhlog recover segments/ -o saved.replay
    """
    from nhlog.formats import format_of, reading
    from terminal.replay.operations import call_operation
    from terminal.text.records import text_output

    keep = False if no_keep else None
    record = call_operation(file, "recover", dry_run=dry_run or None, keep=keep, force=force or None, output=output)
    record = {"file": file, **record}
    if as_json:
        print_json(record)
    else:
        with reading(file):
            print_lines(*text_output(format_of(file).id, "recover", record))
    return 0
