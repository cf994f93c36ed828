"""`nhlog webplay`: the lobbies of a server's players in their browsers."""

import click

from nhlog.errors import Usage
from terminal.options import is_loopback, listening_options
from terminal.output import print_lines

__all__ = ["command"]


@click.command("webplay")
@listening_options(8018)
def command(host: str, port: int) -> None:
    """Let the players of this server play in browsers.

    Run it as the players' account: it runs `nhlog lobby --player NAME` for each player who is logged in, as sshd does.
    Players log in by a link, which the lobby shows (key L), or `nhlog players link NAME`. Set `play` in the table
    `[web]` of the system's config.toml to the address of the page, and put a web server in front of it for TLS
    (docs/web.md).

    \b
    sudo -u nhlog nhlog webplay
    nhlog webplay --port 9000
    """
    from nhlog.config import read_system_config
    from nhlog.errors import Unsupported
    from nhlog.players import Players

    config = read_system_config()
    if config.players is None:
        raise Usage("this is not a server: players is not set in the system's config.toml (docs/server.md)")
    try:
        from terminal.web.playing.serving import serve_players
    except ModuleNotFoundError as error:
        raise Unsupported(f"nhlog webplay needs {error.name}", expected="pip install 'nhlog[web]'") from None

    if not is_loopback(host):
        print_lines(f"anybody who can reach {host} can try to log in, without TLS", err=True)
    players = Players(config.players)
    serve_players(players, host, port, config, lambda address: print_lines(f"serving at {address}", err=True))
