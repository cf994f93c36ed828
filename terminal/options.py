"""The options and arguments that verbs share, each declared once."""

import re
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

__all__ = [
    "FILE",
    "NO_PAGER",
    "age_option",
    "amount_option",
    "charset_option",
    "color_option",
    "explain_option",
    "files_argument",
    "force_cut_option",
    "force_option",
    "json_option",
    "opening_options",
    "output_option",
    "pager_option",
    "recordings_argument",
    "terminal_size_option",
    "timing_option",
]

FILE: Final = click.Path(allow_dash=True, readable=False)
"""A file's name, or ``-`` for standard input or output; whoever opens it says what is wrong with it."""

NO_PAGER: Final = "nhlog.no_pager"
"""Whether the command line says, before the verb, that no pager is wanted: a key of the context's `meta`."""

_AGES: Final = {"m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}  # seconds
_MICROSECONDS: Final = 1_000_000
_FOR_PROGRAMS: Final = ("json", "html", "svg")  # forms of a screen


def _age(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """The age in microseconds."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})([mhdw])", text)
    if not found:
        raise click.BadParameter(f"{text!r} is not an age: 30d, 12h, 2w")
    return int(found[1]) * _AGES[found[2]] * _MICROSECONDS


def age_option(name: str, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that is an age; the verb is given microseconds, None where it is not there."""
    return click.option(name, metavar="AGE", callback=_age, help=f"{text}: 30d, 12h, 2w.")


def _amount(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """The amount in bytes."""
    from nhlog.config.values import amount

    if text is None:
        return None
    try:
        return amount(text)
    except (TypeError, ValueError):
        raise click.BadParameter(f"{text!r} is not an amount of bytes: 500M, 4G") from None


def amount_option(name: str, text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that is an amount of bytes; the verb is given None where it is not there."""
    return click.option(name, metavar="SIZE", callback=_amount, help=f"{text}: 500M, 4G.")


files_argument = click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")

recordings_argument = click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE|DIR...")

color_option = click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per line.")

output_option = click.option(
    "-o", "--output", type=FILE, default="-", metavar="FILE", help="Where to write; standard output by default."
)

force_option = click.option("--force", is_flag=True, help="Replace the output file if it exists.")

force_cut_option = click.option(
    "--force",
    is_flag=True,
    help="Cut even more than 8/9 of a log; and, if the system names no administrators, any game of yours, not only "
    "explore and wizard games.",
)

terminal_size_option = click.option(
    "--size", metavar="WxH", help="For recorded terminals: the size, if the file does not say it."
)

charset_option = click.option(
    "--charset", metavar="NAME", help="For recorded terminals: the encoding: utf-8, cp437 or cp1252."
)


timing_option = click.option(
    "--timing", type=FILE, metavar="FILE", help="For typescripts: the file with the times, if it is elsewhere."
)


def opening_options(*without: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options with which recordings are opened, of all our formats, but for those that mean something else here.

    The verb is given them as `opening`, by name, each None where it is not there.
    """
    from nhlog.formats import BUILT_IN

    known = {one.name: one for kind in BUILT_IN for one in kind.openings if one.name not in without}

    def decorated(verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        def run(**arguments: Any) -> Any:
            opening = {name: arguments.pop(f"opening_{name}") for name in known}
            return verb(opening=opening, **arguments)

        for one in reversed(known.values()):
            kind = FILE if one.takes == "FILE" else str
            run = click.option(f"--{one.name}", f"opening_{one.name}", type=kind, metavar=one.takes, help=one.help)(run)
        return run

    return decorated


explain_option = click.option(
    "--explain", is_flag=True, help="Print the diff's commands in words, with their bits; write a file only with -o."
)


def pager_option(verb: Callable[..., int | None]) -> Callable[..., int | None]:
    """The verb's lines are read in a pager where standard output is a terminal; programs get them as ever."""

    @click.option("--no-pager", is_flag=True, help="Do not use a pager.")
    @wraps(verb)
    def run(no_pager: bool, **arguments: Any) -> int | None:
        unwanted = no_pager or not sys.stdout.isatty() or click.get_current_context().meta.get(NO_PAGER)
        if unwanted or arguments.get("as_json") or arguments.get("follow") or arguments.get("form") in _FOR_PROGRAMS:
            return verb(**arguments)
        from terminal.pager import paged

        with paged():
            return verb(**arguments)
        return 0  # the reader had seen enough

    return run
