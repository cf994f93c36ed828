"""`nhlog rewind`: take a game or a recording back to an earlier position."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from nhlog.errors import Usage
from nhlog.timeline import parse_position
from terminal.input import recordings_in
from terminal.options import OfFormats, json_option, recordings_argument
from terminal.output import confirm, print_error, print_json, print_lines, tell_each

if TYPE_CHECKING:
    from nhlog.operations import Rewind

__all__ = ["command"]

Record = Mapping[str, Any]
Agree = Callable[[Record], bool]


@click.command("rewind", cls=OfFormats, operations=("rewind",))
@recordings_argument
@click.option("--to", "position", required=True, metavar="POSITION", help="turn:120, offset:12405, a time, '-5 turns'.")
@click.option("--dry-run", is_flag=True, help="Only print what would be lost.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--no-keep", is_flag=True, help="Do not keep what is cut off.")
@json_option
def command(
    files: tuple[str, ...],
    position: str,
    dry_run: bool,
    yes: bool,
    no_keep: bool,
    as_json: bool,
    options: dict[str, Any],
) -> int:
    """Take a game or recording back: cut off everything after POSITION, and continue from there.

    What would be lost is shown first. What was cut off is kept in FILE.cut-NUMBER. A finished game can then be played
    again. A recording that another program is writing is left alone.

    Owners may take back their explore and wizard games; administrators, whom the system's config.toml names, any game.
    If it names none, --force takes back any game of yours.

    A game is cut after a save line, and its recovery count is raised, so everybody who has it open in nhlog reads it
    again, and a NetHack 4 player does at the next key. A NetHack 4 watcher ignores the count: it shows the old state
    until the log is longer than before, then warns of a desync and reads the game again.

    With --dry-run there may be several recordings or a folder: a table shows what each would lose.

    \b
    nhlog rewind /var/games/nhlog --to 2026-03-29T12:00:00 --dry-run
    nhlog rewind game.nhgame --to turn:120 --dry-run
    nhlog rewind game.nhgame --to '-5 turns'
    nhlog rewind run.teehistorian --to 1:30
    """
    from nhlog.formats import format_of, operation, reading
    from terminal.replay.open import telling_outside
    from terminal.text.records import text_output

    def rewind(file: str, agree: Agree) -> Record:
        found: Rewind = operation(file, "rewind", **options)
        return {"file": file, **found(file, parse_position(position), agree, dry_run=dry_run, keep=not no_keep)}

    def told(record: Record) -> list[str]:
        with reading(record["file"]):
            return text_output(format_of(record["file"]).id, "rewind", record)

    def row(record: Record) -> dict[str, str]:
        status = "stays" if record["offset"] is None else "loses"
        return {"status": status, "what": " ".join(told(record)).removeprefix(f"{record['file']}: ")}

    several = recordings_in(files, "rewind")
    if several is not None:
        if not dry_run:
            raise Usage("only one recording can be rewound at a time", expected="--dry-run, or one recording")
        return tell_each(several, lambda file: (rewind(file, lambda loss: False), 0), row, as_json=as_json)
    file = files[0]

    def agree(loss: Record) -> bool:
        print_lines(*told({"file": file, "rewound": False, **loss}), err=as_json)
        return yes or confirm("Rewind?")

    with telling_outside(print_error):
        record = rewind(file, agree)
    if not (dry_run or record["rewound"] or record["offset"] is None):
        raise click.Abort  # somebody said no
    if as_json:
        print_json(record)
    else:
        print_lines(*told(record))
    return 0
