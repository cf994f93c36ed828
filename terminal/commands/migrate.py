"""`nhlog migrate`: the players of a server of dgamelaunch, taken over."""

import click

from nhlog.errors import Usage
from terminal.options import FILE, json_option, pager_option
from terminal.output import print_json, print_lines

__all__ = ["command"]

MOST = 1 << 20  # bytes of dgamelaunch.conf


@click.command("migrate")
@click.argument("file", type=FILE, metavar="DGAMELAUNCH.CONF")
@click.option(
    "--game",
    "pairs",
    multiple=True,
    metavar="SHORT=GAME",
    help="Our game for that of this short_name; may be repeated.",
)
@click.option(
    "--saves",
    "folders",
    multiple=True,
    metavar="SHORT=FOLDER",
    help="The folder of saved games of this short_name, in dgamelaunch's chroot; for the very same build of the game.",
)
@click.option("--yes", is_flag=True, help="Copy; else it is only said what would be taken, and what is left.")
@pager_option
@json_option
def command(file: str, pairs: tuple[str, ...], folders: tuple[str, ...], yes: bool, as_json: bool) -> int:
    """Take over the players of dgamelaunch: their names, options files, ttyrecs and saved games.

    It reads where things are from dgamelaunch.conf, and prints a line for each thing that is taken over, or that is
    left and why. Nothing of dgamelaunch's is changed, and nothing of a player who is here already. Passwords are left:
    players log in with keys (`nhlog players add`). See docs/from-dgamelaunch.md.

    \b
    nhlog migrate /opt/nethack/chroot/etc/dgamelaunch.conf --game NH367=nethack
    nhlog migrate /opt/nethack/chroot/etc/dgamelaunch.conf --game NH367=nethack --saves NH367=/nh367/var/save --yes
    """
    from nhlog.config import read_system_config
    from nhlog.files import read_whole
    from nhlog.players import Players
    from nhlog.players.dgamelaunch.logins import list_of, logins_in
    from nhlog.players.dgamelaunch.settings import inside, parse_settings
    from nhlog.players.dgamelaunch.taking import Ours, take_over

    config = read_system_config()
    if config.players is None:
        raise Usage("players is not set in the system's config.toml (docs/server.md)")
    programs = {program.name: program for program in config.programs}
    games: dict[str, Ours] = {}
    for pair in pairs:
        short, _, name = pair.partition("=")
        if name not in programs:
            raise Usage(
                f"no such game in config.toml: {name}", expected=f"SHORT=GAME, GAME one of {' '.join(programs)}"
            )
        games[short] = Ours(name, programs[name].rcfile)
    for pair in folders:
        short, _, path = pair.partition("=")
        if short not in games:
            raise Usage(f"--saves {pair}: --game says no game of ours for it", expected="SHORT=FOLDER")
        games[short] = games[short]._replace(saves=inside(path))
    try:
        settings = parse_settings(read_whole(file, MOST).decode("utf-8", "replace"))
    except Usage as error:
        raise error.within(file) from None
    logins = logins_in(list_of(settings))
    taken = left = 0
    for outcome in take_over(settings, logins, Players(config.players), games, dry_run=not yes):
        taken, left = taken + bool(outcome.target), left + bool(outcome.why)
        if as_json:
            print_json(outcome._asdict())
        else:
            became = f"-> {outcome.target}" if outcome.target else f"left: {outcome.why}"
            print_lines(" ".join(filter(None, (outcome.player, outcome.what, became))))
    if not as_json:
        said = "taken over" if yes else "would be taken over (--yes does it)"
        print_lines(f"{taken} {said}, {left} left", err=True)
    return 0
