"""What no diff may do: the bounds, and the one exception raised when a diff breaks a rule.

Invariant: nothing in `nhlog.mdiff` raises anything else on hostile input, or uses more than these allow.
"""

from typing import Final

from nhlog.errors import Damaged

__all__ = ["MAX_COMMANDS", "MAX_SAVE", "MAX_WIDER", "MdiffError"]

MAX_SAVE: Final = 32 << 20
"""Bytes in the largest save that is ever rebuilt; real ones are below 1 MB, the formats have no bound."""

MAX_COMMANDS: Final = 1 << 18
"""Commands in the longest diff that is ever read: 0.3 s and 75 MB; real ones have a few thousand."""

MAX_WIDER: Final = 8
"""Wider prefixes before one command: arg1 then has over 64 bits, and four suffice for MAX_SAVE."""


class MdiffError(Damaged):
    """A diff breaks the rules of its format; `offset` counts bytes of the diff (exit code 3)."""
