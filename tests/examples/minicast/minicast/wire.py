"""Lines of an asciicast v2 file: bytes in, values out; no I/O.

Line 1 is a JSON object, the header; each line after it is an event, ``[seconds, code, data]``.
"""

import json
import re
from dataclasses import dataclass

from nhlog import Damaged

MAX_LINE = 1 << 20  # bytes; recorders write far shorter ones
MAX_SECONDS = 10**10  # of a recording, and since 1970
MAX_ROWS = 10_000
_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|.)|[^\n\x20-\U0010ffff]")


@dataclass(frozen=True)
class Header:
    """`height` is the terminal's rows, `start` seconds since 1970 or None."""

    height: int
    title: str
    start: int | None


@dataclass(frozen=True)
class Output:
    """What a line says: `time` is microseconds since the start; `code` is ``o`` for output, ``x`` for the end."""

    time: int
    code: str
    text: str


def parse_header(line: bytes) -> Header:
    """Line 1; raises :class:`Damaged`."""
    match _json(line):
        case {"version": 2, "height": int(height), **others} if 0 < height <= MAX_ROWS:
            stamp = others.get("timestamp")
            start = stamp if isinstance(stamp, int) and 0 <= stamp < MAX_SECONDS else None
            return Header(height, str(others.get("title", "")), start)
    raise Damaged("no asciicast header", offset=0, expected='{"version": 2, "width": 80, "height": 24}')


def parse_event(line: bytes) -> Output:
    """A line after the first; raises :class:`Damaged`."""
    match _json(line):
        case [int() | float() as seconds, str(code), data] if 0 <= seconds < MAX_SECONDS:
            return Output(round(seconds * 1_000_000), code, _ESCAPES.sub("", str(data)))
    raise Damaged("not an event", offset=0, expected="[seconds, code, data]", found=repr(line[:20]))


def _json(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise Damaged("not JSON", offset=0, found=repr(line[:20])) from None
