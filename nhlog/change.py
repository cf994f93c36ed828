"""What a `refresh` found; the same values for logs, recordings and their viewers."""

from enum import StrEnum

__all__ = ["Change"]


class Change(StrEnum):
    """What changed in a source since the previous `refresh`."""

    NOTHING = "nothing"
    GREW = "grew"
    REWOUND = "rewound"  # something was taken back: what was known is dropped, and all of it was read again
    FINISHED = "finished"
    REPLACED = "replaced"  # another file has its name now; what is known is still of the one that was opened
