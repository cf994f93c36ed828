"""`nhlog convert`: write a recording, or a part of it, in another form."""

from typing import TYPE_CHECKING, Any

import click

from nhlog.operations import Part
from nhlog.operations.options import declared, defaults, made, option, options_of
from nhlog.screencast.operations import parse_size
from nhlog.values import dataclass
from terminal.options import FILE, OfFormats, force_option, json_option
from terminal.output import print_error, print_json, print_record

__all__ = ["command"]

if TYPE_CHECKING:
    from nhlog.operations import Convert, Record
    from nhlog.vt import Size

DAMAGED = 3


def _speed(text: str) -> float:
    try:
        if float(text) > 0:
            return float(text)
    except ValueError:
        pass
    raise ValueError("a number above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown(Part):
    """How any recording becomes one of a terminal."""

    size: "Size | None" = option(
        None, "To a terminal recording: the size of the terminal to show a game in.", "WxH", parse_size
    )
    speed: float = option(1.0, "To a terminal recording: how fast to play.", "N", _speed)
    idle: str | None = option(
        None,
        "To a terminal recording: the longest pause, off or log; 2 by default, and for a recorded terminal off.",
        "SECONDS",
    )
    compression: str | None = option(None, "To a terminal recording: gz, bz2, xz, zst or none.", "NAME")


@click.command("convert", cls=OfFormats, operations=("convert", "open", "encoder"), besides=declared(defaults(_Shown)))
@click.argument("source", type=FILE)
@click.argument("target", type=FILE)
@force_option
@json_option
def command(source: str, target: str, as_json: bool, force: bool, options: dict[str, Any]) -> int:
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

    with telling_outside(print_error):
        record = _convert(source, target, options, force=force)
    if as_json:
        print_json(record)
    else:
        print_record(record)
    return DAMAGED if record.get("error") else 0


def _convert(source: str, target: str, options: dict[str, Any], *, force: bool) -> "Record":
    """What the source's own format makes of it, or a recording of a terminal."""
    from nhlog.errors import Unsupported
    from nhlog.formats import check_ending, format_of, formats, operation
    from terminal.input import recordings_in

    joined = recordings_in((source,), "find")
    kind = format_of(source)
    find = format_of(joined[0]).load().find if joined else kind.load().find
    encoder = format_of(target).load().encoder
    if (joined or find is not None) and encoder is None:
        raise Unsupported(
            "a recorded terminal can only become another one", file=target, expected="a .cast or a .ttyrec"
        )
    check_ending(target, kind, *(one for one in formats() if one.load().encoder is not None))
    if encoder is None:
        convert: Convert = operation(source, "convert", **options)
        return convert(source, target, force=force)
    encoding = _taken(options, encoder)
    opening = _taken(options, find or kind.load().open)
    if find is not None:
        from nhlog.formats.recast import recast
        from terminal.replay.motion import parse_idle

        shown = made(_Shown(), options, "recording of a terminal", source)
        return recast(
            source,
            target,
            joined=joined or (),
            first=shown.first,
            last=shown.last,
            opening=opening,
            encoding=encoding,
            speed=shown.speed,
            idle=parse_idle(shown.idle).shown if shown.idle else None,
            compression=shown.compression,
            force=force,
        )
    from nhlog.vt import USUAL_SIZE
    from terminal.rendered import render

    shown = made(_Shown(), options, f"{kind.name} as a recording of a terminal", source)
    return render(
        source,
        target,
        size=shown.size or USUAL_SIZE,
        speed=shown.speed,
        idle=shown.idle,
        first=shown.first,
        last=shown.last,
        compression=shown.compression,
        force=force,
        opening=opening,
        encoding=encoding,
    )


def _taken(options: dict[str, Any], operation: object) -> dict[str, Any]:
    """Those of the options that an operation has, which are taken away."""
    return {name: options.pop(name) for name in options_of(operation).keys() & options.keys()}
