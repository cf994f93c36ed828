"""Gzip, bzip2, xz and zstd: decompression under one set of limits, compression, dictionaries.

Output comes in pieces of bounded size, and everything before a fault is yielded before the fault is raised.  Limits
apply to the total output, however many members the input has.  No I/O.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from nhlog.errors import Damaged, Usage
from nhlog.values import NamedTuple

if TYPE_CHECKING:
    import zstandard

__all__ = [
    "BZIP2",
    "GZIP",
    "MAGIC",
    "MAX_CHUNK",
    "MAX_MEMORY",
    "MOST_MAGIC",
    "NONE",
    "PIECE",
    "XZ",
    "ZSTD",
    "Compressor",
    "Decompressor",
    "EndsEarly",
    "OpenMember",
    "Unpacked",
    "compressed",
    "compression_of",
    "decompress",
    "decompressed",
    "ending_for",
    "has_checksum",
    "train_dictionary",
]

NONE: Final = "none"
GZIP: Final = "gzip"
BZIP2: Final = "bzip2"
XZ: Final = "xz"
ZSTD: Final = "zstd"

PIECE: Final = 1 << 16  # bytes that are given at a time
MAX_CHUNK: Final = 1 << 26  # bytes of one chunk, unpacked: 64 MiB
MAX_MEMORY: Final = 1 << 27  # bytes that unpacking may take by itself: the strongest usual settings of xz and zstd

_MAGIC: Final = {b"\x1f\x8b": GZIP, b"BZh": BZIP2, b"\xfd7zXZ\0": XZ, b"\x28\xb5\x2f\xfd": ZSTD}
_GZIP_BITS: Final = 31  # zlib's number for a gzip member
_SLICE: Final = 1 << 8  # bytes fed to zstd at a time: four of them may make 128 KiB, these 8 MiB, and it knows no limit
_DESCRIPTOR: Final = 4  # offset in a zstd frame (RFC 8878, 3.1.1.1)
_CHECKSUM: Final = 0x04  # a bit of it
_LEVELS: Final = {GZIP: 6, BZIP2: 9, XZ: 6, ZSTD: 9}


class EndsEarly(Damaged):
    """The compressed data ends inside a member: it was cut off, or is still being written."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"the {kind} data ends early")


class Unpacked(NamedTuple):
    """The decompressed data up to the first fault, and that fault, None if there is none."""

    data: bytes
    fault: Damaged | None


MAGIC: Final = tuple(_MAGIC)
"""How compressed data begins."""

MOST_MAGIC: Final = max(map(len, MAGIC))
"""Bytes that are enough to recognise how data is compressed."""


def compression_of(head: bytes) -> str:
    """The compression of data that begins with `head` (six or more bytes): one of the names above."""
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), NONE)


def has_checksum(member: bytes) -> bool:
    """Whether a member that begins so ends in a checksum; without one a changed byte may be noticed by nobody."""
    kind = compression_of(member[:MOST_MAGIC])
    if kind == ZSTD:
        return len(member) > _DESCRIPTOR and bool(member[_DESCRIPTOR] & _CHECKSUM)
    return kind != NONE  # an xz stream may have none, too, which nothing writes


# Unpacking.


class _Member(Protocol):
    """A decoder of one gzip member, xz stream or zstd frame."""

    @property
    def ended(self) -> bool:
        """Whether the end of the member was reached."""
        ...

    @property
    def rest(self) -> bytes:
        """The bytes after the end of the member."""
        ...

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress `data`, yielding pieces; raises :class:`Damaged`."""
        ...


class Decompressor:
    """An incremental decompressor of any number of consecutive members; ``none`` passes data through.

    Data that ends inside a member is not an error here, as more may follow: check :attr:`complete` at the end of the
    input.
    """

    def __init__(self, kind: str, dictionary: bytes = b"") -> None:
        self.kind = kind
        self._dictionary = dictionary
        self._member: _Member | None = None
        self._begun = False

    @property
    def complete(self) -> bool:
        """Whether the input so far ends at the end of a member (or is empty)."""
        return self._member is None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decompress `data`, yielding pieces; raises :class:`Damaged` after the data before the fault was yielded."""
        if self.kind == NONE:
            if data:
                yield data
            return
        while data:
            if self._member is None:
                data = data.lstrip(b"\0") if self._begun else data  # padding between members
                if not data:
                    return
                self._member, self._begun = _MEMBERS[self.kind](self._dictionary), True
            yield from self._member.feed(data)
            if not self._member.ended:
                return
            data, self._member = self._member.rest, None


