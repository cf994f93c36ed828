"""What a terminal tells its user: all that was asked for, and of what is on the screen no more than changed."""

import pytest

from nhlog.emulator.emulated import Emulated
from nhlog.emulator.wire import LOOK, ROW, TEXTS
from nhlog.vt.rows import Rows


def made(output: bytes = b"") -> Emulated:
    terminal = Emulated(20, 5)
    terminal.feed(output)
    return terminal


def rows(body: bytes) -> dict[int, bytes]:
    found, at = {}, 0
    while at < len(body):
        y, size = ROW.unpack_from(body, at)
        at += ROW.size
        found[y] = body[at : at + size]
        at += size
    return found


def looked(terminal: Emulated) -> tuple[bytes, list[int]]:
    """The title, and which rows are told."""
    body = terminal.look()
    *_, title, told = LOOK.unpack_from(body)
    found = rows(body[LOOK.size + title :])
    assert len(found) == told
    return body[LOOK.size : LOOK.size + title], [*found]


def read(terminal: Emulated, word: str = "", *, afresh: bool = False) -> dict[int, bytes]:
    body = terminal.texts(word, afresh=afresh)
    assert TEXTS.unpack_from(body)[2] == 5
    return rows(body[TEXTS.size :])


def test_a_look_tells_of_the_rows_that_were_written_to_since_the_last() -> None:
    terminal = made(b"one\r\ntwo\r\nthree\x1b[2;1H")
    looked(terminal)
    terminal.feed(b"TWO")
    assert looked(terminal)[1] == [1]
    assert looked(terminal)[1] == []


def test_a_look_tells_of_a_row_of_which_a_character_got_a_mark() -> None:
    terminal = made(b"one\r\ntwo")
    looked(terminal)
    terminal.feed("\u0301".encode())
    assert 1 in looked(terminal)[1]


@pytest.mark.parametrize(
    "output",
    [
        b"one\r\n\x1b[1;31mtwo",
        b"one\x1b[3;7H",
        b"one\x1b(0",
        b"one\x1b]8;;http://a/\x1b\\",
        b"one\x1b[2;4r\x1b[2;1H",
        b"one\x1b[?7l\x1b[4;17H",
        b"one\x1b[3g\x1b[6G\x1bH\r",
    ],
    ids=["style", "cursor", "characters", "link", "region", "modes", "tab stops"],
)
def test_who_is_fed_the_state_of_another_goes_on_alike(output: bytes) -> None:
    one = made(output)
    other = made(one.state())
    for terminal in (one, other):
        terminal.feed(b"\tlqk word\r\n\n\n!")
    assert Rows().look(other.look()) == Rows().look(one.look())


def test_texts_are_told_once_and_all_again_to_who_looks_afresh() -> None:
    terminal = made(b"one\r\ntwo")
    first = read(terminal)
    assert (first[0], first[1]) == (b"one", b"two")
    assert read(terminal) == {}
    terminal.feed(b"!")
    assert read(terminal) == {1: b"two!"}
    assert read(terminal, afresh=True) == {**dict.fromkeys(range(5), b""), 0: b"one", 1: b"two!"}
    assert read(terminal, "two", afresh=True)[0] == b"", "a row without the word"


@pytest.mark.parametrize("title", [b"", b"a title", b"t" * 1000])
def test_a_title_is_told_with_each_look(title: bytes) -> None:
    terminal = made(b"\x1b]0;" + title + b"\x07")
    assert looked(terminal)[0] == looked(terminal)[0] == title


def test_a_snapshot_keeps_what_has_not_ended_yet_or_there_is_none() -> None:
    begun = b"\x1b]0;" + b"t" * (1 << 16)
    terminal = made(b"text" + begun)
    assert terminal.unfinished == begun
    assert TEXTS.unpack_from(terminal.texts("", afresh=True))[1] == 1
    snapshot = terminal.snapshot()
    assert snapshot is not None
    again = Emulated.restored(snapshot)
    assert (again.unfinished, again.size) == (begun, (20, 5))
    assert read(again, afresh=True)[0] == b"text"
    terminal.feed(b"t" * (1 << 20))
    assert terminal.snapshot() is None
    terminal.feed(b"\x07")
    assert (terminal.snapshot() is None, terminal.unfinished) == (False, b"")
