"""`nhlog samples`: the recordings that come with nhlog, put where one wants them."""

from pathlib import Path
from typing import Final

import click

from terminal.options import FILE, force_option

__all__ = ["command"]

PLACES: Final = (Path(__file__).parents[1] / "samples", Path(__file__).parents[2] / "samples")
"""Where they are: in the package as it is installed (setup.py puts them there), or beside it in a checkout."""
_LARGEST: Final = 1 << 20  # bytes of a sample


@click.command("samples")
@click.argument("folder", default="samples", metavar="[DIR]", type=FILE)
@force_option
def command(folder: str, force: bool) -> int:
    """Copy the sample recordings into a folder; by default `samples` here.

    They are games, races, maps and a terminal: of most kinds that nhlog opens.

    The folder is made if needed. An existing file stays as it is, unless you give --force.

    \b
    nhlog samples
    nhlog samples ~/recordings
    """
    import os

    from nhlog.errors import NhlogError
    from nhlog.files import CannotOpen, read_whole, refusals
    from terminal.output import each_file, print_lines, write_file

    source = next((place for place in PLACES if place.is_dir()), None)
    if source is None:
        raise NhlogError("this installation has no samples: install nhlog from its wheel or its source")
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise CannotOpen("not a directory", file=folder)
    with refusals(folder):
        os.makedirs(folder, exist_ok=True)

    def put(target: str) -> int:
        write_file(target, read_whole(os.fspath(source / os.path.basename(target)), _LARGEST), force=force)
        print_lines(target)
        return 0

    return each_file([os.path.join(folder, name) for name in sorted(os.listdir(source))], put)
