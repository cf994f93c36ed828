"""`nhlog maintenance`: no new games on a server, and the end of those that run when the time has come."""

from typing import TYPE_CHECKING, Final

import click

from nhlog.errors import NhlogError, Usage
from terminal.options import age_option
from terminal.output import print_lines

if TYPE_CHECKING:
    from pathlib import Path

    from nhlog.players import Players
    from nhlog.players.maintenance import Maintenance

__all__ = ["command"]

PAUSE: Final = 0.2  # seconds between two looks whether it is time, or maintenance was ended


@click.command("maintenance")
@click.argument("action", type=click.Choice(("on", "off")))
@click.argument("text", default="")
@age_option("--in", "With on: when running games are ended, instead of now")
def command(action: str, text: str, **span: int | None) -> int:
    """Let no new games begin on this server, and end those that run.

    With `on` the lobby starts no game any more, and says why and when; all players are told. Running games go on until
    the time has come, for which nhlog waits: leave it running. Then all sessions and games are ended as if the
    connections were lost: games can save. Players may log in and watch meanwhile. If nhlog is interrupted, games go on;
    `on` again ends them. `off` lets games begin again, and keeps a waiting nhlog from ending them.

    \b
    nhlog maintenance on --in 15m 'A new kernel.'
    nhlog maintenance off
    """
    from nhlog.config import read_system_config
    from nhlog.players import Players
    from nhlog.players.audit import note
    from nhlog.players.maintenance import end_maintenance
    from nhlog.players.notices import broadcast

    config = read_system_config()
    if config.door is None or config.players is None:
        raise Usage("authorized_keys and players are not set in the system's config.toml (docs/server.md)")
    if action == "on":
        return _begin(config.door, Players(config.players), text, span["in"] or 0)
    if text or span["in"] is not None:
        raise Usage("only `maintenance on` takes a text or a time")
    end_maintenance(config.door)
    note(config.door, "maintenance off", None)
    broadcast(config.door, "games may begin again")
    print_lines("games may begin again")
    return 0


def _begin(keys: "Path", players: "Players", text: str, span: int) -> int:
    import time

    from nhlog.players.audit import note
    from nhlog.players.maintenance import Maintenance
    from nhlog.players.notices import broadcast, checked_line

    if text:
        checked_line(text)
    maintenance = Maintenance(int(time.time()) + span // 1_000_000, text)
    maintenance.begin(keys)
    note(keys, "maintenance on", None, str(maintenance))
    moment = time.strftime("%H:%M UTC", time.gmtime(maintenance.time))
    broadcast(keys, f"maintenance at {moment}: games are saved and ended then")
    print_lines(f"no new games: {maintenance}")
    if not _wait(keys, maintenance):
        print_lines("maintenance was changed meanwhile: no game is ended")
        return 1
    return _end_all(players)


def _wait(keys: "Path", maintenance: "Maintenance") -> bool:
    """Wait until the time has come; False if maintenance was ended or changed before."""
    import time

    while (left := maintenance.time - time.time()) > 0:
        time.sleep(min(left, PAUSE))
        if maintenance.of(keys) != maintenance:
            return False
    return True


def _end_all(players: "Players") -> int:
    """End all sessions and games; the exit code tells whether all have ended."""
    from nhlog.players.sessions import end_all
    from terminal.text.words import counted

    lobbies = games = code = 0
    for folder in players.all:
        try:
            ended = end_all(folder)
        except NhlogError as error:  # the others' are ended all the same
            print_lines(f"{folder.name}: {error}", err=True)
            code = error.exit_code
            continue
        lobbies, games = lobbies + ended[0], games + ended[1]
    print_lines(f"ended {counted(lobbies, 'session')} and {counted(games, 'game')}")
    return code
