"""`nhlog recover`: cut off what a crash left incomplete."""

import click

from terminal.options import FILE, json_option
from terminal.output import print_json
from terminal.words import counted, printable

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

    with LogFile(file, writable=not dry_run) as log:
        cut = plan_recovery(log)
        if cut is None:
            done = "nothing to recover: it ends in a newline"
            record: dict[str, object] = {"file": file, "recovered": False}
        else:
            if not force:
                refuse(cut, file)
            kept = None if dry_run else carry_out(log, cut, keep=not no_keep)
            lost = counted(cut.size - cut.offset, "byte")
            done = f"{'would cut' if dry_run else 'cut'} {lost} at offset {cut.offset}"
            done += f", recovery count {cut.raised.recovery_count}"
            done += f"; they are in {kept}" if kept else ""
            record = {
                "file": file,
                "recovered": not dry_run,
                "offset": cut.offset,
                "lost_bytes": cut.size - cut.offset,
                "recovery_count": cut.raised.recovery_count,
                "kept_in": kept,
            }
    if as_json:
        print_json(record)
    else:
        print(printable(f"{file}: {done}"))
    return 0
