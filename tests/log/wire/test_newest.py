"""The newest lines of a log are remembered, and what is forgotten is told as such."""

import pytest

from nhlog.log.wire import reader
from nhlog.log.wire.reader import NewestLines


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> NewestLines:
    """Of some that begin at 100; eight bytes are remembered."""
    monkeypatch.setattr(reader, "MOST", 8)
    return NewestLines(100)


def test_what_follows_an_offset_is_there_where_it_was_read(lines: NewestLines) -> None:
    lines.add(b"ab\n")
    lines.add(b"")
    lines.add(b"cde\n")
    assert lines.end == 107
    assert [lines.after(offset) for offset in (100, 102, 103, 106)] == [b"ab\ncde\n", b"\ncde\n", b"cde\n", b"\n"]
    assert [lines.after(offset) for offset in (99, 107, 108)] == [b""] * 3


def test_the_latest_bytes_are_there_however_they_came(lines: NewestLines) -> None:
    for piece in (b"a\n", b"bc\n", b"d\n"):
        lines.add(piece)
    assert [lines.latest(size) for size in (0, 2, 3, 5, 100)] == [b"", b"d\n", b"\nd\n", b"bc\nd\n", b"a\nbc\nd\n"]


def test_what_is_older_than_need_be_is_forgotten_and_never_told_in_part(lines: NewestLines) -> None:
    for piece in (b"abcd\n", b"efgh\n", b"ijkl\n"):
        lines.add(piece)
    assert lines.after(105) == b"efgh\nijkl\n"
    assert lines.after(104) == b""
    lines.add(b"x" * 20 + b"\n")
    assert (lines.end, lines.latest(100)) == (136, b"x" * 7 + b"\n")
    assert lines.after(127) == b""
