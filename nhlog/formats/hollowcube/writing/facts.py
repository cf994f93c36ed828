"""What a recording says of itself before its first tick, in either layout; what has no place there is in the annex."""

import struct
import time
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from nhlog.errors import Usage
from nhlog.formats.hollowcube.wire.extension import Annex, read_annex, with_annex
from nhlog.formats.hollowcube.wire.header import WORLD_VERSION, Header, Layout, build_header
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag

__all__ = ["Facts", "in_layout"]

_NOWHERE: Final = UUID(int=0)
_EMPTY: Final = Tag(Kind.COMPOUND, {})


@dataclass(frozen=True, slots=True)
class Facts:
    """The world and its version are opaque; `timestamp` is milliseconds since 1970, None for now.

    `data_version` is the game's.
    """

    world_id: UUID = _NOWHERE
    world_version: bytes = bytes(WORLD_VERSION)
    timestamp: int | None = None
    data_version: int | None = None
    layout: Layout = Layout.TEXT
    metadata: Tag = _EMPTY

    def beginning(self) -> tuple[Header, Tag]:
        """Header and metadata of a recording that begins with these; its lengths and counts are not known yet.

        Raises :class:`~nhlog.errors.Usage` for what a header cannot hold.
        """
        header = Header(
            layout=Layout.GAME,
            world_id=self.world_id,
            world_version=self.world_version,
            timestamp=round(time.time() * 1000) if self.timestamp is None else self.timestamp,
            tick_count=0,
            chunk_count=0,
            metadata_length=0,
            index_length=0,
            data_version=self.data_version,
        )
        try:
            build_header(header)
        except struct.error as error:
            raise Usage(f"a header cannot hold that: {error}") from None
        annex = replace(read_annex(self.metadata), dictionary=b"", moments=(), ticks=None)
        header, annex = in_layout(header, annex, self.layout)
        return header, with_annex(self.metadata, annex)


def in_layout(header: Header, annex: Annex, layout: Layout) -> tuple[Header, Annex]:
    """A header in another layout, and the annex with what has no place in it."""
    header = replace(header, dictionary=0, flags=0)
    if layout is header.layout:
        return header, annex
    version = header.world_version if annex.world_version is None else annex.world_version
    header = replace(header, layout=layout, world_version=version)
    if layout is Layout.GAME:
        versions = annex.data_versions
        known = versions[-1][1] if versions else 0
        left = () if len(versions) == 1 else versions
        return replace(header, data_version=known), Annex(data_versions=left)
    if header.data_version and not annex.data_versions:
        annex = replace(annex, data_versions=((0, header.data_version),))
    header = replace(header, data_version=None)
    if len(version) != WORLD_VERSION:
        annex = replace(annex, world_version=version)
        header = replace(header, world_version=version[:WORLD_VERSION].ljust(WORLD_VERSION, b"\0"))
    return header, annex
