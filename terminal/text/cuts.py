"""Text output of `recover` and `rewind`: what was cut off a recording, or would be."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from terminal.text.words import clock, counted, size

__all__ = ["recover", "rewind", "taken_back"]

_PLACES: Final = ("turn", "tick", "frame")
_LOST: Final = "lost_"


def recover(record: Mapping[str, Any]) -> list[str]:
    """The bytes that were cut off, or would be; of a recording that was written anew elsewhere, all that is known."""
    if "kept_in" not in record:
        from terminal.text.plain import plain  # which the player has no need of

        return plain(record)
    if record["offset"] is None:
        return [f"{record['file']}: nothing to recover: it ends with a whole record"]
    lost = counted(record["lost_bytes"], "byte") if record["lost_bytes"] else "it"
    act = ("cut", "would cut") if record["lost_bytes"] else ("ended", "would end")
    told = f"{act[not record['recovered']]} {lost} at offset {record['offset']}"
    if "recovery_count" in record:
        told += f", recovery count {record['recovery_count']}"
    return [f"{record['file']}: {told}" + (f"; kept in {record['kept_in']}" if record["kept_in"] else "")]


def rewind(record: Mapping[str, Any]) -> list[str]:
    """What would be lost, or what became of it."""
    file = record["file"]
    if record["offset"] is None:
        return [f"{file}: nothing to rewind: nothing comes after that position"]
    place = next(f"{name} {record[name]}" for name in _PLACES if name in record)
    if record["rewound"]:
        kept = f"; what was cut off is in {record['kept_in']}" if record["kept_in"] else ""
        return [f"{file}: rewound to {place}{kept}"]
    over = "; the finished game can be continued" if record.get("finished") else ""
    return [f"{file}: back to offset {record['offset']}, {place}; lost: {', '.join(_lost(record))}{over}"]


def _lost(record: Mapping[str, Any]) -> Iterator[str]:
    for name in record:
        if name == "lost_time":
            yield f"{clock(record[name])} of play"
        elif name == "lost_bytes":
            yield f"{size(record[name])} ({100 * record[name] / record['size']:.1f} %)"
        elif name.startswith(_LOST):
            yield counted(record[name], name.removeprefix(_LOST).removesuffix("s"))


def taken_back(unit: str, lost: int) -> str:
    """The message for viewers of a recording of which so many steps are gone; its timeline counts in this unit."""
    if unit != "turn":
        return "it was cut or rewritten, and was read again"
    return f"recovered: {counted(lost, 'line')} lost" if lost > 0 else "recovered: it was read again"
