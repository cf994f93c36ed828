"""Opens the recording at a path or address for reading.

If a folder's preamble is wrong or missing, its chunks are searched for; of a sound recording only the preamble is read.
"""

import os
from dataclasses import replace

from nhlog.errors import Damaged, TooShort
from nhlog.files import made_of
from nhlog.formats.hollowcube.reading.local import File, Folder
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import FINISHED, PREAMBLE, Missing, Source
from nhlog.formats.hollowcube.wire.primitives import Incomplete

__all__ = ["folder_of", "open_reader", "open_source"]


def open_source(path: str) -> Source:
    """The bytes of the recording at `path`: a file, a folder of segments or the preamble in it, or an address.

    Raises :class:`~nhlog.errors.NhlogError` if it cannot be opened.
    """
    if "://" in path:
        from nhlog.formats.hollowcube.reading.remote import Remote

        return Remote(path)
    folder = folder_of(path)
    return File(path) if folder is None else Folder(path, folder)


def folder_of(path: str) -> str | None:
    """The folder in which the recording at `path` is, named by itself or by its preamble; None for a single file."""
    if os.path.isdir(path):
        return path
    return (os.path.dirname(path) or os.curdir) if os.path.basename(path) == PREAMBLE else None


def open_reader(path: str) -> Reader:
    """A reader of the recording at `path`, including chunks that the index of a folder does not list.

    Raises :class:`~nhlog.errors.NhlogError` if there is no recording, :class:`~nhlog.errors.TooShort` if one may have
    been begun just now.
    """
    return made_of(open_source(path), _open)


def _open(source: Source) -> Reader:
    searched = source.folder and source.local
    try:
        reader = Reader(source)
        _check_begun(reader)
    except Damaged as error:
        salvaged = _salvaged(source) if searched else None
        if salvaged is not None:
            return salvaged
        raise _too_short(source, error) from None
    salvaged = _salvaged(source) if searched and reader.faults else None
    return reader if salvaged is None else salvaged


def _check_begun(reader: Reader) -> None:
    """Raise :class:`Incomplete` for a folder of which there is but a part of the preamble."""
    size = reader.source.size(PREAMBLE) if reader.source.folder else None
    whole = reader.preamble.header.preamble_length
    if size is not None and size < whole and not reader.parts:
        raise Incomplete("the data ends in the preamble", file=reader.source.path, expected=whole, found=size)


def _too_short(source: Source, error: Damaged) -> Damaged:
    """The error for a recording that its writer may only have begun, if this is one; else the same error."""
    finished = source.folder and source.size(FINISHED) is not None
    if finished or not source.local or not isinstance(error, Missing | Incomplete):
        return error
    return TooShort(error.what, file=error.file, offset=error.offset, expected=error.expected, found=error.found)


def _salvaged(source: Source) -> Reader | None:
    """A reader of the chunks that a search found; None if it found none beyond those of the index."""
    from nhlog.formats.hollowcube.reading.salvage import survey  # only damage needs it

    try:
        found = survey(source)
    except Damaged:
        return None
    if not found.adopted:
        return None
    elsewhere = Damaged("chunks are not where the index says", expected=0, found=found.adopted)
    faults = (elsewhere, *(Damaged(loss.what) for loss in found.losses), *found.preamble.faults)
    entries = tuple(part.entry for part in found.parts)
    return Reader(source, (replace(found.preamble, entries=entries, faults=faults), found.parts))
