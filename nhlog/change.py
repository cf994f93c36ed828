"""What a `refresh` found; the same values for logs, recordings and their viewers."""

from enum import StrEnum

from nhlog.files import Fate

__all__ = ["Change", "change_of_name"]


class Change(StrEnum):
    """What changed in a source since the previous `refresh`."""

    NOTHING = "nothing"
    GREW = "grew"
    REWOUND = "rewound"  # something was taken back: what was read before is dropped, and all of it was read again
    FINISHED = "finished"
    REPLACED = "replaced"  # another file has its name now; what was read is of the one that was opened


def change_of_name(before: Fate, now: Fate) -> Change:
    """What the fate of a file's name means to its viewer; only the remark says that it was moved or deleted."""
    if now is before:
        return Change.NOTHING
    return Change.REPLACED if now is Fate.REPLACED else Change.GREW
