"""Header and metadata of a new recording; values that a layout's header cannot store go into our extension."""

import struct
import time
from dataclasses import replace
from typing import Final
from uuid import UUID

from nhlog.errors import Usage
from nhlog.formats.hollowcube.wire.extension import Extension, read_extension, with_extension
from nhlog.formats.hollowcube.wire.header import WORLD_VERSION, Header, Layout, build_header
from nhlog.formats.hollowcube.wire.nbt import Kind, Tag
from nhlog.values import dataclass

__all__ = ["Facts", "in_layout"]

_NOWHERE: Final = UUID(int=0)
_EMPTY: Final = Tag(Kind.COMPOUND, {})


@dataclass(frozen=True, slots=True)
class Facts:
    """The values with which a recording begins.

    `world_id` and `world_version` are those of the game, None if nobody told; `data_version` is the game's data
    version, `timestamp` is milliseconds since 1970, None for the current time.
    """

    world_id: UUID | None = None
    world_version: bytes | None = None
    timestamp: int | None = None
    data_version: int | None = None
    layout: Layout = Layout.TEXT
    metadata: Tag = _EMPTY

    def beginning(self) -> tuple[Header, Tag]:
        """Header and metadata of a new recording; its lengths and counts are 0.

        Raises :class:`~nhlog.errors.Usage` for values that a header cannot store.
        """
        header = Header(
            layout=Layout.GAME,
            world_id=self.world_id or _NOWHERE,
            world_version=bytes(WORLD_VERSION) if self.world_version is None else self.world_version,
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
            raise Usage(f"this does not fit into a header: {error}") from None
        extension = replace(read_extension(self.metadata), dictionary=b"", run_events=(), covered_ticks=None)
        header, extension = in_layout(header, extension, self.layout)
        return header, with_extension(self.metadata, extension)


def in_layout(header: Header, extension: Extension, layout: Layout) -> tuple[Header, Extension]:
    """The header in another layout, and the extension with the values that this header cannot store."""
    header = replace(header, dictionary=0, flags=0)
    if layout is header.layout:
        return header, extension
    version = header.world_version if extension.world_version is None else extension.world_version
    header = replace(header, layout=layout, world_version=version)
    if layout is Layout.GAME:
        versions = extension.data_versions
        known = versions[-1][1] if versions else 0
        left = () if len(versions) == 1 else versions
        return replace(header, data_version=known), Extension(data_versions=left)
    if header.data_version and not extension.data_versions:
        extension = replace(extension, data_versions=((0, header.data_version),))
    header = replace(header, data_version=None)
    if len(version) != WORLD_VERSION:
        extension = replace(extension, world_version=version)
        header = replace(header, world_version=version[:WORLD_VERSION].ljust(WORLD_VERSION, b"\0"))
    return header, extension
