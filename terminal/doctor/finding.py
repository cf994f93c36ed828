"""What a check of this machine tells."""

from enum import StrEnum

from nhlog.values import NamedTuple

__all__ = ["Finding", "Health"]


class Health(StrEnum):
    """How well something works."""

    OK = "ok"
    LIMITED = "limited"
    """nhlog works without it, with less or more slowly."""
    BROKEN = "broken"
    """One cannot play, or not together."""


class Finding(NamedTuple):
    """What was `checked`, what was `found`, and the `remedy` where that is not as it should be."""

    checked: str
    health: Health
    found: str
    remedy: str | None = None
