"""Headers: what a recording says of itself before its events, in versions 1, 2 and 3.

Read: what makes no sense is told and left out.  Written: so that the strictest reader takes it.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from nhlog.errors import Damaged, Unsupported
from nhlog.formats.asciicast.wire.lenient import json_of, plain
from nhlog.screencast import Header
from nhlog.values import NamedTuple
from nhlog.vt import USUAL_SIZE, Size

__all__ = ["VERSIONS", "Told", "format_header", "parse_header"]

VERSIONS: Final = (1, 2, 3)
_MOST_SIDE: Final = 0xFFFF  # what readers take for columns or rows
_LAST_START: Final = 1 << 40  # seconds since 1970, some way ahead
_LONGEST_IDLE: Final = 1 << 40  # seconds
_SECOND: Final = 1_000_000
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}")
_PALETTES: Final = (8, 16)  # colours
_LONGEST: Final = 60  # characters that are told of what makes no sense
_OURS: Final = ("version", "timestamp", "idle_time_limit", "command", "title", "env")
_OF_SIZE: Final = {1: ("width", "height", "theme", "stdout"), 2: ("width", "height", "theme"), 3: ()}
_OF_TERMINAL: Final = ("cols", "rows", "theme")
_STALE: Final = ("duration",)  # what does not hold of what is written


class Told(NamedTuple):
    """What a header says, and what in it makes no sense."""

    version: int
    header: Header
    faults: list[Damaged]


def parse_header(fields: Mapping[str, Any]) -> Told:
    """What the fields of a header say; raises :class:`Unsupported` for another version, :class:`Damaged` for none."""
    version = fields.get("version")
    if isinstance(version, bool) or version not in VERSIONS:
        expected = "version 1, 2 or 3"
        if isinstance(version, int):
            raise Unsupported("another version of asciicast", offset=0, expected=expected, found=_shown(version))
        raise Damaged("not an asciicast header", offset=0, expected=expected, found=_shown(version))
    version = int(version)
    values = _Values(fields)
    term: Mapping[str, Any] = values.get("term", _mapping, {}) if version == 3 else {}
    terminal = _Values(term, values.faults) if version == 3 else values
    columns, rows = ("cols", "rows") if version == 3 else ("width", "height")
    size = Size(terminal.needed(columns, _side, USUAL_SIZE.columns), terminal.needed(rows, _side, USUAL_SIZE.rows))
    more = {key: value for key, value in fields.items() if key not in (*_OURS, *_OF_SIZE[version], "term")}
    rest = {key: value for key, value in term.items() if key not in _OF_TERMINAL}
    header = Header(
        size=size.clamped(),
        start=values.get("timestamp", _start, None),
        title=values.get("title", _text, ""),
        command=values.get("command", _text, ""),
        idle_limit=values.get("idle_time_limit", _idle, None),
        environment=values.get("env", _environment, {}),
        theme=terminal.get("theme", _theme, {}),
        more={**more, **({"term": rest} if rest else {})},
    )
    return Told(version, header, values.faults)


class _Values:
    """The values of a mapping; those that make no sense are faults."""

    def __init__(self, fields: Mapping[str, Any], faults: list[Damaged] | None = None) -> None:
        self._fields = fields
        self.faults: list[Damaged] = [] if faults is None else faults

    def get(self, key: str, read: Callable[[Any], Any], other: Any) -> Any:
        """What `read` makes of a value; `other` if there is none, or if it is None for it."""
        if self._fields.get(key) is None:
            return other
        return self.needed(key, read, other)

    def needed(self, key: str, read: Callable[[Any], Any], other: Any) -> Any:
        """The same of a value that has to be there."""
        value = self._fields.get(key)
        found = read(value)
        if found is None:
            what = f"the header's {key} makes no sense" if key in self._fields else f"the header has no {key}"
            shown = _shown(value) if key in self._fields else None
            self.faults.append(Damaged(what, offset=0, expected=read.__doc__, found=shown))
            return other
        return found


def _shown(value: object) -> str:
    text = plain(repr(value)[: _LONGEST + 1])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _side(value: object) -> int | None:
    """1 to 65535"""
    number = _number(value)
    return int(number) if number is not None and 1 <= number <= _MOST_SIDE and number == int(number) else None


def _start(value: object) -> int | None:
    """seconds since 1970"""
    number = _number(value)
    return round(number * _SECOND) if number is not None and 0 <= number <= _LAST_START else None


def _idle(value: object) -> int | None:
    """seconds"""
    number = _number(value)
    return round(number * _SECOND) if number is not None and 0 <= number <= _LONGEST_IDLE else None


def _text(value: object) -> str | None:
    """text"""
    return value if isinstance(value, str) else None


def _mapping(value: object) -> Mapping[str, Any] | None:
    """an object"""
    return value if isinstance(value, dict) else None


def _environment(value: object) -> Mapping[str, str | None] | None:
    """an object of texts"""
    if not isinstance(value, dict) or not all(text is None or isinstance(text, str) for text in value.values()):
        return None
    return value


def _theme(value: object) -> Mapping[str, str] | None:
    """fg, bg and a palette of 8 or 16 colours, each #rrggbb"""
    if not isinstance(value, dict):
        return None
    front, back, palette = (str(value.get(key)) for key in ("fg", "bg", "palette"))
    colours = [colour for colour in palette.split(":") if _COLOUR.fullmatch(colour)]
    if len(colours) not in _PALETTES or not (_COLOUR.fullmatch(front) and _COLOUR.fullmatch(back)):
        return None
    return {"fg": front, "bg": back, "palette": ":".join(colours)}


def format_header(header: Header, version: int) -> bytes:
    """The line of a header in version 2 or 3, whose start is a whole second."""
    more = {key: value for key, value in header.more.items() if key not in (*_OURS, *_OF_SIZE[1], *_STALE, "term")}
    term = header.more.get("term")
    theme = {"theme": theme} if (theme := _theme(dict(header.theme))) else {}
    fields: dict[str, Any] = {"version": version}
    size = header.size.clamped()
    if version == 3:
        fields["term"] = {"cols": size.columns, "rows": size.rows, **(term if isinstance(term, dict) else {}), **theme}
    else:
        fields |= {"width": size.columns, "height": size.rows}
    if header.start is not None and header.start >= 0:
        fields["timestamp"] = header.start // _SECOND
    if header.idle_limit is not None:
        fields["idle_time_limit"] = header.idle_limit / _SECOND
    fields |= {key: text for key, text in (("command", header.command), ("title", header.title)) if text}
    environment = {key: text for key, text in header.environment.items() if text is not None or version == 2}
    if environment:
        fields["env"] = environment
    if version == 2:
        fields |= theme
    return json_of(fields | more) + b"\n"
