"""`nhlog replay`: the full-screen client."""

import os
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from terminal.options import FILE, OfFormats, color_option

if TYPE_CHECKING:
    from nhlog.replay import Replay
    from terminal.replay.player import Player

__all__ = ["command"]


@click.command("replay", cls=OfFormats, operations=("open",))
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE...]")
@click.option("--at", "place", metavar="POSITION", default="start", help="Where to start: turn:120, 50%, 1:30 ...")
@click.option("--speed", type=click.FloatRange(min=0, min_open=True), default=1, help="How fast to play.")
@click.option(
    "--idle",
    metavar="SECONDS",
    help="The longest pause (2, or the recording's own limit); off keeps all pauses, log shortens them "
    "logarithmically.",
)
@click.option("--joined", is_flag=True, help="Play several ttyrecs or asciicasts as one, in order of time.")
@color_option
def command(
    files: tuple[str, ...],
    place: str,
    speed: float,
    idle: str | None,
    joined: bool,
    color: str,
    options: dict[str, Any],
) -> None:
    """Replay a recording in the terminal: play, step, search.

    With several files or a folder (by default this one), choose from a list. h lists the keys.

    \b
    nhlog replay game.nhgame
    nhlog replay game.nhgame --at turn:120 --speed 4
    nhlog replay run.replay --ghost ghost.replay
    nhlog replay game.ttyrec --size 132x50
    nhlog replay --joined game-1.ttyrec game-2.ttyrec
    nhlog replay samples/
    """
    from nhlog.errors import NhlogError
    from nhlog.timeline import parse_position
    from terminal.client import open_client, read_client_config
    from terminal.followed import Followed
    from terminal.input import followed
    from terminal.replay.live import replayed
    from terminal.replay.loop import choose, watch
    from terminal.replay.motion import parse_idle
    from terminal.replay.open import open_viewed, telling_outside
    from terminal.replay.waiting import show_file

    position, cap = parse_position(place), parse_idle(idle) if idle else None

    def shown(file: str, replay: "Replay[Any]") -> "Player":
        told: list[str] = []
        try:
            with telling_outside(told.append):
                replay.seek(replay.timeline.resolve(position))
        except NhlogError:
            replay.close()
            raise
        player = replayed(file, replay, speed=speed, idle=cap)
        for note in told:
            player.tell(note)
        return player

    found = _recordings(files or (os.curdir,))
    if joined:
        from nhlog.formats.recast import open_joined

        with open_client(color, read_client_config()) as console:
            watch(console, shown("", open_joined(found, options)))
        return
    with ExitStack() as stack:
        single = stack.enter_context(followed(found[0], from_start=True)) if found == list(files[:1]) else None
        console = stack.enter_context(open_client(color, read_client_config()))

        def show(source: Followed) -> None:
            show_file(console, source, partial(open_viewed, **options), shown)

        if single is not None:
            show(single)
        else:
            choose(console, found, lambda file: show(Followed(file)))


def _recordings(names: tuple[str, ...]) -> list[str]:
    """The files among `names`, and those in the folders among them that look like recordings."""
    from nhlog.errors import Usage
    from nhlog.formats import formats
    from terminal.input import recordings_in

    found = recordings_in(names, "open")
    if found == []:
        kinds = ", ".join(kind.name for kind in formats())
        raise Usage("no recordings here", file=", ".join(names), expected=f"files with the endings of {kinds}")
    return [*names] if found is None else found
