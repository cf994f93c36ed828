"""`nhlog relay`: send games to a NATS server while they are played."""

import click

from terminal.options import FILE

__all__ = ["command"]


@click.command("relay")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE|DIR...")
@click.option("--to", "url", required=True, metavar="nats://HOST", help="The NATS server, which has JetStream.")
@click.option("--server", metavar="NAME", help="What this machine is called there; by default its own name.")
def command(files: tuple[str, ...], url: str, server: str | None) -> None:
    """Send games and recordings to a NATS server while they are played: others watch them there.

    Files are only read. Of a folder all is sent that goes on, also what begins later; nothing else is. It may be ended
    and begun again at any time, and goes on where it was. How to log in stands in config.toml (docs/scale.md).

    \b
    nhlog relay game.nhgame --to nats://hub.example.org
    nhlog relay /var/games/nhlog --to tls://hub.example.org --server north
    """
    import asyncio
    import socket

    from nhlog.config import read_config
    from nhlog.players import Players
    from nhlog.relay.relaying import relay
    from terminal.output import print_lines
    from terminal.relayed import options_of, server_url

    config = read_config()
    name = server or config.relay.server or socket.gethostname()
    players = None if config.players is None else Players(config.players)

    def tell(text: str) -> None:
        print_lines(text, err=True)

    asyncio.run(relay(files, server_url(url), options_of(config.relay), name, players, tell))
