"""Text in lines of so many columns: broken at spaces, and inside a word only where that alone is too wide.

Nothing is lost: the lines together have every word of the text.  A `Line` knows which of its parts have a meaning, and
where it goes on when it is broken.
"""

from collections.abc import Iterator
from typing import Final

from nhlog.values import pattern

__all__ = ["Line", "Part", "broken", "columns", "wrapped"]

_WORD: Final = pattern(r"( *)([^ ]+)")


def columns(text: str) -> int:
    """The number of columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from nhlog.screen import width_of  # which most text has no need of

    return width_of(text)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, of which there is at least one."""
    width = max(width, 1)
    if columns(text) <= width:
        return [text]
    lines, line, taken = [], "", 0
    for gap, word in _words(text, width):
        wide = columns(word)
        if taken and taken + len(gap) + wide > width:
            lines.append(line)
            line, taken, gap = "", 0, ""
        line += gap + word
        taken += len(gap) + wide
    return [*lines, line]


def _words(text: str, width: int) -> Iterator[tuple[str, str]]:
    """The words of a text, each with the spaces before it; one that is wider than `width` in pieces."""
    for found in _WORD.finditer(text):
        (gap, word), begin, end = found.groups(), 0, 0
        while end < len(word):
            end = _end(word, begin, width)
            yield gap, word[begin:end]
            gap, begin = "", end


def _end(word: str, begin: int, width: int) -> int:
    """Where the characters from `begin` on end that fit into so many columns, at least one; marks stay on theirs."""
    end = min(begin + width, len(word))
    while end > begin + 1 and columns(word[begin:end]) > width:
        end -= 1
    while end < len(word) and columns(word[begin : end + 1]) <= max(width, columns(word[begin:end])):
        end += 1
    return end


Part = str | tuple[str, str]
"""Some text; or text and the name of a style."""


class Line(str):
    """A line of parts, otherwise a text as any other; what is behind its first `hang` columns goes on below there.

    Whoever prints it in colour takes the styles of :mod:`terminal.screen.theme` by name.
    """

    __slots__ = ("hang", "parts")
    hang: int
    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part, hang: int = 0) -> "Line":
        """A line of these parts."""
        line = super().__new__(cls, "".join(map(_text, parts)))
        line.parts, line.hang = parts, hang
        return line

    def after(self, indent: str) -> "Line":
        """The same line, behind an indentation."""
        return Line(indent, *self.parts, hang=self.hang + len(indent) if self.hang else 0)


def _text(part: Part) -> str:
    return part if isinstance(part, str) else part[0]


def broken(line: str, width: int) -> Iterator[str]:
    """The line in lines of at most `width` columns; the others stand below what begins at its `hang`."""
    hang = getattr(line, "hang", 0) or len(line) - len(line.lstrip()) + 2
    if hang > width * 2 // 3:
        hang = 2
    head, tail = line[:hang], line[hang:]
    first, *others = wrapped(tail, width - hang)
    yield _restyled(line, head + first) if others else line
    yield from (" " * hang + other for other in others)


def _restyled(line: str, text: str) -> str:
    """The beginning of a line, with its styles as far as they go."""
    if not isinstance(line, Line):
        return text
    parts: list[Part] = []
    at = 0
    for part in line.parts:
        told = _text(part)
        if not text.startswith(told, at):
            break
        parts.append(part)
        at += len(told)
    return Line(*parts, text[at:])
