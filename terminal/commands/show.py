"""`nhlog show`: one screen of the client, printed."""

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from terminal.options import FILE, OfFormats, pager_option, size_option

if TYPE_CHECKING:
    from nhlog.replay import Replay
    from nhlog.screen import Screen
    from terminal.views import View

__all__ = ["command"]

_USUAL = (80, 24)
_PLACES = "Where: turn:120, 50%, 1:30 ...; marker: lists the markers."


@click.command("show", cls=OfFormats, operations=("open",))
@click.argument("file", type=FILE)
@click.option("--at", "place", metavar="POSITION", default="start", help=_PLACES)
@size_option("Columns and rows: 80x24, or what --bare needs.")
@click.option("--bare", is_flag=True, help="Only the view, without the player's title and status rows.")
@click.option("--text", "form", flag_value="text", help="Text without colours; the default in a pipe.")
@click.option("--ansi", "form", flag_value="ansi", help="Text with colours; the default in a terminal.")
@click.option("--html", "form", flag_value="html", help="A page for browsers.")
@click.option("--svg", "form", flag_value="svg", help="A picture (SVG).")
@click.option("--json", "form", flag_value="json", help="JSON: rows of text, and the position as numbers.")
@pager_option
def command(
    file: str, place: str, size: tuple[int, int] | None, bare: bool, form: str | None, options: dict[str, Any]
) -> int:
    """Print the screen that `nhlog replay` shows at a position: as text, HTML or an SVG image.

    \b
    nhlog show game.nhgame --at 50%
    nhlog show game.nhgame --at turn:120 --size 200x60 --ansi | less -R
    nhlog show game.nhgame --at end --json
    nhlog show game.ttyrec --at 1:30 --bare --svg > screen.svg
    """
    from nhlog.timeline import parse_position
    from terminal.output import print_error, print_json, print_markers, print_screen, print_text
    from terminal.replay.controls import Controls
    from terminal.replay.drawing.frame import draw_frame
    from terminal.replay.open import lists_markers, marker_rows, tell_unshown, telling_outside, viewing
    from terminal.replay.player import Player
    from terminal.screen.encoding import speaks_utf8
    from terminal.views import view_of

    position = parse_position(place)
    with viewing(file, **options) as replay:
        timeline = replay.timeline
        if lists_markers(position):
            print_markers(marker_rows(replay), file, as_json=form == "json")
            return 0
        with telling_outside(print_error):
            replay.seek(timeline.resolve(position))
        view = view_of(replay.info.id)
        screen = _bare(view, replay, size) if bare else draw_frame(Controls(Player(replay), view), *(size or _USUAL))
        code = tell_unshown(replay, file, print_error)
        if form == "json":
            axes = {name: timeline.at(name, replay.step) for name in timeline.axes}
            print_json(
                {
                    "format": replay.info.format,
                    "width": screen.width,
                    "height": screen.height,
                    "rows": screen.text(),
                    "position": {"step": replay.step, "last": timeline.last, "start": timeline.start, **axes},
                    "facts": dict(view.facts(replay)),
                }
            )
            return code
    if form in ("html", "svg"):
        from terminal.screen.pictures import as_html, as_svg

        picture = as_html if form == "html" else as_svg
        print_text(picture(screen, f"{os.path.basename(file)} {place}"))
        return code
    printed = screen if speaks_utf8() else screen.ascii()
    if form == "ansi" or (form is None and sys.stdout.isatty()):
        print_screen(printed, 0 if os.environ.get("NO_COLOR") else 256)
    else:
        print_screen(printed, None)
    return code


def _bare(view: "View", replay: "Replay[Any]", size: tuple[int, int] | None) -> "Screen":
    """The view of a replay, as large as it needs to be, or as is wanted."""
    from nhlog.replay import Remarked
    from terminal.messages.rows import draw_rows, told_rows
    from terminal.views import Viewpoint

    least = view.least(replay)
    screen = view.body(replay, *(size or (least[0] or _USUAL[0], least[1] or _USUAL[1])), Viewpoint())
    state = replay.state
    draw_rows(screen, told_rows(state.told, screen.width) if isinstance(state, Remarked) else ())
    return screen
