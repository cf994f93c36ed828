"""What an operation can be asked for beyond its arguments: its options, which a format declares and nobody else lists.

An operation that takes options has a parameter `options`, whose default is an object of a frozen dataclass; `option`
and `flag` make its fields::

    @dataclass(frozen=True)
    class DumpOptions:
        screens: bool = flag("Print screens instead of output.")
        first: int = option(0, "The first event.", "N", whole(0))

    def dump(path: str, options: DumpOptions = defaults(DumpOptions)) -> Iterator[Record]: ...

The command line, its help, completion, man pages and documents are made of these fields, those of other packages among
them.  What is given comes back by name, and `chosen` makes the object of it.  That default is all there is to find: no
table beside the functions has to agree with them, and who calls the function from Python needs nothing of this module.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast

from nhlog.errors import Usage
from nhlog.values import NamedTuple

__all__ = [
    "NO_OPTIONS",
    "Option",
    "amount",
    "chosen",
    "declared",
    "defaults",
    "flag",
    "made",
    "option",
    "options_of",
    "seconds",
    "whole",
]

T = TypeVar("T")

NO_OPTIONS: Final[Mapping[str, object]] = MappingProxyType({})

_DECLARED: Final = "nhlog.option"
_SECONDS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}
_BYTES: Final = {"": 1, "k": 1 << 10, "m": 1 << 20}


class Option(NamedTuple):
    """An option as the command line offers it."""

    help: str
    takes: str
    """What its value is, as in help: ``FILE``, ``N``; ``1|4`` if it is one of these; empty for a flag."""
    parse: Callable[[str], object]
    """Makes the value of a text; raises :class:`ValueError` with what was expected, or :class:`Usage`."""


def option(default: T, help: str, takes: str, parse: Callable[[str], T] | None = None) -> T:
    """A field whose value is given as a text, and is that text unless `parse` makes it (see :class:`Option`)."""
    made: T = field(default=default, metadata={_DECLARED: Option(help, takes, parse or str)})
    return made


def flag(help: str) -> bool:
    """A field that is true if it is asked for."""
    made: bool = field(default=False, metadata={_DECLARED: Option(help, "", bool)})
    return made


def defaults(kind: Callable[[], T]) -> T:
    """The options if nothing is asked for, as the default of an operation's parameter."""
    return kind()


def declared(options: object) -> dict[str, Option]:
    """The options that are fields of such an object, by name."""
    return {one.name: one.metadata[_DECLARED] for one in fields(cast("Any", options)) if _DECLARED in one.metadata}


def options_of(operation: object) -> dict[str, Option]:
    """The options of an operation, by name."""
    return declared(_default(operation))


def made(options: T, given: Mapping[str, object], what: str, file: str) -> T:
    """The options with those that are given: texts are parsed, other values are taken as they are.

    Raises :class:`Usage` for one that there is not, as it means nothing for `what`, and for a value that it cannot
    have.
    """
    known, values = declared(options), {}
    for name, value in given.items():
        word = f"--{name.replace('_', '-')}"
        if name not in known:
            from nhlog.files.kinds import with_article

            raise Usage(f"{word} does not apply to {with_article(what)}", file=file)
        values[name] = _value(word, known[name], value)
    return cast("T", replace(cast("Any", options), **values))


def chosen(operation: T, given: Mapping[str, object], what: str, file: str) -> T:
    """The operation with the options that are given; raises as :func:`made`."""
    if not given:
        return operation
    parameter = _parameter(operation)
    if parameter is not None and parameter.kind is Parameter.VAR_KEYWORD:  # whatever is asked for, it says the same
        return cast("T", partial(cast("Any", operation), **given))
    options = made(_default(operation), given, what, file)
    return cast("T", partial(cast("Any", operation), options=options))


@dataclass(frozen=True)
class _Nothing:
    """What an operation without options can be asked for."""


def _parameter(operation: object) -> Parameter | None:
    return signature(cast("Any", operation)).parameters.get("options")


def _default(operation: object) -> object:
    parameter = _parameter(operation)
    return parameter.default if parameter is not None and is_dataclass(parameter.default) else _Nothing()


def _value(word: str, option: Option, value: object) -> object:
    if isinstance(value, bool) is bool(option.takes):
        raise Usage(f"{word} takes {option.takes or 'no value'}", found=value)
    if not isinstance(value, str):
        return value
    if "|" in option.takes and value not in option.takes.split("|"):
        raise Usage(f"{word}: {value!r} is none of {option.takes.replace('|', ', ')}")
    try:
        return option.parse(value)
    except ValueError as expected:
        raise Usage(f"{word}: {value!r} is not {expected}") from None


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Parse a whole number in these bounds, both included."""
    what = f"a whole number from {least} on" if most is None else f"a whole number from {least} to {most}"

    def parse(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,18}", text) or not least <= int(text) <= (int(text) if most is None else most):
            raise ValueError(what)
        return int(text)

    return parse


def seconds(text: str) -> int:
    """Parse a span of time: ``90``, ``90s``, ``5m``, ``1h``."""
    return _measured(text, "[smh]?", _SECONDS, "a time, as 90, 90s, 5m or 1h")


def amount(text: str) -> int:
    """Parse an amount of bytes: ``65536``, ``64k``, ``4M``."""
    return _measured(text, "(?:[km]i?b?)?", _BYTES, "a size, as 65536, 64k or 4M")


def _measured(text: str, units: str, worth: Mapping[str, int], what: str) -> int:
    found = re.fullmatch(rf"([0-9]{{1,9}})({units})", text, re.IGNORECASE)
    if not found or not int(found[1]):
        raise ValueError(what)
    return int(found[1]) * worth[found[2][:1].lower()]
