"""`nhlog info`: what a recording says of itself."""

import click

from terminal.options import files_argument, json_option
from terminal.output import each_file, print_json
from terminal.text.words import printable

__all__ = ["command"]

DAMAGED = 3


@click.command("info")
@files_argument
@json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Tell what recordings say of themselves: who, when, how long, what is in them, and their health.

    \b
    nhlog info game.nhgame
    nhlog info *.nhgame --json
    """
    return each_file(files, lambda file: _tell(file, as_json))


def _tell(file: str, as_json: bool) -> int:
    from nhlog.formats import format_of, operation, reading
    from nhlog.operations import as_record
    from terminal.text.records import text_output

    format_id = format_of(file).id  # before standard input is read
    record = {"file": file, **as_record(operation(file, "info")(file))}
    if as_json:
        print_json(record)
    else:
        with reading(file):
            print("\n".join(map(printable, text_output(format_id, "info", record))))
    return 0 if record["health"] == "sound" else DAMAGED