class _GzipMember:
    def __init__(self, dictionary: bytes) -> None:
        self._stream = zlib.decompressobj(_GZIP_BITS)

    @property
    def ended(self) -> bool:
        return self._stream.eof

    @property
    def rest(self) -> bytes:
        return self._stream.unused_data

    def feed(self, data: bytes) -> Iterator[bytes]:
        while not self._stream.eof:
            try:
                piece = self._stream.decompress(data, PIECE)
            except zlib.error as error:
                raise _damaged(GZIP, error) from None
            data = self._stream.unconsumed_tail
            if not piece:
                return
            yield piece


class _BoundedStream:
    """A decoder of the standard library that itself gives no more than it is asked for."""

    def __init__(self, kind: str, stream: Any, errors: tuple[type[Exception], ...]) -> None:
        self._kind, self._stream, self._errors = kind, stream, errors

    @property
    def ended(self) -> bool:
        return bool(self._stream.eof)

    @property
    def rest(self) -> bytes:
        rest: bytes = self._stream.unused_data
        return rest

    def feed(self, data: bytes) -> Iterator[bytes]:
        while not self._stream.eof and (data or not self._stream.needs_input):
            try:
                piece = self._stream.decompress(data, PIECE)
            except self._errors as error:
                raise _damaged(self._kind, str(error) or "it needs too much memory") from None
            data = b""
            if piece:
                yield piece


def _xz_stream_of(dictionary: bytes) -> _BoundedStream:
    import lzma

    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_MEMORY)
    return _BoundedStream(XZ, stream, (lzma.LZMAError, MemoryError))


def _bzip2_stream_of(dictionary: bytes) -> _BoundedStream:
    import bz2

    return _BoundedStream(BZIP2, bz2.BZ2Decompressor(), (OSError, ValueError, MemoryError))


class _ZstdFrame:
    def __init__(self, dictionary: bytes) -> None:
        import zstandard

        knowing = _dictionary(dictionary) if dictionary else None
        self._stream = zstandard.ZstdDecompressor(dict_data=knowing, max_window_size=MAX_MEMORY).decompressobj()
        self._error = zstandard.ZstdError
        self._behind = b""

    @property
    def ended(self) -> bool:
        return self._stream.eof

    @property
    def rest(self) -> bytes:
        return self._stream.unused_data + self._behind

    def feed(self, data: bytes) -> Iterator[bytes]:
        for start in range(0, len(data), _SLICE):
            try:
                made = self._stream.decompress(data[start : start + _SLICE])
            except self._error as error:
                raise _damaged(ZSTD, error) from None
            for at in range(0, len(made), PIECE):
                yield made[at : at + PIECE]
            if self._stream.eof:
                self._behind = data[start + _SLICE :]
                return


_MEMBERS: Final[dict[str, Callable[[bytes], _Member]]] = {
    GZIP: _GzipMember,
    BZIP2: _bzip2_stream_of,
    XZ: _xz_stream_of,
    ZSTD: _ZstdFrame,
}


def decompressed(parts: Iterable[bytes], kind: str) -> Iterator[bytes]:
    """Decompress the data that comes in `parts`, yielding pieces.

    Raises :class:`EndsEarly` for truncated and :class:`Damaged` for damaged data, after the data before the fault was
    yielded.
    """
    stream = Decompressor(kind)
    for part in parts:
        yield from stream.feed(part)
    if not stream.complete:
        raise EndsEarly(kind)


def decompress(data: bytes, kind: str, most: int = MAX_CHUNK, dictionary: bytes = b"") -> Unpacked:
    """Decompress at most `most` bytes; a fault in `data`, or too much output, is returned and not raised."""
    if kind == ZSTD and (whole := _frame_at_once(data, most, dictionary)) is not None:
        return Unpacked(whole, None)
    parts: list[bytes] = []
    room = most
    stream = Decompressor(kind, dictionary)
    fault = None
    try:
        for piece in stream.feed(data):
            parts.append(piece[:room])
            room -= len(piece)
            if room < 0:
                fault = Damaged("the unpacked data is too large", expected=f"at most {most} bytes")
                break
        else:
            fault = None if stream.complete else EndsEarly(kind)
    except Damaged as error:
        fault = error
    return Unpacked(b"".join(parts), fault)


def _frame_at_once(data: bytes, most: int, dictionary: bytes) -> bytes | None:
    """What is in a zstd frame that says how much it is; None for what is not one sound frame of at most `most` bytes.

    In slices, as they are safe where nothing says how much there is, 2 MB take 3 ms in place of 0.6.
    """
    import zstandard

    try:
        if not 0 <= zstandard.frame_content_size(data) <= most:
            return None
        knowing = _dictionary(dictionary) if dictionary else None
        stream = zstandard.ZstdDecompressor(dict_data=knowing, max_window_size=MAX_MEMORY)
        return stream.decompress(data, allow_extra_data=False)
    except zstandard.ZstdError:
        return None


