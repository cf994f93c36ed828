"""The options and arguments that verbs share, each declared once."""

import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click

from nhlog.errors import NhlogError

if TYPE_CHECKING:
    from nhlog.operations.options import Option

__all__ = [
    "FILE",
    "NO_PAGER",
    "OfFormats",
    "age_option",
    "amount_option",
    "color_option",
    "explain_option",
    "files_argument",
    "force_option",
    "is_loopback",
    "json_option",
    "listening_options",
    "output_option",
    "pager_option",
    "recordings_argument",
    "size_option",
]

FILE: Final = click.Path(allow_dash=True, readable=False)
"""A file's name, or ``-`` for standard input or output; whoever opens it says what is wrong with it."""

NO_PAGER: Final = "nhlog.no_pager"
"""Whether the command line says, before the verb, that no pager is wanted: a key of the context's `meta`."""

_OWN_ALONE: Final = "nhlog.own_options"
"""Whether only options of the verb's own are given: a key of the context's `meta`."""
_OF_FORMAT: Final = "of_format_"
"""What the name of the parameter begins with that is an option of a format."""

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


def _size(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[int, int] | None:
    """The columns and rows."""
    if text is None:
        return None
    from nhlog.vt import parse_size

    return parse_size(text)


def size_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option for the size of a screen; the verb is given None where it is not there."""
    return click.option("--size", metavar="WxH", callback=_size, help=text)


def listening_options(usual: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of a verb that is a web server, `usual` its port: it is given `host` and `port`."""

    def options(command: Callable[..., Any]) -> Callable[..., Any]:
        host = click.option(
            "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address to listen on."
        )
        port = click.option(
            "--port", type=click.IntRange(0, 65535), default=usual, show_default=True, help="0 takes a free port."
        )
        return host(port(command))

    return options


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches this address."""
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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


class OfFormats(click.Command):
    """A verb that has options of the formats, too: those of the `operations` that it calls, but for some names.

    Its function is given those that are there as `options`, by name.  An option of the verb's own hides that of a
    format with its name; `besides` are options that the verb declares as formats do, of which some have the same.

    Formats are only asked where somebody wants to know all options, or gives one that is not the verb's own: importing
    all of them for each `nhlog info FILE` would take longer than the answer.
    """

    def __init__(
        self,
        *arguments: Any,
        operations: tuple[str, ...],
        but: tuple[str, ...] = (),
        besides: "Mapping[str, Option]" = MappingProxyType({}),
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self._operations, self._but, self._besides = operations, but, besides
        self._own = len(self.params)  # those that all verbs have come behind them

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See :class:`click.Command`; notes whether the formats have to be asked."""
        own = {name for parameter in self.params for name in (*parameter.opts, *parameter.secondary_opts)}
        words = [word for word in takewhile(lambda word: word != "--", args) if word.startswith("-") and word != "-"]
        ctx.meta[_OWN_ALONE] = own.issuperset(word.partition("=")[0] for word in words) and not ctx.resilient_parsing
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """All options and arguments, unless only those of the verb's own are given."""
        own = super().get_params(ctx)
        if ctx.meta.get(_OWN_ALONE):
            return own
        names = {name for parameter in own for name in parameter.opts}
        found = [one for name, same in self._declared().items() if (one := _offered(name, same)).opts[0] not in names]
        return [*own[: self._own], *found, *own[self._own :]]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        given = {name: ctx.params.pop(name) for name in [*ctx.params] if name.startswith(_OF_FORMAT)}
        given = {name: value for name, value in given.items() if value not in (None, False)}
        ctx.params["options"] = {name.removeprefix(_OF_FORMAT): value for name, value in given.items()}
        return super().invoke(ctx)

    def _declared(self) -> "dict[str, list[Option]]":
        """What is declared of each option; if it is a flag to some and has a value to others, the first one decides."""
        from nhlog.formats import formats
        from nhlog.operations.options import options_of

        found = {name: [option] for name, option in self._besides.items()}
        for kind in formats():
            with suppress(NhlogError):  # what does not load says so where it is used
                operations = kind.load()
                for offered in filter(None, (getattr(operations, name) for name in self._operations)):
                    for name, option in options_of(offered).items():
                        same = found.setdefault(name, [])
                        if name not in self._but and (not same or bool(same[0].takes) is bool(option.takes)):
                            same.append(option)
        return {name: same for name, same in found.items() if same}


def _offered(name: str, same: "list[Option]") -> click.Option:
    """The option of that name, as some formats declare it."""
    takes = same[0].takes
    choices = sorted({choice for option in same for choice in option.takes.split("|")}) if "|" in takes else []
    return click.Option(
        [f"--{name.replace('_', '-')}", _OF_FORMAT + name],
        is_flag=not takes or None,
        type=click.Choice(choices) if choices else FILE if takes == "FILE" else None if not takes else str,
        metavar=None if choices or not takes else takes,
        help=" ".join(dict.fromkeys(option.help for option in same)),
    )


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
