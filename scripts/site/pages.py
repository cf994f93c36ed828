"""The source of the site: every page as a Markdown file in one folder, with links that lead to pages."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from scripts.manuals.markdown import verb_pages
from scripts.manuals.tables import ROOT
from scripts.manuals.verbs import verb_manuals
from scripts.site.library import library_pages
from scripts.site.nav import NAV
from terminal.cli import VERBS

__all__ = ["pages", "slug", "write_source"]

_WHOLE = {"README.md": "index", "CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog"}
"""The pages of documents that do not lie in `docs/`."""
_VERB = re.compile(r"^\| `nhlog (\w+)` \|", re.MULTILINE)
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
        yield path.stem, _linked(path.read_text()) + (_listed() if path.stem == "verbs" else "")
    for file, name in _WHOLE.items():
        yield name, _linked((ROOT / file).read_text()) + (_contents() if name == "index" else "")
    yield from verb_pages(verb_manuals(), _json_headings())
    yield from library_pages()


def _linked(text: str) -> str:
    """The text with its links to documents leading to pages, and the list of verbs to theirs; not what is in fences."""
    parts = _FENCE.split(text)
    parts[::2] = [
        _VERB.sub(r"| [`nhlog \1`](verbs/\1.md) |", _LINK.sub(_place, _NAMED.sub("[]", part))) for part in parts[::2]
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


def _place(found: re.Match[str]) -> str:
    """Where the site has a heading of a file."""
    file, heading = found[1], found[2]
    page = f"{_WHOLE[file]}.md" if file in _WHOLE else file
    return f"{page}#{heading}" if heading else page


def slug(heading: str) -> str:
    """A heading as links name it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _contents() -> str:
    return "".join(_toctree(caption, names) for caption, names in NAV.items())


def _toctree(caption: str, names: tuple[str, ...]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", ":titlesonly:", f":caption: {caption}", "", *names, "```", ""])


def _listed() -> str:
    """The list of the verbs' pages, below that of all verbs."""
    return "\n".join(
        ["", "```{toctree}", ":hidden:", ":titlesonly:", "", *(f"verbs/{verb}" for verb in VERBS), "```", ""]
    )


def _json_headings() -> dict[str, str]:
    """By verb, the heading in the document of `--json` that is about it, as links name it."""
    headings = re.findall(r"^## `nhlog (\w+)`$", (ROOT / "docs" / "json.md").read_text(), re.MULTILINE)
    return {verb: f"nhlog-{verb}" for verb in headings}
