"""A recording as another: in the other layout, or some of its ticks; what is taken stays the same, event for event.

The source is only read, the target is verified before it takes its place.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from nhlog.errors import Usage
from nhlog.formats.hollowcube.reading.open import open_reader
from nhlog.formats.hollowcube.reading.reader import Reader
from nhlog.formats.hollowcube.replay import CubeReplay
from nhlog.formats.hollowcube.wire.extension import Annex, with_annex
from nhlog.formats.hollowcube.wire.header import Layout
from nhlog.formats.hollowcube.wire.nbt import Tag
from nhlog.formats.hollowcube.writing.assemble import assemble, check_target
from nhlog.formats.hollowcube.writing.chunker import TICKS_A_SECOND, RawChunk
from nhlog.formats.hollowcube.writing.facts import in_layout
from nhlog.formats.hollowcube.writing.moves import Packer
from nhlog.formats.hollowcube.writing.recode import Recoder, sound_chunks
from nhlog.timeline import parse_position

__all__ = ["convert"]

LEVEL: Final = 9  # of zstd: what is converted is kept, and not as often as what is compacted
_MILLISECONDS: Final = 1000 // TICKS_A_SECOND  # of a tick


def convert(
    source: str,
    target: str,
    layout: int = Layout.TEXT,
    first: int | str | None = None,
    last: int | str | None = None,
    force: bool = False,
) -> dict[str, Any]:
    """Write `source` in `layout` to `target`, all of it or from `first` to `last`, both included, and tell of it.

    These are ticks, or positions as :func:`~nhlog.timeline.parse_position` knows them.
    Raises :class:`~nhlog.errors.Damaged` for a source that is not whole: recover it first.
    """
    if layout not in tuple(Layout):
        raise Usage("no such layout", expected="1 or 4", found=layout)
    check_target(target, force)
    reader = open_reader(source)
    try:
        ticks = reader.preamble.ticks
        begin, end = _tick(reader, first, 0), min(_tick(reader, last, ticks - 1), ticks - 1)
        if not 0 <= begin <= end:
            raise Usage("there are no such ticks", expected=f"0 to {ticks - 1}", found=f"{begin} to {end}")
        entries = _convert(reader, target, Layout(layout), begin, end, force)
    finally:
        reader.close()
    return {
        "file": target,
        "source": source,
        "layout": int(layout),
        "ticks": entries[-1].end,
        "chunks": len(entries),
        "size": entries[-1].offset + entries[-1].length,
    }


def _tick(reader: Reader, position: int | str | None, default: int) -> int:
    """The tick that a position names."""
    if position is None:
        return default
    if isinstance(position, int):
        return position
    timeline = CubeReplay(reader).timeline
    return timeline.at("tick", timeline.resolve(parse_position(position)))


def _convert(reader: Reader, target: str, layout: Layout, first: int, last: int, force: bool) -> list[Any]:
    preamble = reader.preamble
    recoder = Recoder(preamble.header.layout, layout, first, last)
    whole = (first, last) == (0, preamble.ticks - 1)
    as_it_is = whole and layout is preamble.header.layout

    def chunks() -> Iterator[RawChunk]:
        for entry, raw, chunk in sound_chunks(reader):
            if as_it_is:
                yield RawChunk(entry.start, entry.ticks, entry.flags, raw, 0)
            elif (made := recoder.recode(entry, raw, chunk)) is not None:
                yield made

    def metadata(ticks: int) -> Tag:
        if as_it_is:
            return with_annex(preamble.metadata, replace(preamble.annex, dictionary=b""))
        annex = in_layout(preamble.header, preamble.annex, layout)[1]
        return with_annex(preamble.metadata, _cut(recoder, annex, layout, first, ticks))

    header, _ = in_layout(preamble.header, preamble.annex, layout)
    header = replace(header, timestamp=header.timestamp + first * _MILLISECONDS)
    return assemble(target, header, metadata, chunks(), Packer(LEVEL), force=force)


def _cut(recoder: Recoder, annex: Annex, layout: Layout, first: int, ticks: int) -> Annex:
    """The annex of ticks that begin with `first`; the game's layout gets no table that its own recordings have not."""
    before = [pair for pair in annex.data_versions if pair[0] <= first]
    later = [(tick - first, version) for tick, version in annex.data_versions if first < tick < first + ticks]
    annex = replace(annex, data_versions=(*((0, version) for _, version in before[-1:]), *later), dictionary=b"")
    return annex if layout is Layout.GAME else recoder.moments.annex(annex, ticks)
