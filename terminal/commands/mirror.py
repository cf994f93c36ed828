"""`nhlog mirror`: a relayed game as a file again."""

import click

from terminal.options import FILE

__all__ = ["command"]


@click.command("mirror")
@click.argument("address", metavar="nats://HOST/PLAYER/GAME")
@click.argument("file", type=FILE, required=False)
def command(address: str, file: str | None) -> None:
    """Write a relayed game into FILE, byte for byte, while it is played.

    FILE has the game's name by default, in this folder. If it exists, it is made equal to the relayed game, and what is
    equal already stays. So you can stop and restart it at any time. It ends when the game ends.

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
    tell(f"finished: {name} is complete")
