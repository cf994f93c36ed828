"""`nhlog convert`: write a recording, or a part of it, in another form."""

from typing import Any

import click

from terminal.options import FILE, force_option, json_option, opening_options
from terminal.output import print_error, print_json, print_record

__all__ = ["command"]

DAMAGED = 3


@click.command("convert")
@click.argument("source", type=FILE)
@click.argument("target", type=FILE)
@click.option("--first", metavar="POSITION", help="Where the part starts.")
@click.option("--last", metavar="POSITION", help="Where the part ends.")
@click.option("--player", help="Only this player, by name or number.")
@click.option("--anonymise", is_flag=True, help="Leave out names and addresses.")
@click.option("--compression", help="For example gz, xz, zst; for .butter gzip, zstd_3 ...; none for none.")
@click.option("--interval", type=click.IntRange(1, 65535), help="Frames in a chunk.")
@click.option("--layout", type=click.Choice(["1", "4"]), help="For Hollow Cube: the file's layout.")
@click.option(
    "--version",
    type=click.Choice(["1", "2", "3", "4"]),
    help="For maps 3 or 4, for asciicast 2 or 3, for ttyrec 1, 2 or 3.",
)
@click.option("--size", metavar="WxH", help="The size of the recorded terminal, or of the one to show a game in.")
@opening_options("size")
@click.option("--speed", type=click.FloatRange(min=0, min_open=True), help="To a terminal recording: how fast to play.")
@click.option(
    "--idle",
    metavar="SECONDS",
    help="To a terminal recording: the longest pause, off or log; 2 by default, and for a recorded terminal off.",
)
@force_option
@json_option
def command(
    source: str,
    target: str,
    as_json: bool,
    force: bool,
    anonymise: bool,
    opening: dict[str, str | None],
    **options: str | float | None,
) -> int:
    """Write SOURCE to TARGET in another format, or a part of it. SOURCE is not changed.

    Of a damaged SOURCE the readable part is written, and the exit code is 3. An option that does not apply to the
    format is refused.

    A recorded terminal (ttyrec, asciicast) keeps its bytes and times. Those in a folder become one, in order of time. A
    part starts with the screen at --first. Any other recording becomes an asciicast or ttyrec of what `nhlog replay`
    shows.

    For a game, --first and --last cut out the part from the save at or before the one to the save at or before the
    other, with the same saves, lines and times, in the smallest form; without them it is the whole game. The part
    starts at the time of its first save.

    \b
    nhlog convert game.nhgame part.nhgame --first turn:100 --last turn:200
    nhlog convert run.teehistorian part.teehistorian --first 1:00 --last 2:00
    nhlog convert match.echoreplay match.butter --compression zstd_7
    nhlog convert old.map new.map --version 4
    nhlog convert game.ttyrec game.cast
    nhlog convert game.nhgame game.cast --size 100x30 --speed 4
    """
    from terminal.replay.open import telling_outside

    for name in ("layout", "version"):
        options[name] = None if options[name] is None else int(options[name] or 0)
    with telling_outside(print_error):
        record = _convert(source, target, force=force or None, anonymise=anonymise or None, **opening, **options)
    if as_json:
        print_json(record)
    else:
        print_record(record)
    return DAMAGED if record.get("error") else 0


def _convert(source: str, target: str, **options: str | float | bool | None) -> dict[str, Any]:
    """What the source's own format makes of it, or a recording of a terminal."""
    from nhlog.errors import Unsupported
    from nhlog.formats import check_ending, format_of, formats
    from terminal.input import recordings_in
    from terminal.replay.operations import call, call_operation

    record: dict[str, Any]
    joined = recordings_in((source,), "find")
    kind = format_of(source)
    terminal = joined or kind.load().find is not None
    to_terminal = format_of(target).load().encoder is not None
    if terminal and not to_terminal:
        raise Unsupported(
            "a recorded terminal can only become another one", file=target, expected="a .cast or a .ttyrec"
        )
    check_ending(target, kind, *(one for one in formats() if one.load().encoder is not None))
    if not to_terminal:
        record = call_operation(source, "convert", target, **options)
    elif terminal:
        from nhlog.formats.recast import recast
        from terminal.replay.motion import parse_idle

        shown = parse_idle(str(options["idle"])).shown if options["idle"] else None
        record = call(recast, "recording of a terminal", source, target, **{**options, "idle": shown}, joined=joined)
    else:
        from terminal.rendered import render

        record = call(render, f"{kind.name} as a recording of a terminal", source, target, **options)
    return record
