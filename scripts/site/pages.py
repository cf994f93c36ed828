"""The source of the site: every page as a Markdown file in one folder, with links that lead to pages."""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.manuals.markdown import verb_pages
from scripts.manuals.tables import ROOT
from scripts.manuals.verbs import verb_manuals
from scripts.site.library import library_pages
from scripts.site.nav import NAV
from terminal.cli import VERBS

__all__ = ["pages", "slug", "write_source"]

_SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
_OF_README = {"formats": "What it opens", "verbs/index": "Verbs", "how": "How it works"}
"""Sections of the README that are pages of their own; all before the first of them is the site's first page."""
_WHOLE = {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md"}
_PLACES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
_LINK = re.compile(r"(?<=\]\()(?:\.\./|docs/)*([\w./-]+)(?:#([\w-]+))?(?=\))")
_NAMED = re.compile(
    r"\[(?:docs/)?(?!README)\w+\.md\](?=\()"
)  # a link whose text is the name of its file: it gets the page's title
_LANGUAGES = {
    "toml": re.compile(r"^(\[[\w.\"]+\]|[\w-]+ = [\"\[\d{tf].*)$", re.MULTILINE),
    "json": re.compile(r"\A```\n\{"),
    "sh": re.compile(
        r"\A```\n(# .*\n)*(nhlog|scripts/|python3?|pip|sudo|apt|ssh|systemctl|docker|git|mkdir|useradd|\./) ?"
    ),
}
"""What tells the languages of blocks, the first that fits."""
_FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def write_source(folder: Path) -> None:
    """Write all pages and pictures into a folder."""
    shutil.copytree(ROOT / "docs" / "pictures", folder / "pictures")
    for name, text in pages():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def pages() -> Iterator[tuple[str, str]]:
    """The name and the text of each page."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        yield path.stem, _linked(path.read_text(), "")
    for name, file in _WHOLE.items():
        yield name, _linked((ROOT / file).read_text(), "")
    beginning, sections = _readme()
    yield "index", _linked(beginning, "") + _contents()
    for name, title in _OF_README.items():
        heading = _verbs() if name == "verbs/index" else f"# {title}\n"
        yield name, heading + _linked(_one_level_up(sections[title]), "../" * name.count("/"))
    yield from verb_pages(verb_manuals(), _json_headings())
    yield from library_pages()


def _readme() -> tuple[str, dict[str, str]]:
    """The beginning of the README, and its sections that are pages."""
    beginning, *parts = _SECTION.split((ROOT / "README.md").read_text())
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    kept = [f"## {title}\n{text}" for title, text in sections.items() if title not in _OF_README.values()]
    return beginning + "".join(kept), sections


def _one_level_up(text: str) -> str:
    return re.sub(r"^#(#+ )", r"\1", text, flags=re.MULTILINE)


def _linked(text: str, above: str) -> str:
    """The text with its links to documents leading to pages; what stands in fences stays."""
    parts = _FENCE.split(text)
    parts[::2] = [
        _LINK.sub(lambda found: above + _place(found[1], found[2]), _NAMED.sub("[]", part)) for part in parts[::2]
    ]
    parts[1::2] = map(_coloured, parts[1::2])
    return "".join(parts)


def _coloured(block: str) -> str:
    """The block in the language that it is written in, where it does not say so: GitHub's readers need no colours."""
    if not block.startswith("```\n"):
        return block
    language = next((name for name, begins in _LANGUAGES.items() if begins.search(block)), "text")
    if language == "sh" and block.count("'") % 2:
        language = "text"  # words beside the commands, which no shell could read
    return f"```{language}{block[3:]}"


def _place(file: str, heading: str | None) -> str:
    """Where the site has a heading of a file."""
    page = _PLACES.get(file, file)
    if file == "README.md":
        page = _of_readme().get(heading or "", "index.md")
    return f"{page}#{heading}" if heading and heading not in map(slug, _OF_README.values()) else page


@cache
def _of_readme() -> dict[str, str]:
    """The pages of those headings of the README that are not on the first page."""
    sections = _readme()[1]
    found = {slug(title): f"{name}.md" for name, title in _OF_README.items()}
    for name, title in _OF_README.items():
        found |= {slug(heading): f"{name}.md" for heading in re.findall(r"^#+ (.+)$", sections[title], re.MULTILINE)}
    return found


def slug(heading: str) -> str:
    """A heading as links name it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _contents() -> str:
    return "".join(_toctree(caption, names) for caption, names in NAV.items())


def _toctree(caption: str, names: tuple[str, ...]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", ":titlesonly:", f":caption: {caption}", "", *names, "```", ""])


def _verbs() -> str:
    """The beginning of the page of all verbs: what each does, with its page."""
    rows = [f"| [`nhlog {verb}`]({verb}.md) | {does} |" for verb, does in VERBS.items()]
    listed = ["```{toctree}", ":hidden:", ":titlesonly:", "", *VERBS, "```"]
    return "\n".join(["# Commands", "", "| command | does |", "|---|---|", *rows, "", *listed, "", "## Examples", ""])


def _json_headings() -> dict[str, str]:
    """By verb, the heading in the document of `--json` that is about it, as links name it."""
    headings = re.findall(r"^## `nhlog (\w+)`$", (ROOT / "docs" / "json.md").read_text(), re.MULTILINE)
    return {verb: f"nhlog-{verb}" for verb in headings}
