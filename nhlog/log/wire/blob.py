"""Binary data inside a line: base64, of the data itself, of a zlib stream or an LZ4 block of it (log spec section 5).

A `Blob` keeps the text as it is in the file, so that it is written back byte for byte, whatever zlib produced it.
"""

import binascii
import zlib

from nhlog.errors import Damaged
from nhlog.values import dataclass

__all__ = ["MAX_DATA", "BadBlob", "Blob", "inflated"]

MAX_DATA = 32 << 20  # bytes; far above any save (the largest known is under 1 MB), small enough to hold several
_ZLIB, _LZ4 = b"$", b"#"  # what the prefix begins and ends with
_LEVEL = 9  # what the game passes to compress2
_SHORT = 1024  # bytes of a stream that has at most 1 MB, as zlib makes no more than 1032 times as many
_HEAD_TEXT = 1024  # base64 characters first tried for `head`; a save's start inflates from far fewer


class BadBlob(Damaged):
    """A blob that cannot be decoded."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Base64 text, with a prefix ``$LENGTH$`` if the data is compressed; FIQHack writes ``#LENGTH#``."""

    text: bytes

    @classmethod
    def of(cls, data: bytes) -> "Blob":
        """Encode `data` as the game does: compressed if prefix and stream together are shorter than the data."""
        packed = zlib.compress(data, _LEVEL)
        prefix = b"$%d$" % len(data)
        if len(prefix) + len(packed) < len(data):
            return cls(prefix + binascii.b2a_base64(packed, newline=False))
        return cls(binascii.b2a_base64(data, newline=False))

    @property
    def compressed(self) -> bool:
        """Whether the text holds a zlib stream or an LZ4 block."""
        return self.text[:1] in _UNPACK

    def decode(self, most: int = MAX_DATA) -> bytes:
        """Decode the data, at most `most` bytes; raises :class:`BadBlob`."""
        if not self.compressed:
            return _from_base64(self._plain(most))
        length, start = self._prefix(most)
        data, ended = _UNPACK[self.text[:1]](_from_base64(self.text[start:]), length + 1)
        if len(data) != length or not ended:
            raise BadBlob(
                "wrong inflated length",
                expected=length,
                found=len(data) if ended else f"{len(data)}, cut short",
            )
        return data

    def head(self, size: int) -> bytes:
        """The first `size` bytes of the data, or a few more, or all of it if shorter; decodes no more text than needed.

        Raises like :meth:`decode`, but does not find damage behind those bytes.
        """
        if not self.compressed:
            return _from_base64(self._plain()[: (size + 2) // 3 * 4])
        length, start = self._prefix()
        at, reach = start, len(self.text) if self.text[:1] == _LZ4 else start + _HEAD_TEXT
        wanted, stream, data = min(size, length), zlib.decompressobj(), b""
        while reach < len(self.text):
            data += _inflate(stream, _from_base64(self.text[at:reach]), size - len(data))
            if len(data) >= wanted:
                return data if len(data) == wanted else self.decode()
            at, reach = reach, start + 4 * (reach - start)
        return self.decode()[:size]

    def _plain(self, most: int = MAX_DATA) -> bytes:
        if len(self.text) > (most + 2) // 3 * 4:
            raise BadBlob("data too long", expected=f"at most {most}", found=f"{len(self.text)} characters of base64")
        return self.text

    def _prefix(self, most: int = MAX_DATA) -> tuple[int, int]:
        """The inflated length given in the prefix, and where the base64 begins."""
        mark = self.text[:1]
        end = self.text.find(mark, 1)
        digits = self.text[1:end]
        if end < 0 or not digits.isdigit():
            expected = (mark + b"LENGTH" + mark).decode()
            raise BadBlob("bad compression prefix", expected=expected, found=repr(self.text[:12]))
        if len(digits) > len(str(MAX_DATA)) or int(digits) > most:
            raise BadBlob("inflated length out of bounds", expected=f"at most {most}", found=repr(digits[:24]))
        return int(digits), end + 1


def _from_base64(text: bytes) -> bytes:
    try:
        return binascii.a2b_base64(text, strict_mode=True) if text else b""
    except binascii.Error as error:
        raise BadBlob(f"bad base64: {error}") from None


def _inflate(stream: "zlib._Decompress", packed: bytes, limit: int) -> bytes:
    try:
        return stream.decompress(packed, limit)
    except zlib.error as error:
        raise BadBlob(f"bad zlib stream: {error}") from None


def _unpack_zlib(packed: bytes, limit: int) -> tuple[bytes, bool]:
    """At most `limit` bytes of the stream, and whether it ended; bytes after its end are ignored, as in the game."""
    stream = zlib.decompressobj()
    return _inflate(stream, packed, limit), stream.eof


def inflated(packed: bytes, length: int) -> bytes | None:
    """The bytes of a zlib stream that has so many; None of any other."""
    try:
        if len(packed) <= _SHORT:  # without a limit it takes two thirds of the time
            data = zlib.decompress(packed, bufsize=length + 1)
            return data if len(data) == length else None
        data, ended = _unpack_zlib(packed, length + 1)
    except (BadBlob, zlib.error):
        return None
    return data if ended and len(data) == length else None


def _unpack_lz4(packed: bytes, limit: int) -> tuple[bytes, bool]:
    """The block, of at most `limit` bytes, and that it ended: one that is cut short is damaged."""
    import lz4.block  # type: ignore[import-untyped]  # only FIQHack's logs have such

    try:
        return lz4.block.decompress(packed, uncompressed_size=limit), True
    except lz4.block.LZ4BlockError:
        raise BadBlob("bad LZ4 block", expected=f"at most {limit} bytes") from None


_UNPACK = {_ZLIB: _unpack_zlib, _LZ4: _unpack_lz4}
