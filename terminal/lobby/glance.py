"""A recording in one line from its first bytes alone, or from its name, and from what was known of it before."""

import os
from dataclasses import replace

from nhlog.errors import LockNotObtained, NhlogError
from nhlog.formats import format_of, unlisted
from nhlog.operations import Listing, Unlisted
from nhlog.replay import Status

__all__ = ["glance"]


def glance(file: str, status: os.stat_result, known: Listing | None) -> tuple[Listing, bool]:
    """What the first bytes of a file tell, or its name alone; and whether that is all that can be known.

    `known` is what was known of the same file before it changed: of one that goes on, it stays until more is read.
    """
    kind = format_of(file)
    told: Listing | None = None
    try:
        operations = kind.load()
        if operations.glance is not None:
            told = operations.glance(file)
    except LockNotObtained:  # its writer is at work
        pass
    except (NhlogError, OSError) as error:
        return unlisted(file, error), True
    if known is not None and _goes_on(known, told, status.st_size):
        return replace(known, changed=status.st_mtime_ns // 1000, size=status.st_size), False
    return told or Listing(
        file=file,
        format=kind.name,
        title="",
        start=None,
        duration=None,
        changed=status.st_mtime_ns // 1000,
        size=status.st_size,
        status=Status.FINISHED,
    ), False


def _goes_on(known: Listing, told: Listing | None, size: int) -> bool:
    """Whether it has only grown since, and its first bytes, if they tell anything, say that it is not over."""
    if isinstance(known, Unlisted) or size < known.size:
        return False
    return told is None or (told.status is known.status is Status.LIVE and told.start == known.start)
