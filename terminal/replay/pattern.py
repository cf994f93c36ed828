"""What one searches events for: a regular expression in which small letters match capitals, too."""

import re

from nhlog.errors import Usage
from nhlog.replay import Event

__all__ = ["compile_pattern", "matches"]


def compile_pattern(text: str) -> re.Pattern[str]:
    """The pattern; one with a capital letter minds the case.  Raises :class:`Usage` for what is no pattern."""
    try:
        return re.compile(text, 0 if any(map(str.isupper, text)) else re.IGNORECASE)
    except re.error as error:
        raise Usage(f"not a regular expression: {error}", found=repr(text)) from None


def matches(pattern: re.Pattern[str], event: Event) -> bool:
    """Whether it is in the words that are shown, or in what the recording has."""
    return bool(pattern.search(event.text) or pattern.search(event.source))
