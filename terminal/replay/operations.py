"""Calling what a format can do, with the options that were given and no others."""

import inspect
from typing import Any

from nhlog.errors import Usage
from nhlog.formats import format_of, operation

__all__ = ["call_operation"]


def call_operation(file: str, name: str, *arguments: Any, **options: Any) -> Any:
    """What the operation `name` of the file's format returns (see :class:`~nhlog.operations.Operations`).

    Options that are None count as not given.  Raises :class:`~nhlog.errors.Unsupported` where the format has no such
    operation, :class:`~nhlog.errors.Usage` where the operation has no such option, and what it raises itself.
    """
    function = operation(file, name)
    given = {option: value for option, value in options.items() if value is not None}
    known = inspect.signature(function).parameters
    for option in given:
        if option not in known:
            raise Usage(f"--{option.replace('_', '-')} means nothing for a {format_of(file).name}", file=file)
    return function(file, *arguments, **given)
