"""`nhlog show`: one screen of the client, printed."""

import os
import re
import sys

import click

from terminal.options import FILE

__all__ = ["command"]

LARGEST = 1000  # columns or rows


def _size(context: click.Context, parameter: click.Parameter, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,4})x(\d{1,4})", text)
    if not found or not (0 < int(found[1]) <= LARGEST and 0 < int(found[2]) <= LARGEST):
        raise click.BadParameter(f"{text!r} is not COLUMNSxROWS, 1x1 to {LARGEST}x{LARGEST}")
    return int(found[1]), int(found[2])


@click.command("show")
@click.argument("file", type=FILE)
@click.option("--at", "place", metavar="POSITION", default="start", help="What to show: turn:120, 50%, 1:30 ...")
@click.option("--size", metavar="WxH", callback=_size, default="80x24", show_default=True, help="Columns and rows.")
@click.option("--text", "form", flag_value="text", help="Without colours; the default where nobody looks.")
@click.option("--ansi", "form", flag_value="ansi", help="With colours; the default in a terminal.")
@click.option("--json", "form", flag_value="json", help="As rows of text, with the position in numbers.")
def command(file: str, place: str, size: tuple[int, int], form: str | None) -> None:
    """Print the screen that `nhlog replay` shows at a position.

    \b
    nhlog show game.nhgame --at 50%
    nhlog show game.nhgame --at turn:120 --size 200x60 --ansi | less -R
    nhlog show game.nhgame --at end --json
    """
    from nhlog.timeline import parse_position
    from terminal.output import print_json
    from terminal.replay.controls import Controls
    from terminal.replay.drawing.frame import draw_frame
    from terminal.replay.open import viewing
    from terminal.replay.player import Player
    from terminal.screen.encoding import speaks_utf8
    from terminal.views import view_of

    position = parse_position(place)
    with viewing(file) as replay:
        timeline = replay.timeline
        replay.seek(timeline.resolve(position))
        view = view_of(replay.info.id)
        screen = draw_frame(Controls(Player(replay), view), *size)
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
            return
    printed = screen if speaks_utf8() else screen.ascii()
    if form == "ansi" or (form is None and sys.stdout.isatty()):
        print(printed.ansi(0 if os.environ.get("NO_COLOR") else 256))
    else:
        print("\n".join(printed.text()))
