"""Text output for NetHack 4 logs: a function per verb, from a record to lines."""

from collections.abc import Mapping
from typing import Any, Final

from terminal.text.words import clock, counted, local_time, size, utc_time
from terminal.text.wrapping import Line

__all__ = ["dump", "info", "state"]

_LABEL: Final = 14  # columns of the names at the left
_STYLES: Final = {"sound": "GOOD"}
_COLUMNS: Final = ("line", "offset", "kind", "utc", "date")


def info(record: Mapping[str, Any]) -> list[str]:
    """The game, its length, its lines and saves, and its health."""
    rows = [
        (
            "game",
            f"{record['player']} the {record['race']} {record['role']} ({record['gender']}, {record['alignment']})",
        ),
        ("state", f"{record['status']}: {record['state']}"),
        ("mode", record["mode"]),
        ("engine", f"{record['engine']}, version {record['version']}"),
        ("started", f"{utc_time(record['start'])} ({local_time(record['start'])})"),
        ("last line", f"{utc_time(record['end'])} ({local_time(record['end'])})"),
        (
            "played",
            f"{clock(record['duration'])}, {counted(record['turn'], 'turn')}, {counted(record['sessions'], 'session')}",
        ),
        ("size", f"{size(record['size'])}, {counted(sum(record['lines'].values()), 'line')}"),
        ("saves", _saves_text(**record["saves"])),
        ("recoveries", f"recovery count {record['recovery_count']}"),
        ("health", record["health"]),
        *([("differs", record["divergence"])] if record["divergence"] else []),
    ]
    told = (
        Line((f"  {name:<{_LABEL - 2}}", "NOTE"), (value, _STYLES.get(value, "")), hang=_LABEL) for name, value in rows
    )
    return [Line((record["file"], "HEAD")), *told, *(_kind(kind, record) for kind in record["lines"])]


def _kind(kind: str, record: Mapping[str, Any]) -> Line:
    """How many lines of a kind there are, and how long they are."""
    number = record["lines"][kind]
    told = f"{number:>8} {'line ' if number == 1 else 'lines'} {size(record['bytes'][kind]):>10}"
    return Line((f"  {kind.replace('_', ' '):<12}", "NOTE"), told)


def _saves_text(backups: int, diffs: int, lost: int, newest_size: int | None) -> str:
    newest = "the newest cannot be rebuilt" if newest_size is None else f"the newest {size(newest_size)}"
    gone = f", {lost} lost" if lost else ""
    return f"{counted(backups, 'backup')}, {counted(diffs, 'diff')}{gone}, {newest}"


def state(record: Mapping[str, Any]) -> list[str]:
    """Hero, inventory and monsters."""
    hero, status = record["hero"], record["status"]
    attributes = "  ".join(f"{name} {value}" for name, value in hero["attributes"].items())
    return [
        f"{hero['name']} the {status['title']}, {status['place']}, turn {status['turn']}",
        " ".join(
            [f"HP {status['hp']}/{status['hp_max']}  Pw {status['pw']}/{status['pw_max']} ", *status["words"]]
        ).rstrip(),
        attributes,
        *(f"{item['letter']} - {item['caption']}" for item in record["inventory"]),
        *map(_monster, record["monsters"]),
    ]


def _monster(monster: Mapping[str, Any]) -> str:
    imagined = " (imagined)" if monster["imagined"] else ""
    return f"at {monster['x']},{monster['y']}: {monster['name']}{imagined}"


def dump(record: Mapping[str, Any]) -> list[str]:
    """A record on one line: number, offset and kind in columns, then the other values."""
    rest = " ".join(f"{name}={_shown(value)}" for name, value in record.items() if name not in _COLUMNS and value != [])
    return [f"{record['line']:>6} {record['offset']:>9} {record['kind']:<14} {rest}".rstrip()]


def _shown(value: object) -> object:
    """A list as text with commas; an object as its values."""
    if isinstance(value, dict):
        return " ".join(map(str, value.values()))
    return ", ".join(str(_shown(item)) for item in value) if isinstance(value, list | tuple) else value
