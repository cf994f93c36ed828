"""`nhlog serve`: the recordings in a browser."""

from typing import TYPE_CHECKING

import click

from terminal.options import FILE, OfFormats, is_loopback, listening_options

if TYPE_CHECKING:
    from nhlog.scores.tournament import Tournament

__all__ = ["command"]


@click.command("serve", cls=OfFormats, operations=("open",), but=("ghost", "timing"))
@click.argument("places", nargs=-1, type=FILE, metavar="[DIR|FILE...]")
@listening_options(8017)
@click.option(
    "--metrics",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Numbers for Prometheus, at 127.0.0.1 and this port.",
)
@click.option(
    "--tournament",
    "rules",
    type=FILE,
    multiple=True,
    help="A page for this tournament; may be repeated. By default those of config.toml.",
)
def command(
    places: tuple[str, ...],
    host: str,
    port: int,
    metrics: int | None,
    rules: tuple[str, ...],
    options: dict[str, str],
) -> None:
    """Show games and recordings in browsers, live or from any moment.

    Without DIR and FILE it shows the folders that config.toml names, as the lobby does. Browsers can only watch:
    nothing is played, changed or written (players play by `nhlog webplay`). Put it behind a web server for TLS and host
    names (docs/web.md). --map, --size and --charset are used for all recordings that they fit.

    \b
    nhlog serve
    nhlog serve samples/ --port 8000
    """
    from nhlog.config import read_config
    from nhlog.errors import Unsupported

    try:
        from terminal.web.places import places_of
        from terminal.web.serving import serve
    except ModuleNotFoundError as error:
        raise Unsupported(f"nhlog serve needs {error.name}", expected="pip install 'nhlog[web]'") from None

    config = read_config()
    found = places_of(places, config)
    if not is_loopback(host):
        _tell(f"anybody who can reach {host} can see all these recordings, without TLS")
    tournaments = dict(map(_tournament, rules or map(str, config.tournaments)))
    serve(found, host, port, config.web, options, lambda address: _tell(f"serving at {address}"), metrics, tournaments)


def _tournament(file: str) -> "tuple[str, Tournament]":
    """The name of a tournament's page, and its rules; raises :class:`Usage`."""
    import re
    from pathlib import Path

    from nhlog.errors import Usage
    from nhlog.scores.tournament import read_tournament

    name = Path(file).stem
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise Usage("no name of a page", file=file, expected="at most 40 letters, digits, - and _, then .toml")
    return name, read_tournament(file)


def _tell(text: str) -> None:
    from terminal.output import print_lines

    print_lines(text, err=True)
