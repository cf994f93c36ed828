"""`nhlog state`: a recording's state at one position."""

from typing import Any

import click

from terminal.options import FILE, OfFormats, json_option, pager_option
from terminal.output import print_error, print_json, print_lines, print_markers

__all__ = ["command"]

DAMAGED = 3
_PLACES = "Where: turn:120, 50% ...; marker: lists the markers."


@click.command("state", cls=OfFormats, operations=("open",))
@click.argument("file", type=FILE)
@click.option("--at", "place", metavar="POSITION", default="end", show_default=True, help=_PLACES)
@pager_option
@json_option
def command(file: str, place: str, as_json: bool, options: dict[str, Any]) -> int:
    """Print the state of a recording. For a game: the hero, status, inventory, map and monsters, as the hero perceives
    them.

    \b
    nhlog state game.nhgame --at turn:120
    nhlog state game.nhgame --at end --json | jq .inventory
    """
    from nhlog.engines.prompts import question_of
    from nhlog.formats import format_of, operation
    from nhlog.session.replay import GameReplay
    from nhlog.timeline import parse_position
    from terminal.pager import width
    from terminal.replay.open import lists_markers, marker_rows, tell_unshown, telling_outside, viewing
    from terminal.text.records import text_output

    position = parse_position(place)
    recording_id, tell = format_of(file).id, operation(file, "state")
    with viewing(file, **options) as replay:
        if lists_markers(position):
            print_markers(marker_rows(replay), file, as_json=as_json)
            return 0
        with telling_outside(print_error):
            replay.seek(replay.timeline.resolve(position))
        if isinstance(replay, GameReplay):
            recording_id, session = replay.info.id, replay.session
            record = {**session.game.record(), "asks": question_of(session.prompt)}
        else:
            record = tell(replay)
        if as_json:
            print_json(record)
        else:
            print_lines(*text_output(recording_id, "state", record, width()))
        code = tell_unshown(replay, file, print_error)
    return DAMAGED if record.get("fault") else code
