"""Opens asciicasts: which version it is decides how its events are found; and makes what writes one."""

from typing import TYPE_CHECKING, Final

from nhlog.errors import TooShort, Unsupported, Usage
from nhlog.formats.asciicast.cast import AsciicastEvents
from nhlog.formats.asciicast.lined import LinedEvents
from nhlog.formats.asciicast.whole import MOST_HEADER, WholeEvents, open_whole
from nhlog.formats.asciicast.wire.header import parse_header
from nhlog.formats.asciicast.wire.lenient import BOM, object_of
from nhlog.formats.asciicast.wire.lines import shown
from nhlog.screencast import Events, Header, opened
from nhlog.unpacked import UnpackedSource
from nhlog.vt import Size

if TYPE_CHECKING:
    from nhlog.formats.asciicast.wire.encode import AsciicastEncoder

__all__ = ["encoder", "open_events"]

_CHARSET: Final = "utf-8"
_EXPECTED: Final = "a header in JSON"
_KINDS: Final[tuple[type[AsciicastEvents], ...]] = (LinedEvents, WholeEvents)


def open_events(path: str, size: Size | None = None, charset: str | None = None) -> AsciicastEvents:
    """The events of a file; `size` is used instead of what its header tells."""
    if charset not in (None, _CHARSET):
        raise Usage("an asciicast is always in UTF-8", expected=_CHARSET, found=charset)
    return opened(path, lambda source: _find(source, size))


def _find(source: UnpackedSource, size: Size | None) -> AsciicastEvents:
    if source.far:
        from nhlog.screencast.kept import recalled  # nobody else needs it

        if known := recalled(source, _KINDS, size):
            return known
    head = source.pread(MOST_HEADER, 0)
    text = head.removeprefix(BOM).lstrip()
    if not text:
        what = "no header yet" if head else "empty file"
        raise TooShort(what, offset=len(head), expected=_EXPECTED)
    if not text.startswith(b"{"):
        raise Unsupported("not an asciicast", offset=0, expected=_EXPECTED, found=shown(text))
    line, newline, _ = text.partition(b"\n")
    fields = object_of(line)
    if fields is None or fields.get("version") == 1:
        return open_whole(source, head, size)
    return LinedEvents(source, parse_header(fields), len(head) - len(text) + len(line) + len(newline), size)


def encoder(header: Header, version: int | None, after: Events | None, *, exact: bool) -> "AsciicastEncoder":
    """Make an asciicast of version 2 or 3, or what is to be appended to one, which has its own version."""
    from nhlog.formats.asciicast.wire.encode import WRITTEN, AsciicastEncoder, Seam  # who only reads has no need of it

    if version not in (None, *WRITTEN):
        raise Usage("nhlog cannot write this version of asciicast", expected="2 or 3", found=version)
    if after is None:
        return AsciicastEncoder(header, version or WRITTEN[0], exact=exact)
    found = after.version if isinstance(after, AsciicastEvents) else None
    if found not in WRITTEN:
        raise Unsupported("this asciicast cannot be appended to", expected="version 2 or 3", found=found)
    whole = after.source.pread(1, after.end - 1) == b"\n"
    seam = Seam(after.times[-1], after.size_at(len(after) - 1), whole)
    return AsciicastEncoder(header, found, seam=seam, exact=exact)
