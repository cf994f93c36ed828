"""`nhlog broadcast`: tell something to all who are on a server."""

import click

from nhlog.errors import Usage
from terminal.output import print_lines

__all__ = ["command"]


@click.command("broadcast")
@click.argument("text")
def command(text: str) -> None:
    """Show a line to all players of this server who are in the lobby or in a game.

    The lobby keeps TEXT in its message row, and a game of nhlog's own shows it as a message. Over a program that is
    played as a game it stands in the window's title, with a bell, and in the last row if the terminal is taller than
    the game, whose own rows stay as they are. Who watches a game reads it afterwards, in the lobby. The file `audit`
    beside the keys keeps what was told, and by whom.

    \b
    nhlog broadcast 'The server restarts at ten. Your games are saved then.'
    """
    from nhlog.config import read_system_config
    from nhlog.players.audit import note
    from nhlog.players.notices import broadcast

    keys = read_system_config().door
    if keys is None:
        raise Usage("authorized_keys is not set in the system's config.toml (docs/server.md)")
    broadcast(keys, text)
    note(keys, "broadcast", None, text)
    print_lines(f"told all who are there: {text}")
