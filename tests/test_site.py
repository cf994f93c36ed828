"""The site of the documents, as far as it can be told without what builds it; `.ci/run` has `scripts/docs` build it."""

import os
import posixpath
import re
from functools import cache

import nhlog
from scripts.site.nav import NAV
from scripts.site.pages import pages, slug
from terminal.cli import VERBS
from tests.corpus import ROOT

LINK = re.compile(r"\]\((?!https?://)([^)\s#]*)(?:#([^)\s]+))?\)")


@cache
def texts() -> dict[str, str]:
    """The pages, by name, without what stands in fences."""
    return {name: re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL) for name, text in pages()}


def test_every_document_is_in_the_list_and_every_entry_is_a_page() -> None:
    listed = [name for names in NAV.values() for name in names]
    documents = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert sorted(documents - {*listed}) == []
    assert sorted({*listed} - {*texts()}) == []
    assert len(listed) == len({*listed})


def test_every_verb_and_every_main_name_has_its_place() -> None:
    assert [verb for verb in VERBS if f"verbs/{verb}" not in texts()] == []
    whole = dict(pages())
    missing = [
        name
        for module, names in nhlog._HOMES.items()
        for name in names
        if f":: {module}.{name}\n" not in whole[f"api/{module}"]
    ]
    assert missing == []


def test_every_link_leads_to_a_page_and_a_heading_of_it() -> None:
    wrong = []
    for name, text in texts().items():
        for file, heading in LINK.findall(re.sub("`[^`]*`", "", text)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), file)) if file else f"{name}.md"
            if target.endswith(".svg"):
                known = (ROOT / "docs" / target).exists()
            else:
                page = texts().get(target.removesuffix(".md"))
                known = page is not None and (not heading or heading in headings(page))
            if not known:
                wrong.append((name, file, heading))
    assert wrong == []


def headings(text: str) -> set[str]:
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def test_nothing_in_the_documents_is_of_this_machine() -> None:
    assert [name for name, text in texts().items() if os.fspath(ROOT) in text] == []
