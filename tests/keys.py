"""docs/keys.md as it should be: the tables of keys, of modes and of styles as the program has them.

``python -m tests.keys`` writes it; a test compares.
"""

from typing import Any

from terminal.client import TABLES, key_table
from terminal.lobby import model as lobby
from terminal.play import controller as play
from terminal.replay import controls as replay
from terminal.screen.modes import Modes
from terminal.screen.theme import ROLES
from tests.corpus import ROOT

__all__ = ["KEYS", "fresh_keys"]

KEYS = ROOT / "docs" / "keys.md"


def fresh_keys(text: str) -> str:
    """The text with the tables of keys that there are now."""
    for name in TABLES:
        text = _filled(text, f"<!-- keys of {name} -->\n", _rows(name))
    for name, modes in {"play": play.MODES, "replay": replay.MODES, "lobby": lobby.MODES}.items():
        text = _filled(text, f"<!-- modes of {name} -->\n", _modes(modes))
    return _filled(text, "<!-- styles -->\n", _styles())


def _filled(text: str, begin: str, table: str) -> str:
    before, _, rest = text.partition(begin)
    _, end, after = rest.partition("<!-- end -->\n")
    return before + begin + table + end + after


def _styles() -> str:
    rows = ["| role | what it is |", "|---|---|", *(f"| `{role}` | {what} |" for role, (_, what) in ROLES.items())]
    return "".join(f"{row}\n" for row in rows)


def _rows(name: str) -> str:
    rows = ["| action | keys | what it does |", "|---|---|---|"]
    rows += [f"| `{row.action}` | {_keys(row.label)} | {row.does} |" for row in key_table(name)]
    return "".join(f"{row}\n" for row in rows)


def _modes(modes: Modes[Any]) -> str:
    rows = ["| mode | holds while | keys of its own | any other key |", "|---|---|---|---|"]
    for mode in modes:
        own = "; ".join(f"{_keys(row.label)} {row.does}" for row in mode.keys)
        rows.append(f"| {mode.name} | {mode.when} | {own} | {mode.does} |")
    return "".join(f"{row}\n" for row in rows)


def _keys(label: str) -> str:
    return " ".join(f"`{key}`" for key in label.split())


if __name__ == "__main__":
    KEYS.write_text(fresh_keys(KEYS.read_text()))
