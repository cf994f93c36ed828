"""`nhlog rewind`: take a game back to an earlier position."""

from typing import TYPE_CHECKING

import click

from nhlog.timeline import parse_position
from terminal.options import FILE, force_cut_option, json_option
from terminal.output import confirm, print_json, print_lines
from terminal.text.words import clock, counted, size

if TYPE_CHECKING:
    from nhlog.formats.nhgame.rewind import Loss

__all__ = ["command"]


@click.command("rewind")
@click.argument("file", type=FILE)
@click.option("--to", "position", required=True, metavar="POSITION", help="turn:120, offset:12405, a time, '-5 turns'.")
@click.option("--exact", is_flag=True, help="After that very line, not after the save line before it.")
@click.option("--dry-run", is_flag=True, help="Tell what would be lost, and do nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--no-keep", is_flag=True, help="Do not save what is cut off.")
@force_cut_option
@json_option
def command(
    file: str, position: str, exact: bool, dry_run: bool, yes: bool, no_keep: bool, force: bool, as_json: bool
) -> int:
    """Take a game back: everything after POSITION is cut off, and the game goes on from there.

    What would be lost is shown first. What was cut off is in FILE.cut-COUNT. A finished game can be played again.

    An explore or wizard game is its owner's to take back, and any game the administrators', whom the system's config
    names. Where it names none, --force takes back any game of yours.

    The cut is made after a save line, under the write lock, by the log's own rules: the recovery count is raised, so
    everybody who has the game open in nhlog reads it again, and so does a player of NetHack 4 at the next key. A
    watcher of NetHack 4 does not look at the count: it shows the old state until the log has grown past the place
    where it was, then warns of a desync, and reads the game again.

    \b
    nhlog rewind game.nhgame --to turn:120 --dry-run
    nhlog rewind game.nhgame --to '-5 turns'
    """
    from nhlog.formats.nhgame.replay import LogReplay
    from nhlog.formats.nhgame.rewind import plan
    from nhlog.formats.nhgame.rights import can_write, check_right
    from nhlog.log.file import LogFile
    from nhlog.log.log import Log
    from nhlog.log.recovery import carry_out, refuse

    wanted = parse_position(position)
    with LogFile(file, writable=not dry_run and can_write(file)) as source:
        loss = plan(LogReplay(Log(source)), wanted, exact=exact)
        kept = None
        if loss.truncation is not None:
            if not dry_run:
                check_right(source, force=force)
            if not force:
                refuse(loss.truncation, file)
            print_lines(f"{file}: {_in_words(loss)}", err=as_json)
            if not dry_run:
                if not yes:
                    confirm("Rewind?", abort=True)
                kept = carry_out(source, loss.truncation, keep=not no_keep)
    done = loss.truncation is not None and not dry_run
    if as_json:
        print_json({"file": file, "rewound": done, **loss.record(), "kept_in": kept})
    elif loss.truncation is None:
        print_lines(f"{file}: nothing to rewind: no line comes after that position")
    elif done:
        print_lines(f"{file}: rewound to turn {loss.turn}" + (f"; what was cut off is in {kept}" if kept else ""))
    return 0


def _in_words(loss: "Loss") -> str:
    """The effect of a rewind as text, shown before it is done."""
    assert loss.truncation is not None
    parts = [
        f"back to offset {loss.truncation.offset}, turn {loss.turn}",
        f"lost: {counted(loss.turns, 'turn')}, {counted(loss.saves, 'save')}, {counted(loss.lines, 'line')}, "
        f"{clock(loss.time)} of play, {size(loss.truncation.size - loss.truncation.offset)} ({loss.percent:.1f} %)",
    ]
    if loss.finished:
        parts.append("the game was over and goes on")
    return "; ".join(parts)
