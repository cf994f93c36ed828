"""Opens the recording at a path or address for reading.

If a folder's preamble is wrong or missing, its chunks are searched for; of a sound recording only the preamble is read.
"""

import os
from dataclasses import replace

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.local import File, Folder
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.reading.source import PREAMBLE, Source

__all__ = ["open_reader", "open_source"]


def open_source(path: str) -> Source:
    """The bytes of the recording at `path`: a file, a folder of segments or the preamble in it, or an address.

    Raises :class:`~nhlog.errors.NhlogError` if it cannot be opened.
    """
    if "://" in path:
        from nhlog.formats.hollowcube.reading.remote import Remote

        return Remote(path)
    if os.path.isdir(path):
        return Folder(path, path)
    if os.path.basename(path) == PREAMBLE:
        return Folder(path, os.path.dirname(path))
    return File(path)


def open_reader(path: str) -> Reader:
    """A reader of the recording at `path`, including chunks that the index of a folder does not list.

    Raises :class:`~nhlog.errors.NhlogError` if there is no recording.
    """
    source = open_source(path)
    try:
        return _open(source)
    except BaseException:
        source.close()
        raise


def _open(source: Source) -> Reader:
    if not (source.folder and source.local):
        return Reader(source)
    try:
        reader = Reader(source)
    except Damaged:
        salvaged = _salvaged(source)
        if salvaged is None:
            raise
        return salvaged
    return (_salvaged(source) or reader) if reader.faults else reader


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
