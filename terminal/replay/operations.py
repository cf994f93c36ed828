"""Calling an operation of a format with only the options that were given."""

import inspect
from collections.abc import Callable
from typing import Any

from nhlog.errors import Usage
from nhlog.formats import Format, format_of, operation

__all__ = ["call", "call_of", "call_operation"]


def call_operation(file: str, name: str, /, *arguments: Any, **options: Any) -> Any:
    """Call the operation `name` of the file's format, as :func:`call_of` does."""
    return call_of(format_of(file), file, name, *arguments, **options)


def call_of(kind: Format, file: str, name: str, /, *arguments: Any, **options: Any) -> Any:
    """Call the operation `name` of a format (see :class:`~nhlog.operations.Operations`); returns its result.

    Options that are None are not passed on.  Raises :class:`~nhlog.errors.Unsupported` if the format has no such
    operation, :class:`~nhlog.errors.Usage` if the operation has no such option, and what the operation raises.
    """
    return call(operation(file, name, kind), kind.name, file, *arguments, **options)


def call(function: Callable[..., Any], what: str, file: str, /, *arguments: Any, **options: Any) -> Any:
    """Call a function of a file with the options that are not None; raises :class:`~nhlog.errors.Usage` for others.

    `what` says for what an option means nothing.
    """
    given = {option: value for option, value in options.items() if value is not None}
    known = inspect.signature(function).parameters
    any_option = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known.values())
    for option in given:
        if option not in known and not any_option:
            from nhlog.files.kinds import with_article

            raise Usage(f"--{option.replace('_', '-')} does not apply to {with_article(what)}", file=file)
    return function(file, *arguments, **given)
