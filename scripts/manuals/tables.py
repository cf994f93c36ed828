"""Tables of the documents, which the man pages have, too."""

import re
from pathlib import Path

__all__ = ["ROOT", "table_under"]

ROOT = Path(__file__).resolve().parents[2]
_ROW = re.compile(r"^\| (.+?) \| (.*?) \|$", re.MULTILINE)
_LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")


def table_under(heading: str, document: str) -> list[tuple[str, str]]:
    """The rows of the table under a heading, with two columns, without its own heading and without links."""
    after = (ROOT / document).read_text(encoding="utf-8").partition(f"\n{heading}\n")[2]
    section = re.split(r"^#", after, maxsplit=1, flags=re.MULTILINE)[0]
    rows = _ROW.findall(_LINK.sub(r"\1", section))
    assert rows, f"{document} has no table under {heading}"
    return rows[1:]
