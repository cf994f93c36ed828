"""The header (spec 3): a magic number, JSON, a NUL.  Its bytes are kept; invalid values in it are tolerated."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from nhlog.errors import Damaged, Unsupported
from nhlog.values import dataclass

__all__ = ["MAGIC", "MOST_HEADER", "Header", "parse_header"]

MAGIC: Final = bytes.fromhex("699db17b8efb34ffb1d8da6f60c15dd1")  # the UUID of "teehistorian@ddnet.tw"
MOST_HEADER: Final = 1 << 20  # bytes; those of real servers have 3 to 5 KiB
VERSIONS: Final = ("1", "2")
_LONE: Final = re.compile("[\ud800-\udfff]")  # half of a character, which JSON can name and no text can hold


@dataclass(frozen=True, slots=True)
class Header:
    """The header: `raw` is all its bytes, with magic number and NUL; `values` the JSON object."""

    raw: bytes
    values: Mapping[str, Any]

    def text(self, key: str) -> str:
        """The value of `key`, a number as text; empty if there is none.  Lone surrogates are replaced."""
        value = self.values.get(key)
        return _LONE.sub("\ufffd", str(value)) if isinstance(value, str | int) else ""

    def number(self, key: str) -> int | None:
        """The value of `key` as a number, from JSON text or number; None if it is none."""
        text = self.text(key)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None

    @property
    def fault(self) -> Damaged | None:
        """A fault if one of its texts is invalid; the recording can be read nevertheless."""
        for key, value in self.values.items():
            if isinstance(value, str) and (found := _LONE.search(value)):
                what = f"the header's {_LONE.sub(chr(0xFFFD), key)} is not a text"
                return Damaged(what, offset=len(MAGIC), expected="characters", found=f"U+{ord(found[0]):04X}")
        return None

    @property
    def start(self) -> int | None:
        """The start of the recording, in UTC microseconds since 1970; None if the header does not have it."""
        for form in ("%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S %z"):
            try:
                moment = datetime.strptime(self.text("start_time"), form)
                return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) * 1_000_000
            except (ValueError, OverflowError):
                continue
        return None


def parse_header(data: bytes) -> Header | None:
    """Parse the header at the beginning of `data`; None if `data` ends inside it.

    Raises :class:`Unsupported` for another kind of file or version, :class:`Damaged` for an invalid header.
    """
    if not data.startswith(MAGIC[: len(data)]):
        raise Unsupported("not a teehistorian file", offset=0, expected=MAGIC.hex(), found=data[:16].hex())
    end = data.find(b"\0", len(MAGIC), MOST_HEADER)
    if end < 0:
        if len(data) >= MOST_HEADER:
            raise Damaged("header without an end", offset=0, expected=f"a NUL in the first {MOST_HEADER} bytes")
        return None
    try:
        values = json.loads(data[len(MAGIC) : end].decode(errors="replace"), strict=False)
    except ValueError as error:
        raise Damaged(f"the header is not JSON ({error})", offset=len(MAGIC)) from None
    except RecursionError:
        raise Damaged("the header is nested too deeply", offset=len(MAGIC)) from None
    if not isinstance(values, dict):
        raise Damaged("the header is not a JSON object", offset=len(MAGIC), found=type(values).__name__)
    header = Header(data[: end + 1], values)
    version = header.text("version")
    if version not in VERSIONS:
        raise Unsupported(
            "another version of teehistorian", offset=0, expected=" or ".join(VERSIONS), found=repr(version[:20])
        )
    return header
