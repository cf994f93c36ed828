"""Search patterns: regular expressions that ignore case unless they contain a capital letter."""

import re
import warnings

from nhlog.errors import Usage
from nhlog.replay import Event

__all__ = ["compile_pattern", "matches"]


def compile_pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern, case-sensitive if it contains a capital letter; raises :class:`Usage` if it is invalid."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what other versions of Python may take it for
            return re.compile(text, 0 if any(map(str.isupper, text)) else re.IGNORECASE)
    except re.error as error:
        raise Usage(f"not a regular expression: {error}", found=repr(text)) from None


def matches(pattern: re.Pattern[str], event: Event) -> bool:
    """Whether the pattern is found in the text of an event or in its source."""
    return bool(pattern.search(event.text) or pattern.search(event.source))
