"""Text output for any record: a line for each key, values with their units, lists of objects as tables."""

from collections.abc import Mapping
from typing import Any, Final

from terminal.text.tables import table
from terminal.text.values import heading, worded
from terminal.text.words import counted, printable
from terminal.text.wrapping import Line

__all__ = ["one_line", "plain", "screen", "with_screen"]

_SHORT: Final = 12  # rows of a table that are shown among other facts


def plain(record: Mapping[str, Any], width: int | None = None) -> list[str]:
    """The lines of a record, whose tables are at most `width` columns wide."""
    lines: list[str] = []
    label = max((len(heading(key)) for key, value in record.items() if not _is_table(value)), default=0)
    for key, value in record.items():
        name = heading(key)
        if isinstance(value, Mapping):
            lines += _titled(name, plain(value, width and width - 2)) if value else []
        elif _is_table(value):
            rows = table(value[:_SHORT], width and width - 2)
            others = len(value) - _SHORT
            lines += _titled(name, [*rows, f"and {counted(others, 'other')}"] if others > 0 else rows)
        elif value not in (None, "", [], ()):
            told = worded(key, value)
            style = "ALARM" if key in ("fault", "error") or (key == "health" and value != "sound") else ""
            lines.append(Line((f"{name:<{label}}", "NOTE"), "  ", (told, style), hang=label + 2))
    return lines


def _titled(name: str, lines: list[str]) -> list[str]:
    """The lines below their name."""
    return [Line((name, "NOTE")), *(line.after("  ") if isinstance(line, Line) else f"  {line}" for line in lines)]


def one_line(record: Mapping[str, Any]) -> str:
    """The record on one line, as ``key=value``."""
    return printable(_keys_and_values(record))


def _keys_and_values(record: Mapping[str, Any]) -> str:
    """The same as it is, not made printable: that is done once, not once for each level of a deep record."""
    parts = []
    for key, value in record.items():
        if isinstance(value, Mapping):
            parts.append(f"{key}=({_keys_and_values(value)})")
        elif _is_table(value):
            parts.append(f"{key}=[{'; '.join(map(_keys_and_values, value))}]")
        elif value not in (None, "", [], ()):
            parts.append(f"{key}={_listed(value)}")
    return " ".join(parts)


def _listed(value: Any) -> str:
    """The value as it is: what is dumped comes by the thousand, and is read by programs, too."""
    if isinstance(value, Mapping):
        return " ".join(f"{key} {_listed(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_listed, value))
    return f"{value + 0.0:.6g}" if isinstance(value, float) else str(value)


def screen(record: Mapping[str, Any]) -> list[str]:
    """The screen in a record as it looks, below the position and what else the record says."""
    facts = {key: value for key, value in record.items() if key not in ("screen", "styles")}
    return [
        f"--- {one_line(facts)}",
        *record["screen"],
        *(one_line({"style": run}) for run in record.get("styles", ())),
    ]


def with_screen(record: Mapping[str, Any], width: int | None = None) -> list[str]:
    """The lines of a record, and the screen in it as it looks."""
    return [*plain({key: value for key, value in record.items() if key != "screen"}, width), *record["screen"]]


def _is_table(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, Mapping) for item in value)
