"""What became of a source that was looked at again: one word for a log, a recording and whoever shows them."""

from enum import StrEnum

__all__ = ["Change"]


class Change(StrEnum):
    """What a `refresh` found since the one before it."""

    NOTHING = "nothing"
    GREW = "grew"
    REWOUND = "rewound"  # something was taken back: what was known is dropped, and all of it was read again
    FINISHED = "finished"
