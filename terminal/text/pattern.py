"""The patterns that people search for, as in `nhlog search` and behind ``/``."""

import re
import warnings

from nhlog.errors import Usage

__all__ = ["compile_pattern"]


def compile_pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern, case-sensitive if it contains a capital letter; raises :class:`Usage` if it is invalid."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what other versions of Python may take it for
            return re.compile(text, 0 if any(map(str.isupper, text)) else re.IGNORECASE)
    except re.error as error:
        raise Usage(f"not a regular expression: {error}", found=repr(text)) from None
