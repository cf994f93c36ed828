"""The guide as it should be: the files of the examples, where it names them.

``python -m tests.guide`` writes it; a test compares.
"""

import re

from tests.corpus import ROOT

__all__ = ["GUIDE", "fresh"]

GUIDE = ROOT / "docs" / "extending.md"
_FILES = re.compile(r"(?<=^<!-- )(tests/examples/\S+)( -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL)


def fresh(text: str) -> str:
    """The text with the files as they are."""
    return _FILES.sub(lambda found: f"{found[1]}{found[2]}{_block(found[1])}", text)


def _block(place: str) -> str:
    language = "toml" if place.endswith(".toml") else "python"
    return f"`{place.removeprefix('tests/examples/')}`:\n\n```{language}\n{(ROOT / place).read_text()}```\n"


if __name__ == "__main__":
    GUIDE.write_text(fresh(GUIDE.read_text()))
