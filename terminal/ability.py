"""Calling what a format can do, with the options that were given and no others."""

import inspect
from typing import Any

from nhlog.errors import Usage
from nhlog.formats import format_of, operation

__all__ = ["call"]


def call(file: str, verb: str, *arguments: Any, **options: Any) -> Any:
    """The answer of the file's format; options that are None were not given.

    Raises :class:`~nhlog.errors.Unsupported` for a verb that the format has not, :class:`Usage` for such an option.
    """
    does = operation(file, verb)
    given = {name: value for name, value in options.items() if value is not None}
    known = inspect.signature(does).parameters
    for name in given:
        if name not in known:
            raise Usage(f"--{name.replace('_', '-')} means nothing for a {format_of(file).name}", file=file)
    return does(file, *arguments, **given)
