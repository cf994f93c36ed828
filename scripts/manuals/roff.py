"""Man pages: a manual in the macros of man(7), as troff and mandoc read them.

Lines are as style guides want them: a sentence begins a line, and none is longer than 80 bytes.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator

from scripts.manuals.tables import table_under
from scripts.manuals.verbs import EXIT_CODES, Listing, Manual, manual_of, verb_manuals
from terminal.cli import EPILOG, VERBS

__all__ = ["man_pages"]

_ESCAPES = str.maketrans({"\\": r"\e", "-": r"\-", "^": r"\(ha", "~": r"\(ti", "`": r"\(ga"})
_STRAIGHT = str.maketrans({"'": r"\(aq", '"': r"\(dq"})  # as one types them
_SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z])")
_MARKED = r"`(?P<code>[^`]+)`|(?P<option>(?<![\w.-])--?[a-z][\w-]*)|(?P<word>\b(?:{words})\b)"
_NOTHING = "(?!)"
_WIDTH = 76  # of a line, which may need another two bytes


def man_pages(version: str, date: str) -> Iterator[tuple[str, str]]:
    """The name and the content of each page: nhlog.1, and one for each verb."""
    yield "nhlog.1", _page("nhlog", version, date, _overview())
    for verb, manual in verb_manuals().items():
        yield f"nhlog-{verb}.1", _page(f"nhlog-{verb}", version, date, _of_verb(manual))


def _page(name: str, version: str, date: str, lines: Iterable[str]) -> str:
    title = f'.TH {name.upper().translate(_ESCAPES)} 1 {date} "nhlog {version}" "Manual of nhlog"'
    return "\n".join(['.\\" Made by scripts/manpages.', title, *lines, ""])


def _overview() -> Iterator[str]:
    manual = manual_of(None)
    words = manual.placeholders
    yield from _beginning(manual)
    yield ".PP"
    yield from _paragraphs([EPILOG.rpartition("\n\n")[2].strip()], words)
    yield from _section("VERBS", _close_items((f"`{verb}`", does) for verb, does in VERBS.items()))
    yield from _options(manual)
    yield from _section("POSITIONS", _items(table_under("## Positions", "docs/verbs.md")))
    yield from _exit_status()
    yield from _section("ENVIRONMENT", _items(table_under("## Environment variables", "docs/config.md")))
    yield from _section("FILES", _items(table_under("## Files", "docs/config.md")))
    yield from _see_also(f"nhlog-{verb}" for verb in VERBS)


def _of_verb(manual: Manual) -> Iterator[str]:
    yield from _beginning(manual)
    yield from _options(manual)
    if "POSITION" in manual.placeholders:
        yield from (".PP", *_sentences("nhlog(1) lists what a POSITION may be.", manual.placeholders))
    yield from _section("EXAMPLES", _as_it_is(manual.examples))
    yield from _exit_status()
    yield from _section("ENVIRONMENT AND FILES", ["See", ".BR nhlog (1)."])
    yield from _see_also(["nhlog", *(f"nhlog-{verb}" for verb in manual.mentioned)])


def _beginning(manual: Manual) -> Iterator[str]:
    summary = manual.summary.rstrip(".")
    name = f"{manual.name.replace(' ', '-')} - {summary[0].lower()}{summary[1:]}"
    yield from (".SH NAME", *_wrapped(_plain(name)), ".SH SYNOPSIS", f".B {manual.name}")
    yield from (_inline(manual.usage, manual.placeholders), ".SH DESCRIPTION")
    yield from _paragraphs(manual.text, manual.placeholders)


def _options(manual: Manual) -> Iterator[str]:
    return _section("OPTIONS", _items(manual.options, manual.placeholders))


def _exit_status() -> Iterator[str]:
    return _section("EXIT STATUS", _close_items((f"`{code}`", meaning) for code, meaning in EXIT_CODES))


def _see_also(pages: Iterable[str]) -> Iterator[str]:
    *others, last = [rf".BR {_plain(page)} (1)" for page in pages]
    return _section("SEE ALSO", [*(f"{other}," for other in others), last])


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    yield f".SH {title}"
    yield from lines


def _items(rows: Iterable[tuple[str, str]], words: frozenset[str] = frozenset()) -> Iterator[str]:
    for tag, meaning in rows:
        yield from (".TP", _inline(tag, words), *_sentences(meaning, words))


def _close_items(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Short ones, without empty lines between."""
    yield ".PD 0"
    for tag, meaning in rows:
        yield from (".TP 12", _inline(tag, frozenset()), *_sentences(meaning, frozenset()))
    yield ".PD"


def _paragraphs(blocks: Iterable[str | Listing], words: frozenset[str]) -> Iterator[str]:
    for number, block in enumerate(blocks):
        if number:
            yield ".PP"
        yield from _as_it_is(block.lines) if isinstance(block, Listing) else _sentences(block, words)


def _as_it_is(lines: Iterable[str]) -> Iterator[str]:
    yield from (".RS 4", ".EX")
    yield from (_protected(_code(line)) for line in lines)
    yield from (".EE", ".RE")


def _sentences(text: str, words: frozenset[str]) -> list[str]:
    """The text in lines, of which each sentence begins one."""
    return [line for sentence in _SENTENCE.split(text) for line in _wrapped(_inline(sentence, words))]


def _wrapped(text: str) -> list[str]:
    lines = textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [_protected(line) for line in lines]


def _inline(text: str, words: frozenset[str]) -> str:
    """Text with what one types in bold, and what stands for something else in italics."""
    marked = re.compile(_MARKED.format(words="|".join(sorted(words)) or _NOTHING))
    done, at = [], 0
    for found in marked.finditer(text):
        done.append(_plain(text[at : found.start()]))
        font = "I" if found["word"] else "B"
        done.append(rf"\f{font}{_code(found['code'] or found[0])}\fR")
        at = found.end()
    return "".join([*done, _plain(text[at:])])


def _plain(text: str) -> str:
    assert text.isprintable(), text
    return text.translate(_ESCAPES)


def _code(text: str) -> str:
    return _plain(text).translate(_STRAIGHT)


def _protected(line: str) -> str:
    """The line, which is no request."""
    return rf"\&{line}" if line.startswith((".", "'")) else line
