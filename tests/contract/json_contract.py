"""Documents of records against the records: the tables in `docs/`, and what is printed.

A table has the columns key, type, unit, meaning and absent, before them kind where kinds differ (see docs/json.md).
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

__all__ = ["Key", "Keys", "documented", "flat", "seen"]

TYPES = {
    "text": str,
    "integer": int,
    "number": float,
    "true": bool,
    "false": bool,
    "null": type(None),
    "list of text": list,
    "list of integer": list,
    "list of number": list,
    "list of object": list,
}


class Key(NamedTuple):
    """One row of a table: what it may be, and whether it may be absent."""

    types: set[type]
    optional: bool


Keys = Mapping[str, Key]


@cache
def documented(text: str) -> dict[str, dict[str, dict[str, Key]]]:
    """By heading and by kind ("" for what every kind has), the keys of a document's tables."""
    found: dict[str, dict[str, dict[str, Key]]] = {}
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        if "`" not in heading:
            continue  # it is about no verb
        kinds: dict[str, dict[str, Key]] = {}
        kind = ""
        for row in re.findall(r"^\|(?! key | kind |-)(.+)\|$", body, re.MULTILINE):
            *kind_cell, name, types, _unit, _meaning, absent = (cell.strip(" `") for cell in row.split("|"))
            kind = "".join(kind_cell) or kind if kind_cell else ""
            keys = kinds.setdefault(kind, {})
            if name:
                keys[name] = Key({TYPES[word] for word in types.split(" or ")}, bool(absent))
        found |= dict.fromkeys(re.findall("`(.+?)`", heading), kinds)
    return found


def seen(record: Mapping[str, Any], keys: Keys) -> set[str]:
    """The documented keys that a record has, after it was held against them."""
    found: set[str] = set()
    for name, value in flat(record):
        [key] = [key for key in keys if re.fullmatch(re.escape(key).replace(r"\*", ".+"), name)] or [None]
        assert key is not None, f"{name} is not documented"
        assert type(value) in keys[key].types, f"{name}: {value!r}"
        found.add(key)
        inner = {sub.removeprefix(f"{key}[]."): row for sub, row in keys.items() if sub.startswith(f"{key}[].")}
        if inner:
            found |= {f"{key}[].{sub}" for item in value for sub in seen(item, inner)}
    assert {key for key, row in keys.items() if not row.optional and "[]" not in key} <= found, record
    return found


def flat(record: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """The keys of a record and of the objects in it, with their values."""
    for name, value in record.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value
