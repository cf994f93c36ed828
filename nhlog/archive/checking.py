"""Whether an archived file is what was archived: all of its frames are read, whatever its index says of them."""

from collections.abc import Iterator
from contextlib import closing
from typing import Final

from nhlog.archive.reading import ArchivedFile, open_archived
from nhlog.errors import Damaged, NhlogError
from nhlog.files import CannotOpen
from nhlog.formats import format_of
from nhlog.operations import Record, as_record
from nhlog.remote import NotThere

__all__ = ["check"]

_TOLD: Final = ("format", "title", "start", "duration", "size", "status")
"""What the row of a list has of every recording, whoever makes it when."""


def check(address: str) -> Iterator[Record]:
    """What is wrong with an archived file, as ``verify`` tells it; nothing of what is at an address by itself."""
    try:
        copy = open_archived(address)
    except (CannotOpen, NotThere, Damaged):
        return
    with closing(copy):
        damages = [*copy.check(), *_talk_damage(copy)]
        yield from map(_finding, damages)
        if not damages and (other := _other(address, copy.index.summary)):
            told = ", ".join(other)
            yield _finding(Damaged(f"the archive's list says something else of it than the game itself: {told}"))


def _talk_damage(copy: ArchivedFile) -> Iterator[Damaged]:
    """What is wrong with what was said beside it."""
    try:
        _ = copy.talk
    except Damaged as error:
        yield error


def _other(address: str, summary: Record) -> list[str]:
    """What a summary has otherwise than the recording."""
    try:
        row = as_record(format_of(address).load().listing(address))
    except NhlogError:
        return []  # which its format's own check tells
    return [name for name in _TOLD if row.get(name) != summary.get(name)]


def _finding(damage: Damaged) -> Record:
    return {
        "offset": damage.offset or 0,
        "what": damage.what,
        "expected": damage.expected,
        "found": damage.found,
        "fault": True,
    }
