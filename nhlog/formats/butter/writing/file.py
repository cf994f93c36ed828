"""Writing of a .butter file in one pass: first chunks to a temporary file, then header and chunks to the target.

The header holds the sizes of the chunks and the players, which are known only at the end.  The target is written
completely or not at all, and only one chunk is held in memory.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, Any, Final

from nhlog.errors import Unsupported, Usage
from nhlog.files import atomic, refusals
from nhlog.formats.butter.wire.packing import WRITABLE_COMPRESSIONS

__all__ = ["INTERVAL", "check_form", "write_chunks"]

INTERVAL: Final = 300
"""Frames in a chunk, as the reference has it by default."""

_MOST_INTERVAL: Final = 0xFFFF

_PIECE: Final = 1 << 20
_MOST_CHUNK: Final = 0xFFFFFFFF


def check_form(interval: int | None, compression: str | None) -> None:
    """Raise :class:`Usage` for frames in a chunk, or a compression of chunks, that cannot be written."""
    if interval is not None and not 1 <= interval <= _MOST_INTERVAL:
        raise Usage("no such interval", expected=f"1 to {_MOST_INTERVAL}", found=interval)
    if compression is not None and compression not in WRITABLE_COMPRESSIONS:
        raise Usage("no such compression", expected=" ".join(WRITABLE_COMPRESSIONS), found=compression)


def write_chunks(target: str, chunks: Iterable[bytes], header: Callable[[Sequence[int]], bytes], *, force: bool) -> int:
    """Write compressed chunks behind the header that `header` makes from their sizes; returns the size of the file.

    Raises :class:`Usage` if the target exists and `force` is not set.
    """
    folder = os.path.dirname(os.path.abspath(target))
    with refusals(target), tempfile.TemporaryFile(dir=folder) as spool:
        sizes = []
        for chunk in chunks:
            if len(chunk) > _MOST_CHUNK:
                raise Unsupported("a chunk is too large", expected=f"at most {_MOST_CHUNK} bytes", found=len(chunk))
            spool.write(chunk)
            sizes.append(len(chunk))
        spool.seek(0)
        return atomic.write(target, chain((header(sizes),), _pieces(spool)), force=force)


def _pieces(spool: IO[Any]) -> Iterator[bytes]:
    while piece := spool.read(_PIECE):
        yield piece
