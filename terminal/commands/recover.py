"""`nhlog recover`: cut off what a crash left incomplete."""

from typing import TYPE_CHECKING

import click

from terminal.options import FILE, json_option
from terminal.output import print_json
from terminal.words import counted, printable

if TYPE_CHECKING:
    from nhlog.log.recovery import Cut

__all__ = ["command"]


@click.command("recover")
@click.argument("file", type=FILE)
@click.option("--dry-run", is_flag=True, help="Tell what would be done, and do nothing.")
@click.option("--no-keep", is_flag=True, help="Do not save what is cut off.")
@click.option("--force", is_flag=True, help="Even where more than 8/9 of the file would go.")
@json_option
def command(file: str, dry_run: bool, no_keep: bool, force: bool, as_json: bool) -> int:
    """Repair a log whose last line is incomplete, by the log's own rules.

    Under the write lock the recovery count is raised, then the file is cut after its last newline. Everybody who has
    the game open reads it again. What was cut off is in FILE.cut-COUNT. A log that ends in a newline is left alone.

    \b
    nhlog recover game.nhgame --dry-run
    nhlog recover game.nhgame
    """
    from nhlog.log.file import LogFile
    from nhlog.log.recovery import carry_out, plan_recovery, refuse

    kept = None
    with LogFile(file, writable=not dry_run) as log:
        cut = plan_recovery(log)
        if cut is not None:
            if not force:
                refuse(cut, file)
            if not dry_run:
                kept = carry_out(log, cut, keep=not no_keep)
    if as_json:
        done = cut is not None and not dry_run
        print_json({"file": file, "recovered": done, **_record(cut), "kept_in": kept})
    else:
        told = "nothing to recover: it ends in a newline" if cut is None else _told(cut, dry_run, kept)
        print(printable(f"{file}: {told}"))
    return 0


def _record(cut: "Cut | None") -> dict[str, int | None]:
    return {
        "offset": None if cut is None else cut.offset,
        "recovery_count": None if cut is None else cut.raised.recovery_count,
        "lost_bytes": 0 if cut is None else cut.size - cut.offset,
    }


def _told(cut: "Cut", dry_run: bool, kept: str | None) -> str:
    """What was done, or would be."""
    lost = counted(cut.size - cut.offset, "byte")
    told = f"{'would cut' if dry_run else 'cut'} {lost} at offset {cut.offset}"
    told += f", recovery count {cut.raised.recovery_count}"
    return told + (f"; they are in {kept}" if kept else "")
