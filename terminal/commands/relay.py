"""`nhlog relay`: send games to a NATS server while they are played."""

import click

from terminal.options import FILE

__all__ = ["command"]


@click.command("relay")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE|DIR...")
@click.option("--to", "url", required=True, metavar="nats://HOST", help="The NATS server; it needs JetStream.")
@click.option("--server", metavar="NAME", help="The name of this machine there; by default its host name.")
def command(files: tuple[str, ...], url: str, server: str | None) -> None:
    """Send games and recordings to a NATS server while they are played, for others to watch.

    Files are only read. Of a folder, every unfinished game is sent, and every new one. You can stop and restart it at
    any time; it continues where it was. config.toml says how to log in (docs/scale.md).

    \b
    nhlog relay game.nhgame --to nats://hub.example.org
    nhlog relay /var/games/nhlog --to tls://hub.example.org --server north
    """
    import asyncio
    import socket

    from nhlog.config import read_config
    from nhlog.players import Players
    from nhlog.relay.login import options_of
    from nhlog.relay.relaying import relay
    from nhlog.relay.wire import parse_server
    from terminal.output import print_lines

    config = read_config()
    name = server or config.relay.server or socket.gethostname()
    players = None if config.players is None else Players(config.players)

    def tell(text: str) -> None:
        print_lines(text, err=True)

    asyncio.run(relay(files, parse_server(url), options_of(config.relay), name, players, tell))
