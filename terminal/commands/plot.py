"""`nhlog plot`: a picture of a whole recording."""

import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from terminal.options import FILE, OfFormats, force_option, json_option, pager_option, size_option

if TYPE_CHECKING:
    from nhlog.plots import Plot, Plots

__all__ = ["command"]

_USUAL = (80, 24)  # columns and rows where nobody looks
_PIXELS = (1000, 500)
_BELOW = 2  # rows of a terminal that are left for what is typed before and after


@click.command("plot", cls=OfFormats, operations=("open",), but=("ghost",))
@click.argument("arguments", nargs=-1, required=True, type=FILE, metavar="FILE [OTHER] [KIND]")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Write a picture: FILE.svg or FILE.png.")
@force_option
@size_option("Columns and rows; pixels for a picture.")
@json_option
@pager_option
def command(
    arguments: tuple[str, ...],
    output: str | None,
    force: bool,
    size: tuple[int, int] | None,
    as_json: bool,
    options: dict[str, Any],
) -> int:
    """Plot a whole recording. Without KIND, list what can be plotted.

    OTHER is another run of the same course, for the kind race. Pictures need matplotlib (pip install 'nhlog[plots]').

    \b
    nhlog plot game.nhgame
    nhlog plot game.nhgame hp
    nhlog plot run.teehistorian places -o places.png
    nhlog plot run.replay ghost.replay race
    """
    from nhlog.errors import Usage
    from nhlog.plots import NothingToPlot
    from terminal.output import print_error, print_json, print_table
    from terminal.replay.open import tell_unshown, viewing

    file, other, kind = _told(arguments)
    if output is not None:
        from terminal.plots.pictures import ENDINGS, check

        if not output.endswith(ENDINGS):
            raise Usage("unknown kind of picture", file=output, expected="a file named *.svg or *.png")
        check()
    if other is not None:
        _check_compared(file)
        options["ghost"] = other
    with viewing(file, **options) as replay:
        plots = _plots_of(file, replay)
        if kind is None:
            rows = [{"plot": name, "shows": one.shows} for name, one in plots.kinds.items()]
            if not as_json:
                print_table(rows)
            for row in rows if as_json else ():
                print_json({"kind": "available", **row})
            return 0
        try:
            plot = _surveyed(file, plots, kind, replay.timeline.last)
        except NothingToPlot:
            if code := tell_unshown(replay, file, print_error):  # which may be why
                return code
            raise
        code = tell_unshown(replay, file, print_error)
    if output is not None:
        _write(output, plot, size or _PIXELS, os.path.basename(file), force=force)
    elif as_json:
        from nhlog.plots import records_of

        for record in records_of(kind, plot):
            print_json(record)
    else:
        _print(plot, size)
    return code


def _told(arguments: tuple[str, ...]) -> tuple[str, str | None, str | None]:
    """The file, the other one, and the kind of plot: what is given last is a file where one has that name."""
    file, *more = arguments
    if len(more) > 2:
        raise click.UsageError(f"Got unexpected arguments: {' '.join(more[2:])}")
    if not more:
        return file, None, None
    if len(more) == 1:
        return (file, more[0], None) if os.path.exists(more[0]) else (file, None, more[0])
    return file, more[0], more[1]


def _check_compared(file: str) -> None:
    """Raise :class:`Usage` for a recording that is not compared with another one."""
    from nhlog.errors import Usage
    from nhlog.formats import format_of
    from nhlog.operations.options import options_of

    if "ghost" not in options_of(format_of(file).load().open):
        raise Usage(
            f"a {format_of(file).name} cannot be plotted with another recording", file=file, expected="FILE [KIND]"
        )


def _plots_of(file: str, replay: Any) -> "Plots":
    from nhlog.errors import Unsupported
    from nhlog.replay import Plottable

    if not isinstance(replay, Plottable):
        raise Unsupported(f"there are no plots of a {replay.info.format}", file=file)
    return replay.plots()


def _surveyed(file: str, plots: "Plots", kind: str, last: int) -> "Plot":
    """The plot, once the recording was read; a kind that it does not have is refused at once."""
    from nhlog.errors import NhlogError
    from nhlog.progress import report

    plots.check(kind)
    for step in plots.survey():
        report("looking through the recording", step, last)
    try:
        return plots.plot(kind)
    except NhlogError as error:
        raise error.within(file) from None


def _write(name: str, plot: "Plot", size: tuple[int, int], title: str, *, force: bool) -> None:
    from terminal.output import deliver
    from terminal.plots.pictures import picture

    deliver(name, picture(plot, name.rpartition(".")[2], size, title), force=force, as_json=False)


def _print(plot: "Plot", size: tuple[int, int] | None) -> None:
    from terminal.output import print_screen
    from terminal.pager import colors, width
    from terminal.plots.screen import draw_plot
    from terminal.screen.encoding import speaks_utf8

    rows = shutil.get_terminal_size(_USUAL).lines if sys.stdout.isatty() else _USUAL[1]
    screen = draw_plot(plot, *(size or (width() or _USUAL[0], max(rows - _BELOW, 1))))
    print_screen(screen if speaks_utf8() else screen.ascii(), colors(sys.stdout) or None)
