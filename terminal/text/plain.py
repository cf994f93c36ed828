"""Text output for any record: a line for each key, values with their units, lists of objects as tables."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from terminal.text.words import clip, clock, counted, printable, size, utc_time

__all__ = ["UNCLIPPED", "one_line", "plain", "screen", "table", "with_screen"]

_MOMENTS: Final = {"start", "end", "changed", "utc"}
_SPANS: Final = {"time", "duration", "delta", "gap"}
_SIZES: Final = {"size", "source_size", "bytes", "sound_bytes"}
WIDEST: Final = 40  # columns for a value in a table
UNCLIPPED: Final = 400  # the same for names of files, and for what is wrong with them
_SHORT: Final = 12  # rows of a table that are shown among other facts


def plain(record: Mapping[str, Any], indent: str = "") -> list[str]:
    """The lines of a record, each after `indent`."""
    lines: list[str] = []
    label = max((len(_name(key)) for key, value in record.items() if not _is_table(value)), default=0)
    for key, value in record.items():
        name = _name(key)
        if isinstance(value, Mapping):
            lines += [f"{indent}{name}", *plain(value, indent + "  ")] if value else []
        elif _is_table(value):
            rows = table(value)
            lines += [f"{indent}{name}", *(f"{indent}  {row}" for row in rows[: _SHORT + 1])]
            if len(rows) > _SHORT + 1:
                lines.append(f"{indent}  and {counted(len(rows) - _SHORT - 1, 'other')}")
        elif value not in (None, "", [], ()):
            lines.append(f"{indent}{name:<{label}}  {worded(key, value)}".rstrip())
    return lines


def one_line(record: Mapping[str, Any]) -> str:
    """The record on one line, as ``key=value``."""
    parts = []
    for key, value in record.items():
        if isinstance(value, Mapping):
            parts.append(f"{key}=({one_line(value)})")
        elif _is_table(value):
            parts.append(f"{key}=[{'; '.join(one_line(item) for item in value)}]")
        elif value not in (None, "", [], ()):
            parts.append(f"{key}={_listed(value)}")
    return printable(" ".join(parts))


def screen(record: Mapping[str, Any]) -> list[str]:
    """The screen in a record as it looks, below the position and what else is told of it."""
    heading = {key: value for key, value in record.items() if key not in ("screen", "styles")}
    return [
        f"--- {one_line(heading)}",
        *record["screen"],
        *(one_line({"style": run}) for run in record.get("styles", ())),
    ]


def with_screen(record: Mapping[str, Any]) -> list[str]:
    """The lines of a record, and the screen in it as it looks."""
    return [*plain({key: value for key, value in record.items() if key != "screen"}), *record["screen"]]


def table(records: Sequence[Mapping[str, Any]], widest: int = WIDEST) -> list[str]:
    """The records as a table: a heading and a line each, numbers right-aligned, empty columns left out.

    An object in a column is shown as its values only, whose names are in the heading.  No value takes more than
    `widest` columns.
    """
    records = [_flattened(record) for record in records]
    keys = list(dict.fromkeys(key for record in records for key in record))
    cells = {key: [clip(worded(key, record.get(key)), widest) for record in records] for key in keys}
    columns = [(key, values) for key, values in cells.items() if any(values)]
    numeric = {
        key for key in keys if all(isinstance(record.get(key), int | float | None) for record in records)
    } - _MOMENTS
    rows = []
    for row in range(-1, len(records)):
        parts = []
        for key, values in columns:
            width = max(len(_name(key)), *map(len, values))
            text = _name(key) if row < 0 else values[row]
            parts.append(f"{text:>{width}}" if key in numeric else f"{text:<{width}}")
        rows.append("  ".join(parts).rstrip())
    return rows


def _flattened(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its nested objects as text."""
    return {
        f"{key} {'/'.join(value)}" if isinstance(value, Mapping) else key: (
            "/".join(map(_listed, value.values())) if isinstance(value, Mapping) else value
        )
        for key, value in record.items()
    }


def worded(key: str, value: Any) -> str:
    """A value as text, with the unit that its key names."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        last = key.rpartition("_")[2]
        if key in _MOMENTS:
            return utc_time(value)
        if last in _SPANS:
            return clock(value)
        if key in _SIZES:
            return size(value)
    return printable(_listed(value))


def _listed(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key} {_listed(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_listed, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _name(key: str) -> str:
    return key.replace("_", " ")


def _is_table(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, Mapping) for item in value)
