"""`nhlog state`: what the hero of a NetHack 4 game perceives at one position, as data."""

from contextlib import closing
from typing import Any

import click

from terminal.options import FILE, json_option
from terminal.output import print_json
from terminal.words import printable

__all__ = ["command"]


@click.command("state")
@click.argument("file", type=FILE)
@click.option("--at", "place", metavar="POSITION", default="end", show_default=True, help="Where: turn:120, 50% ...")
@json_option
def command(file: str, place: str, as_json: bool) -> None:
    """Tell the state of a game: hero, status, inventory, map and monsters, as the hero perceives them.

    \b
    nhlog state game.nhgame --at turn:120
    nhlog state game.nhgame --at end --json | jq .inventory
    """
    record = _record(file, place)
    if as_json:
        print_json(record)
    else:
        print("\n".join(map(printable, _lines(record))))


def _record(file: str, place: str) -> dict[str, Any]:
    from nhlog.errors import Damaged
    from nhlog.formats.nhgame import open_replay
    from nhlog.nethack4.perception import perceive
    from nhlog.nethack4.record import perception_record
    from nhlog.timeline import parse_position

    position = parse_position(place)
    with closing(open_replay(file)) as replay:
        replay.seek(replay.timeline.resolve(position))
        state = replay.state
        if not state.save:
            raise Damaged(state.fault or "no save comes before that position", file=file)
        return {"turn": state.turn, "offset": state.save_offset, **perception_record(perceive(state.save))}


def _lines(record: dict[str, Any]) -> list[str]:
    hero, status = record["hero"], record["status"]
    attributes = "  ".join(f"{name} {value}" for name, value in hero["attributes"].items())
    return [
        f"{hero['name']} the {status['title']}, {status['place']}, turn {status['turn']}",
        " ".join(
            [f"HP {status['hp']}/{status['hp_max']}  Pw {status['pw']}/{status['pw_max']} ", *status["words"]]
        ).rstrip(),
        attributes,
        *(f"{item['letter']} - {item['caption']}" for item in record["inventory"]),
        *(f"at {monster['x']},{monster['y']}: {monster['name']}" for monster in record["monsters"]),
    ]
