"""Writes a datafile in version 3 or 4: the same items and data, with correct counts and sizes.

The digests change, so that servers take it for another map.
"""

from nhlog.errors import Damaged
from nhlog.files import atomic
from nhlog.formats.datafile.reading.datafile import digests_of, open_datafile
from nhlog.formats.datafile.writing.writer import write_datafile
from nhlog.operations import Record

__all__ = ["convert"]


def convert(source: str, target: str, *, version: int = 4, force: bool = False) -> Record:
    """Write the datafile `source` to `target` in version 3 or 4; returns a record of what was written.

    Raises :class:`Usage` if the target exists and `force` is not set, :class:`Damaged` if items or data are missing.
    """
    with open_datafile(source) as old:
        if old.head.missing:
            raise Damaged("items are missing", file=source, found=f"{old.head.missing} less")
        parts = list(write_datafile(old.items, map(old.data, range(old.num_data)), version))
        before = old.header.version
    atomic.write(target, parts, force=force)
    with open_datafile(target) as new:
        return {
            "file": target,
            "source": source,
            "from_version": before,
            "version": version,
            "items": len(new.items),
            "data": new.num_data,
            "size": new.size,
            **digests_of(new.source)._asdict(),
        }
