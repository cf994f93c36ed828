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

    from terminal.output import print_lines
    from terminal.relayed import mirror

    def tell(text: str) -> None:
        print_lines(f"{address}: {text}", err=True)

    name = asyncio.run(mirror(address, file, tell))
    tell(f"finished: {name} has all of it")
