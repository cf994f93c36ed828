"""A datafile written again in version 3 or 4: the same items and data, the counts and sizes set right.

Its digests are others then, so servers take it for another map.
"""

import os
from typing import Any

from nhlog.atomic import create, replace
from nhlog.errors import Damaged, NhlogError, Usage
from nhlog.formats.datafile.operations import digests
from nhlog.formats.datafile.reading.datafile import open_datafile
from nhlog.formats.datafile.writing.writer import write_datafile

__all__ = ["convert_datafile"]


def convert_datafile(source: str, target: str, *, version: int, force: bool) -> dict[str, Any]:
    """Write `source` to `target`; a record of what came of it.

    Raises :class:`Usage` where there is a file already unless `force`, :class:`Damaged` where something is missing.
    """
    with open_datafile(source) as old:
        if old.head.missing:
            raise Damaged("items are missing", file=source, found=f"{old.head.missing} less")
        parts = list(write_datafile(old.items, map(old.data, range(old.num_data)), version))
        before = old.header.version
    try:
        (replace if force else create)(target, parts)
    except FileExistsError:
        raise Usage("there is such a file already", file=target, expected="--force to replace it") from None
    except OSError as error:
        raise NhlogError((error.strerror or str(error)).lower(), file=target) from None
    with open_datafile(target) as new:
        return {
            "file": target,
            "source": source,
            "from_version": before,
            "version": version,
            "items": len(new.items),
            "data": new.num_data,
            "size": os.stat(target).st_size,
            **digests(new),
        }
