"""The guide has the examples as they are, all of them, and every operation."""

import re
from dataclasses import fields

from nhlog.operations import Operations
from tests.corpus import ROOT
from tests.examples.install import EXAMPLES
from tests.guide import GUIDE, fresh


def test_the_guide_has_the_files_of_the_examples() -> None:
    text = GUIDE.read_text()
    assert text == fresh(text), "python -m tests.guide brings it up to date"


def test_the_guide_has_every_file() -> None:
    files = [path for example in EXAMPLES for path in example.rglob("*.*") if path.suffix in (".py", ".toml")]
    assert [path for path in files if f"<!-- {path.relative_to(ROOT)} -->" not in GUIDE.read_text()] == []


def test_the_guide_has_every_operation_in_order() -> None:
    section = GUIDE.read_text().partition("\n### The operations\n")[2].partition("\n### ")[0]
    table = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert table == [field.name for field in fields(Operations)]
