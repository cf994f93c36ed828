"""Bytes to lines: however the bytes come, the same lines, and a partial one is never an error."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.log.wire import reader
from nhlog.log.wire.lines import BadLine
from nhlog.log.wire.reader import LineReader, RawLine
from tests.effort import spent

DATA = b"search\n+1\n\n~AUM=\nmove D4"
LINES = [RawLine(7, b"search"), RawLine(14, b"+1"), RawLine(17, b""), RawLine(18, b"~AUM=")]


def test_all_at_once() -> None:
    lines = LineReader(7)
    assert list(lines.feed(DATA)) == LINES
    assert (lines.offset, lines.held, lines.partial) == (24, 7, b"move D4")


def test_byte_by_byte() -> None:
    lines = LineReader(7)
    assert [line for byte in DATA for line in lines.feed(bytes((byte,)))] == LINES
    assert (lines.offset, lines.held, lines.partial) == (24, 7, b"move D4")


@given(st.lists(st.binary(max_size=6) | st.sampled_from([b"\n", b"\n\n", b"a\n"])), st.integers(0, 1 << 40))
def test_however_the_bytes_come_the_lines_are_the_same(parts: list[bytes], start: int) -> None:
    whole, pieces = LineReader(start), LineReader(start)
    expected = list(whole.feed(b"".join(parts)))
    assert [line for part in parts for line in pieces.feed(part)] == expected
    assert (pieces.offset, pieces.partial) == (whole.offset, whole.partial)
    joined = b"".join(line.data + b"\n" for line in expected) + pieces.partial
    assert joined == b"".join(parts)
    assert all(line.offset - start == joined.index(line.data, line.offset - start) for line in expected)


def test_an_end_without_newline_is_more_to_come() -> None:
    lines = LineReader(0)
    assert list(lines.feed(b"sear")) == []
    assert list(lines.feed(b"")) == []
    assert list(lines.feed(b"ch\n")) == [RawLine(0, b"search")]
    assert lines.held == 0


def test_a_line_may_reach_the_bound_and_not_pass_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_LINE", 10)
    assert list(LineReader(3).feed(b"x" * 10 + b"\n")) == [RawLine(3, b"x" * 10)]
    for pieces in ([b"x" * 11], [b"x"] * 11, [b"ok\n" + b"x" * 11], [b"x" * 11 + b"\n"], [b"x" * 9, b"xx\n"]):
        lines = LineReader(3)
        with pytest.raises(BadLine, match="line too long") as error:
            list(chain.from_iterable(map(lines.feed, pieces)))
        assert error.value.offset == (6 if b"ok" in pieces[0] else 3)


def test_the_bound_is_what_the_longest_line_takes_that_is_read_and_a_small_machine_has() -> None:
    """A save of 32 MiB that no compression makes smaller takes 43; three times the save is never held."""
    piece = b"x" * (1 << 20)
    lines = LineReader(0)
    for held in range(1, 97):
        assert list(lines.feed(piece)) == []
        assert lines.held == held << 20
    with pytest.raises(BadLine, match="expected at most 100663296 bytes, found 100663297"):
        list(lines.feed(b"x"))


def test_a_long_line_that_comes_byte_by_byte_takes_linear_time() -> None:
    def feed(size: int) -> None:
        lines = LineReader(0)
        for _ in range(size):
            list(lines.feed(b"x"))

    def cost(size: int) -> float:
        return min(spent(lambda: feed(size)) for _ in range(3))

    assert cost(80_000) < 40 * cost(8_000)  # it would be 100 times with a copy each
