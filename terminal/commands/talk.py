"""`nhlog talk`: what those who watch a game said, and removing a line of it."""

import os

import click

from terminal.options import FILE, json_option
from terminal.output import print_json, print_lines
from terminal.text.wrapping import Line

__all__ = ["command"]


@click.command("talk")
@click.argument("file", type=FILE)
@click.option("--remove", type=click.IntRange(min=0), metavar="OFFSET", help="Remove the line at this offset.")
@json_option
def command(file: str, remove: int | None, as_json: bool) -> None:
    """List what those who watch a game said, with the offset of each line.

    The lines are in FILE.talk, beside the game or recording FILE. People talk with T while they watch (nhlog watch),
    and a replay shows each line at its moment. Of a game in an archive FILE is the address.

    --remove is for who may write to that file: the line is shown to nobody any more, also not to those who watch now.
    It stays in the file, which only grows; the file `audit` beside the keys of a server keeps who removed it.

    \b
    nhlog talk game.nhgame
    nhlog talk s3://museum/2026/game.nhgame
    nhlog talk game.nhgame --remove 114
    """
    from nhlog.files import CannotOpen

    if "://" not in file and not os.path.lexists(file):
        raise CannotOpen("no such file or directory", file=file)
    if remove is not None:
        _remove(file, remove)
    else:
        _list(file, as_json=as_json)


def _list(file: str, *, as_json: bool) -> None:
    from nhlog.beside.talk import Talk
    from terminal.text.words import utc_time

    talk = Talk(file)
    talk.look()
    for said in talk.said:
        if as_json:
            print_json({"offset": said.offset, "time": said.time, "name": said.name, "text": said.text})
        else:
            print_lines(Line((f"{said.offset:>6}", "NOTE"), "  ", utc_time(said.time), "  ", str(said), hang=8))
    if not talk.said:
        print_lines(f"{file}: nothing was said", err=True)


def _remove(file: str, offset: int) -> None:
    from nhlog.beside.talk import remove
    from nhlog.config import read_system_config
    from nhlog.players.audit import note

    keys = read_system_config().door
    removed = remove(file, offset)
    if keys is not None:
        note(keys, "remove-talk", removed.name, f"{file}: {removed.text}")
    print_lines(f"removed: {removed}")
