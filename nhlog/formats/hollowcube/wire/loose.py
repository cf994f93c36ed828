"""The index entry of a chunk that no index lists, from its content: of all of it, or of what is there so far.

In the game's layout ticks have their numbers.  In the text's they count from the chunk's start, which the caller has to
know, and a chunk does not say whether it begins with a snapshot: what can be read further is believed.
"""

from typing import Final

from nhlog.formats.hollowcube.wire.chunks import Chunk, decode_chunk
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.index import SNAPSHOT, Entry

__all__ = ["entry_of"]

_MAX_COUNT: Final = 0x7FFFFFFF
_MAX_TICKS: Final = 200_000  # in one such chunk: almost three hours
_LEAST_TICK: Final = 3  # bytes of a tick record


def entry_of(raw: bytes, layout: Layout, start: int) -> Entry | None:
    """The entry, without a place, of the whole ticks with which `raw` begins; None if there are none.

    Its `raw_length` is that of these ticks: all of `raw` if that is a complete chunk.  `start` is the chunk's first
    tick where the layout does not say it.
    """
    if layout is Layout.GAME:
        return _of_game(raw)
    read = [(decode_chunk(raw, layout, start, _MAX_COUNT - start, bool(flags)), flags) for flags in (SNAPSHOT, 0)]
    chunk, flags = max(read, key=lambda one: _length(one[0]))
    if not chunk.ticks:
        return None
    return Entry(start, chunk.ticks[-1].field + 1, flags, 0, 0, _length(chunk))


def _length(chunk: Chunk) -> int:
    return chunk.ticks[-1].end if chunk.ticks else 0


def _of_game(raw: bytes) -> Entry | None:
    if not _rising(decode_chunk(raw, Layout.GAME, 0, 2, False)):  # enough to reject most others
        return None
    chunk = decode_chunk(raw, Layout.GAME, 0, min(len(raw) // _LEAST_TICK + 1, _MAX_TICKS), False)
    count = _rising(chunk)
    return Entry(chunk.ticks[0].field, count, SNAPSHOT, 0, 0, chunk.ticks[count - 1].end)


def _rising(chunk: Chunk) -> int:
    """The number of ticks with consecutive numbers at its beginning; none if the first one has no possible number."""
    if not chunk.ticks or chunk.ticks[0].field < 0:
        return 0
    first = chunk.ticks[0].field
    broken = (count for count, tick in enumerate(chunk.ticks) if tick.field != first + count)
    return next(broken, len(chunk.ticks))
