"""`nhlog mirror`: a relayed game as a file again."""

import click

from terminal.options import FILE

__all__ = ["command"]


@click.command("mirror")
@click.argument("address", metavar="nats://HOST/PLAYER/GAME")
@click.argument("file", type=FILE, required=False)
def command(address: str, file: str | None) -> None:
    """Write a relayed game into FILE, by default of its own name here, byte for byte, as long as it is played.

    A file that is there becomes what is relayed; what it has of that already stays as it is. So it may be ended and
    begun again at any time. It ends with the game.

    \b
    nhlog mirror nats://hub.example.org/Ann/game.nhgame
    nhlog mirror nats://hub.example.org/north/Ann/game.nhgame copy.nhgame
    """
    import asyncio
    from contextlib import closing

    from nhlog.config import read_config
    from nhlog.relay.connection import connected
    from nhlog.relay.copy import Copy
    from nhlog.relay.receiving import find, receive
    from nhlog.relay.wire import parse_place
    from terminal.output import print_lines
    from terminal.relayed import file_name, options_of

    place, options = parse_place(address), options_of(read_config().relay)

    def tell(text: str) -> None:
        print_lines(f"{address}: {text}", err=True)

    async def mirror() -> None:
        async with connected(place.url, options) as connection:
            game = await find(connection, place)
            with closing(Copy(file or file_name(game.name))) as copy:
                await receive(connection, game, copy, tell)
                tell(f"finished: {copy.name} has all of it")

    asyncio.run(mirror())
