"""The manual of the command: all of it is there, and programs that show man pages find nothing wrong with it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.manuals.roff import man_pages
from scripts.manuals.tables import table_under
from scripts.manuals.verbs import Manual, manual_of, verb_manuals
from terminal.cli import VERBS
from tests.corpus import ROOT

PAGES = dict(man_pages("1.2.3", "2026-11-22"))
MANUALS = verb_manuals()


def test_nhlog_and_each_verb_have_a_page() -> None:
    assert list(PAGES) == ["nhlog.1", *(f"nhlog-{verb}.1" for verb in VERBS)]


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_has_examples_and_a_meaning_for_each_option(verb: str) -> None:
    manual = MANUALS[verb]
    assert [line for line in manual.examples if "nhlog" not in line] == []
    assert manual.examples
    assert [option for option, meaning in manual.options if not meaning] == []


def test_a_page_has_all_that_the_help_says() -> None:
    page = unmarked(PAGES["nhlog-cuts.1"])
    manual = manual_of("cuts")
    assert [option for option, _ in manual.options if f".TP\n{option}\n" not in page] == []
    words = [*manual.text, *(meaning for _, meaning in manual.options), *manual.examples]
    assert [text for text in words if " ".join(text.replace("`", "").split()) not in " ".join(page.split())] == []


def test_a_page_names_the_pages_of_other_verbs_that_it_names() -> None:
    assert ".BR nhlog\\-rewind (1)" in PAGES["nhlog-cuts.1"]
    assert PAGES["nhlog-cuts.1"].count(".BR nhlog\\-cuts (1)") == 0


def test_what_looks_like_a_request_is_text() -> None:
    """A line that begins with a dot would be one."""
    from scripts.manuals import roff

    assert roff._wrapped(".cast and 'x'") == [r"\&.cast and 'x'"]
    assert roff._inline("`a\\b --x` ~ -y", frozenset()) == r"\fBa\eb \-\-x\fR \(ti \fB\-y\fR"


def test_every_variable_of_ours_is_in_the_manual() -> None:
    sources = [path for part in ("nhlog", "terminal") for path in (ROOT / part).rglob("*.py")]
    used = {name for path in sources for name in re.findall(r"\bNHLOG_[A-Z]+\b", path.read_text())}
    told = " ".join(name for name, _ in table_under("## Environment variables", "docs/config.md"))
    assert sorted(used - {"NHLOG_COMPLETE"} - set(re.findall(r"\w+", told))) == []


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_mandoc_finds_nothing_wrong(tmp_path: Path) -> None:
    run = [sys.executable, ROOT / "scripts" / "manpages", tmp_path]
    subprocess.run(run, check=True, env=os.environ | {"SOURCE_DATE_EPOCH": "1795300000"})
    pages = sorted(tmp_path.iterdir())
    assert [page.name for page in pages] == sorted(PAGES)
    assert "2026-11-21" in pages[0].read_text()
    done = subprocess.run(["mandoc", "-Tlint", "-Wstyle", *pages], capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""


def unmarked(page: str) -> str:
    """A page without fonts and escapes."""
    text = re.sub(r"\\f[BIR]", "", page)
    for escape, character in ((r"\-", "-"), (r"\&", ""), (r"\(ti", "~"), (r"\(aq", "'"), (r"\(dq", '"'), (r"\e", "\\")):
        text = text.replace(escape, character)
    return text


def test_a_manual_knows_what_stands_for_something_else() -> None:
    manual: Manual = MANUALS["search"]
    assert {"FILE", "PATTERN", "POSITION"} <= manual.placeholders
    assert "nhlog" not in manual.placeholders
