"""`nhlog cuts`: what was cut off recordings and kept: listed, put back, removed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from terminal.options import FILE, age_option, json_option
from terminal.output import confirm, print_error, print_json, print_lines, print_table

if TYPE_CHECKING:
    from nhlog.formats.kept import Kept

__all__ = ["command"]


@click.command("cuts")
@click.argument("files", nargs=-1, type=FILE, metavar="[DIR|FILE...]")
@click.option("--put-back", "does", flag_value="put back", help="Put back what fits, and delete its file.")
@click.option("--remove", "does", flag_value="remove", help="Delete the files.")
@age_option("--older-than", "Only cuts older than this")
@click.option("--dry-run", is_flag=True, help="Only print what would be done.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def command(
    files: tuple[str, ...], does: str | None, older_than: int | None, dry_run: bool, yes: bool, as_json: bool
) -> int:
    """List what `rewind`, `recover` and clients cut off and kept beside games and recordings.

    FILE is a recording, or a file that keeps a cut (FILE.cut-NUMBER); by default everything in this folder is listed:
    its recording, its age and size, and whether it can be put back.

    It can if nothing was written to the recording since: the recording is then byte for byte what it was, except that a
    game keeps its recovery count. If it was not sound before it was cut, you are told. Of a copy nobody can tell
    whether it was written to: only what makes it sound is put back. If nothing of what is listed can be put back, the
    exit code is 1. Of a game you see the turn where it continues. The same people may put back as for `nhlog rewind`.

    \b
    nhlog cuts /var/games/nhlog
    nhlog cuts game.nhgame.cut-00000003 --put-back
    nhlog cuts /var/games/nhlog --remove --older-than 30d --dry-run
    """
    import time

    from nhlog.operations import as_record

    until = time.time_ns() // 1000 - (older_than or 0)
    codes = [0]
    found = [kept for kept in _found(files or (".",), codes) if kept.changed <= until]
    done = _does(does, found, codes, dry_run=dry_run, yes=yes) if does else {}
    if as_json:
        for kept in found:
            print_json({**as_record(kept), "done": done.get(kept.file)})
    elif found:
        print_table([_row(kept, done.get(kept.file)) for kept in found])
    else:
        print_lines("nothing that was cut off is kept here", err=True)
    return max(codes)


def _found(files: tuple[str, ...], codes: list[int]) -> Iterator["Kept"]:
    """What is kept; what could not be read is printed, and its exit code is added to `codes`."""
    from nhlog.errors import NhlogError
    from nhlog.formats.kept import kept_in

    for file in files:
        try:
            yield from kept_in(file)
        except NhlogError as error:
            codes.append(error.exit_code)
            print_error(str(error))


def _does(does: str, found: list["Kept"], codes: list[int], *, dry_run: bool, yes: bool) -> dict[str, str]:
    """Put back or remove what was found, when somebody agrees; returns by file what was, or would be, done."""
    from nhlog.errors import NhlogError

    wanted = [kept for kept in found if kept.fits or does == "remove"]
    if found and not wanted:
        codes.append(NhlogError.exit_code)  # the list says why
    if dry_run:
        return {kept.file: f"would {does}" for kept in wanted}
    if wanted and not yes:
        print_lines(*(f"{kept.file}: {_in_words(kept)}" for kept in wanted), err=True)
        if not confirm(f"{does.capitalize()}?"):
            raise click.Abort
    done = {}
    for kept in wanted:
        try:
            done[kept.file], unsound = _do(does, kept)
            if unsound:
                print_lines(f"{kept.recording}: not sound, as before it was cut: {unsound}", err=True)
        except NhlogError as error:
            codes.append(error.exit_code)
            print_error(str(error))
            done[kept.file] = "refused"
    return done


def _do(does: str, kept: "Kept") -> tuple[str, str]:
    """Do it; returns what was done, and what is wrong with the recording now, if anything."""
    import os

    from nhlog.files import refusals
    from nhlog.formats.kept import put_back

    if does == "put back":
        return "put back", put_back(kept)
    with refusals(kept.file):
        os.unlink(kept.file)
    return "removed", ""


def _in_words(kept: "Kept") -> str:
    from terminal.text.words import size

    goes_on = "" if kept.turn is None else f", up to turn {kept.turn}"
    return f"{size(kept.size)} of {kept.recording}{goes_on}"


def _row(kept: "Kept", done: str | None) -> dict[str, Any]:
    from terminal.text.words import utc_time

    return {
        "file": kept.file,
        "size": kept.size,
        "kept": utc_time(kept.changed).removesuffix(" UTC")[:16],
        "turn": kept.turn,
        "can be put back": _answer(kept),
        **({} if done is None else {"done": done}),
    }


def _answer(kept: "Kept") -> str:
    if not kept.fits:
        return f"no: {kept.why}"
    return f"yes, not sound then: {kept.unsound}" if kept.unsound else "yes"