def _damaged(kind: str, error: object) -> Damaged:
    return Damaged(f"the {kind} data is damaged: {error}")


@lru_cache(maxsize=2)
def _dictionary(data: bytes) -> "zstandard.ZstdCompressionDict":
    import zstandard

    return zstandard.ZstdCompressionDict(data)


# Packing.


class Compressor:
    """A callable that compresses each piece of data into one member; a zstd frame has its size and a checksum.

    `level` is the method's own number, by default its usual one; `dictionary` is for zstd only.
    """

    def __init__(self, kind: str, level: int | None = None, dictionary: bytes = b"", *, checksum: bool = True) -> None:
        self._kind = kind
        self._level = _LEVELS.get(kind, 0) if level is None else level
        self._pack = self._zstd(dictionary, checksum) if kind == ZSTD else None

    def _zstd(self, dictionary: bytes, checksum: bool) -> Callable[[bytes | bytearray], bytes]:
        import zstandard

        knowing = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        if knowing is not None:
            knowing.precompute_compress(self._level)
        return zstandard.ZstdCompressor(level=self._level, dict_data=knowing, write_checksum=checksum).compress

    def __call__(self, data: bytes | bytearray) -> bytes:
        """The compressed data."""
        if self._pack is not None:
            return bytes(memoryview(self._pack(data)))  # what it gives has room behind it for the worst data
        return b"".join(compressed([bytes(data)], self._kind, self._level))


class OpenMember:
    """A gzip member or zstd frame that is written bit by bit: what was added can be unpacked before it has ended.

    It has a checksum; a zstd frame does not say its size.
    """

    def __init__(self, kind: str, level: int | None = None) -> None:
        self._stream: Any = _STREAMS[kind](_LEVELS[kind] if level is None else level)
        self._block = _BLOCK[kind]

    def add(self, data: bytes) -> bytes:
        """The next bytes of the member, from which `data` can be unpacked."""
        return b"".join((self._stream.compress(data), self._stream.flush(self._block)))

    def end(self, data: bytes = b"") -> bytes:
        """The last bytes of the member, with `data` in them."""
        return b"".join((self._stream.compress(data), self._stream.flush()))


_BLOCK: Final = {GZIP: zlib.Z_SYNC_FLUSH, ZSTD: 1}  # zstandard.COMPRESSOBJ_FLUSH_BLOCK


class _Stream(Protocol):
    """An encoder of one member."""

    def compress(self, data: bytes, /) -> bytes:
        """Compress `data`, returning the output so far."""
        ...

    def flush(self) -> bytes:
        """Finish the member, returning the rest of the output."""
        ...


def compressed(parts: Iterable[bytes], kind: str, level: int | None = None) -> Iterator[bytes]:
    """Compress the data that comes in `parts` into one member, yielding pieces; ``none`` passes data through."""
    if kind == NONE:
        yield from parts
        return
    stream = _STREAMS[kind](_LEVELS[kind] if level is None else level)
    for part in parts:
        if piece := stream.compress(part):
            yield piece
    yield stream.flush()


def ending_for(path: str, wanted: str | None, kinds: Mapping[str, str]) -> str:
    """The ending, one of `kinds`, that says how a new file is compressed: the `wanted` one, else that of its name.

    ``none`` for a name with another ending; raises :class:`Usage` for another one that is wanted.
    """
    if wanted is not None and wanted not in kinds:
        raise Usage("no such compression", expected=" ".join(kinds), found=wanted)
    ending = path.rpartition(".")[2] if wanted is None else wanted
    return ending if ending in kinds else "none"


def _bzip2_stream(level: int) -> _Stream:
    import bz2

    return bz2.BZ2Compressor(level)


def _xz_stream(level: int) -> _Stream:
    import lzma

    return lzma.LZMACompressor(preset=level)


def _zstd_stream(level: int) -> _Stream:
    import zstandard

    return zstandard.ZstdCompressor(level=level, write_checksum=True).compressobj()


_STREAMS: Final[dict[str, Callable[[int], _Stream]]] = {
    GZIP: lambda level: zlib.compressobj(level, wbits=_GZIP_BITS),
    BZIP2: _bzip2_stream,
    XZ: _xz_stream,
    ZSTD: _zstd_stream,
}


def train_dictionary(samples: Sequence[bytes], size: int, number: int) -> bytes:
    """A zstd dictionary of at most `size` bytes with the ID `number`; empty if there are too few samples."""
    import zstandard

    try:
        return zstandard.train_dictionary(size, list(samples), dict_id=number).as_bytes()
    except zstandard.ZstdError:
        return b""
