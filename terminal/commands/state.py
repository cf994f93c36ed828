"""`nhlog state`: a recording's state at one position, as data."""

from contextlib import closing

import click

from terminal.options import FILE, json_option
from terminal.output import print_json
from terminal.words import printable

__all__ = ["command"]


@click.command("state")
@click.argument("file", type=FILE)
@click.option("--at", "place", metavar="POSITION", default="end", show_default=True, help="Where: turn:120, 50% ...")
@click.option("--ghost", type=FILE, help="Another run of the same course, whose state comes with it.")
@json_option
def command(file: str, place: str, ghost: str | None, as_json: bool) -> None:
    """Tell the state of a recording: of a game hero, status, inventory, map and monsters, as the hero perceives them.

    \b
    nhlog state game.nhgame --at turn:120
    nhlog state game.nhgame --at end --json | jq .inventory
    """
    from nhlog.formats import format_of, operation
    from nhlog.session.replay import GameReplay
    from nhlog.timeline import parse_position
    from terminal.opening import open_viewed
    from terminal.told import lines_of

    position = parse_position(place)
    name, tell = format_of(file).name, operation(file, "state")
    with closing(open_viewed(file, ghost=ghost)) as replay:
        replay.seek(replay.timeline.resolve(position))
        if isinstance(replay, GameReplay):
            name, record = replay.info.format, replay.session.game.record()
        else:
            record = tell(replay)
    if as_json:
        print_json(record)
    else:
        print("\n".join(map(printable, lines_of(name, "state", record))))
