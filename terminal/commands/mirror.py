"""`nhlog mirror`: a relayed game as a file again."""

import click

from terminal.options import FILE

__all__ = ["command"]


@click.command("mirror")
@click.argument("address", metavar="nats://HOST/PLAYER/GAME")
@click.argument("file", type=FILE, required=False)
@click.option("--force", is_flag=True, help="Replace FILE if it is another game, which is kept as FILE.cut-NUMBER.")
def command(address: str, file: str | None, force: bool) -> None:
    """Write a relayed game into FILE, byte for byte, while it is played.

    FILE has the game's name by default, in this folder. If it exists and is this game, or was before the game was taken
    back, it is continued: so you can stop and restart it at any time. A file with anything else is left alone. It ends
    when the game ends.

    \b
    nhlog mirror nats://hub.example.org/Ann/game.nhgame
    nhlog mirror nats://hub.example.org/north/Ann/game.nhgame copy.nhgame
    """
    import asyncio

    from terminal.output import print_lines
    from terminal.relayed import mirror

    def tell(text: str) -> None:
        print_lines(f"{address}: {text}", err=True)

    name = asyncio.run(mirror(address, file, tell, force=force))
    tell(f"finished: {name} is complete")
