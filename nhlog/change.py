"""What a `refresh` found; the same values for logs, recordings and their viewers."""

from enum import StrEnum

from nhlog.files import Fate

__all__ = ["Change", "change_of_name"]


class Change(StrEnum):
    """What changed in a source since the previous `refresh`."""

    NOTHING = "nothing"
    GREW = "grew"
    REWOUND = "rewound"  # something was taken back: what was known is dropped, and all of it was read again
    FINISHED = "finished"
    REPLACED = "replaced"  # another file has its name now; what is known is still of the one that was opened


def change_of_name(before: Fate, now: Fate) -> Change:
    """What the fate of a file's name means to its viewer; that it was moved or deleted is told by the remark alone."""
    if now is before:
        return Change.NOTHING
    return Change.REPLACED if now is Fate.REPLACED else Change.GREW
