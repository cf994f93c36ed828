"""Pages of the site: the manual of a verb in Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping

from scripts.manuals.verbs import Listing, Manual

__all__ = ["verb_pages"]

_CODE = re.compile(r"`[^`]+`|(?<![\w.-])--?[a-z][\w-]*")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$])")
_DOCUMENT = re.compile(r"\bdocs/(\w+)\\?\.md\b")


def verb_pages(manuals: Mapping[str, Manual], json: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The name and the text of each verb's page; `json` has the headings about what verbs print."""
    for verb, manual in manuals.items():
        yield f"verbs/{verb}", "\n".join([*_lines(manual, json.get(verb)), ""])


def _lines(manual: Manual, json: str | None) -> Iterator[str]:
    yield from (f"# {manual.name}", "", *_fence([f"{manual.name} {manual.usage}"]))
    for block in manual.text:
        yield from _fence(block.lines) if isinstance(block, Listing) else (_inline(block), "")
    yield from ("## Examples", "", *_fence(manual.examples), "## Options", "")
    for option, meaning in manual.options:
        yield from (f"`{option}`", f": {_inline(meaning)}", "")
    yield from ("## See also", "")
    if json:
        yield f"- [What `--json` prints](../json.md#{json})"
    yield "- [Exit codes](../verbs.md#exit-codes)"
    if any("POSITION" in option for option, _ in manual.options) or "POSITION" in manual.usage:
        yield "- [Positions](../verbs.md#positions)"
    yield from (f"- [`nhlog {verb}`]({verb}.md)" for verb in manual.mentioned)


def _fence(lines: Iterable[str]) -> Iterator[str]:
    yield from ("```text", *lines, "```", "")


def _inline(text: str) -> str:
    """Text in which nothing is Markdown but what one types, and links to documents."""
    done, at = [], 0
    for found in _CODE.finditer(text):
        done += [_SPECIAL.sub(r"\\\1", text[at : found.start()]), f"`{found[0].strip('`')}`"]
        at = found.end()
    done.append(_SPECIAL.sub(r"\\\1", text[at:]))
    return _DOCUMENT.sub(r"[](../\1.md)", "".join(done))
