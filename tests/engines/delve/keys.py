"""The keys of delve as a table of its document.

`python -m tests.engines.delve.keys` brings `docs/delve.md` up to date; `test_document` sees that it is.
"""

from itertools import groupby

from nhlog.engines.delve.bindings import BINDINGS
from terminal.screen.keys import key_label
from tests.corpus import ROOT

__all__ = ["DOCUMENT", "brought_up", "table"]

DOCUMENT = ROOT / "docs" / "delve.md"
MARKS = ("<!-- keys -->\n", "<!-- /keys -->\n")


def table() -> str:
    """The keys, by group; those that walk are told in words before it."""
    lines = ["| keys | |", "|---|---|"]
    others = (binding for binding in BINDINGS if not binding.command.arguments)
    for group, bindings in groupby(others, key=lambda binding: binding.group):
        lines.append(f"| **{group}** | |")
        lines += [f"| `{key_label(binding.key)}` | {binding.does} |" for binding in bindings]
    return "\n".join(lines) + "\n"


def brought_up(text: str) -> str:
    """The document with its table as it is now."""
    head, _, rest = text.partition(MARKS[0])
    return f"{head}{MARKS[0]}\n{table()}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}"


if __name__ == "__main__":
    DOCUMENT.write_text(brought_up(DOCUMENT.read_text()))
