"""The limits of diffs, and the exception for a diff that breaks a rule.

Invariant: for untrusted input, nothing in `nhlog.mdiff` raises any other exception or uses more than these limits
allow.
"""

from typing import Final

from nhlog.errors import Damaged

__all__ = ["MAX_COMMANDS", "MAX_SAVE", "MAX_WIDER", "MdiffError"]

MAX_SAVE: Final = 32 << 20
"""The largest save that is rebuilt, in bytes; real ones are below 1 MB, the formats have no limit."""

MAX_COMMANDS: Final = 1 << 18
"""The most commands in a diff: this many take 0.3 s and 75 MB; real diffs have a few thousand."""

MAX_WIDER: Final = 8
"""The most wider prefixes of one command: arg1 then has over 64 bits, and four suffice for MAX_SAVE."""


class MdiffError(Damaged):
    """A diff breaks the rules of its format; `offset` counts bytes of the diff (exit code 3)."""
