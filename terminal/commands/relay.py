"""`nhlog relay`: send games to a NATS server while they are played."""

import click

from terminal.options import FILE, age_option, amount_option

__all__ = ["command"]


@click.command("relay")
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE|DIR...")
@click.option("--to", "url", required=True, metavar="nats://HOST", help="The NATS server; it needs JetStream.")
@click.option("--server", metavar="NAME", help="The name of this machine there; by default its host name.")
@age_option("--stream-age", "How long a stream that is created keeps what was sent, by default 30d")
@amount_option("--stream-size", "How much is kept in a stream that is created, by default 4G; the oldest is removed")
def command(
    files: tuple[str, ...], url: str, server: str | None, stream_age: int | None, stream_size: int | None
) -> None:
    """Send games and recordings to a NATS server while they are played, for others to watch.

    Files are only read. Of a folder, every unfinished game is sent, and every new one. You can stop and restart it at
    any time; it continues where it was. config.toml says how to log in (docs/scale.md).

    The first relay creates the stream on the server, with limits of age and size. An existing one stays as it is;
    `nhlog doctor --relay nats://HOST` looks at it.

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
    from nhlog.relay.wire import LIMITS, Limits, parse_server
    from terminal.output import print_lines

    config = read_config()
    name = server or config.relay.server or socket.gethostname()
    players = None if config.players is None else Players(config.players)

    def tell(text: str) -> None:
        print_lines(text, err=True)

    limits = Limits(stream_age or LIMITS.age, stream_size or LIMITS.size)
    options = {**options_of(config.relay), "limits": limits}
    asyncio.run(relay(files, parse_server(url), options, name, players, tell))
