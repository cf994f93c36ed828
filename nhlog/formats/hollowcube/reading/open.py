"""The recording at a path, as well as it can be had: where a folder's preamble is wrong or gone, its chunks are found.

What is in order is never looked through; that costs no more than its preamble.
"""

from dataclasses import replace

from nhlog.errors import Damaged
from nhlog.formats.hollowcube.reading.local import Source, open_source
from nhlog.formats.hollowcube.reading.reader import Reader

__all__ = ["open_reader"]


def open_reader(path: str) -> Reader:
    """The recording at `path`; raises :class:`~nhlog.errors.NhlogError` where there is none."""
    source = open_source(path)
    try:
        return _open(source)
    except BaseException:
        source.close()
        raise


def _open(source: Source) -> Reader:
    if not (source.folder and source.near):
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
    """A reader of the chunks that are there; None where the index knows of as many."""
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
