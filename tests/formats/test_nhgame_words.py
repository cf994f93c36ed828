"""Every line in words, whatever its data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.engines.delve import ENGINE
from nhlog.formats.nhgame.words import in_words, plain_text
from nhlog.log.wire.blob import Blob
from nhlog.log.wire.grammar import parse_line
from nhlog.log.wire.lines import BadLine, Command
from tests.log.wire.test_lines import LINES


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"welcome", "enters the game"),
        (b"search", "searches"),
        (b"search L5", "searches up to 5 times"),
        (b"frobnicate", "frobnicate"),
        (b"move D4", "moves east"),
        (b"kick D-1", "kicks nowhere"),
        (b"move D77", "moves direction 77"),
        (b"travel P12,7", "travels to 12,7"),
        (b"wear Ia", "wears armor item a"),
        (b"cast Sb D8", "casts a spell spell b up"),
        (b"name TRmlkbwA=", "names something 'Fido'"),
        (b"count L2 K27", "count up to 2 times key escape"),
        (b"+f", "15 microseconds later"),
        (b"P!", "position: cancelled"),
        (b"P42,17.", "position: 42,17"),
        (b"D-1", "direction: cancelled"),
        (b"D10", "direction: self"),
        (b"K97,-1", "key: a"),
        (b"K97", "key: a"),
        (b"K97,3", "key: a, 3 times"),
        (b"K27,-1", "key: escape"),
        (b"K4", "key: ^D"),
        (b"K32", "key: space"),
        (b"K-1", "key: code -1"),
        (b"K300", "key: code 300"),
        (b"Yy", "answer: y"),
        (b"Y\x1b", "answer: cancelled"),
        (b"Y\xe9", "answer: code 233"),
        (b"M", "menu: nothing picked"),
        (b"M!", "menu: cancelled"),
        (b"M5", "menu: picked 1 thing"),
        (b"M5:6", "menu: picked 2 things"),
        (b"O!", "menu: cancelled"),
        (b"O5,3:6", "menu: picked 2 things"),
        (b"LaGVsbG8gd29ybGQA", "text: 'hello world'"),
        (b"LGwA=", "text: cancelled"),
        (b"LAA==", "text: ''"),
        (b"L!", "text: '<bad base64"),
        (b"L#5#xxxx", "text: '<bad LZ4 block"),
        (b"B!", "bones: none found"),
        (b"BYm9uZXM=", "bones: found"),
        (b"R!", "score list: looked up"),
        (b"Q", "game over"),
        (b"*00000099 YQ==", "saved"),
        (b"~YQ==", "saved"),
    ],
)
def test_a_line_in_words(line: bytes, words: str) -> None:
    told = in_words(parse_line(line))
    assert told == words or ("<" in words and told.startswith(words))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"\0", ""),
        (b"Fido\0", "Fido"),
        (b"Fido", "Fido"),
        (b"a\0b\0", "a\0b"),
        ("żółw\0".encode(), "żółw"),
        (b"\xff\xfe\0", "\\xff\\xfe"),
    ],
)
def test_the_string_in_a_blob_is_without_its_nul(data: bytes, text: str) -> None:
    assert plain_text(Blob.of(data)) == text


@pytest.mark.parametrize("size", [1 << 20, 64 << 20])
def test_a_text_that_nobody_typed_is_named_and_not_shown(size: int) -> None:
    """The game's prompts take 256 bytes; a bomb of megabytes must not end up in a ledger."""
    told = plain_text(Blob.of(bytes(size)))
    assert len(told) < 200
    assert told.startswith("<")


@given(
    st.sampled_from(list(LINES)).flatmap(
        lambda line: st.just(line) | st.binary(max_size=12).map(lambda more: line[:1] + more)
    )
)
def test_words_are_one_line_for_any_line(line: bytes) -> None:
    try:
        value = parse_line(line.replace(b"\n", b""))
    except BadLine:
        return
    told = in_words(value)
    assert told
    assert "\n" not in told


def test_commands_of_delve_have_words_of_their_own() -> None:
    """No word of the ledger is the bare name of a command."""
    names = {binding.command.name for binding in ENGINE.bindings}
    bare = [name for name in names if in_words(Command(name, ())) == name]
    assert bare == []
