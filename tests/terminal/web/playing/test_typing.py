"""What a terminal sends for keys, pastes and clicks."""

import pytest

from terminal.web.processes.typing import MOST_PASTED, clicked, key_bytes, modes_of, pasted, turned

PLAIN: frozenset[int] = frozenset()
MOUSE = frozenset({1002, 1006})


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("x", b"x"),
        ("é", "é".encode()),
        ("enter", b"\r"),
        ("escape", b"\x1b"),
        ("backspace", b"\x7f"),
        ("up", b"\x1b[A"),
        ("home", b"\x1b[H"),
        ("shift-left", b"\x1b[1;2D"),
        ("ctrl-right", b"\x1b[1;5C"),
        ("ctrl-p", b"\x10"),
        ("ctrl-]", b"\x1d"),
        ("f1", b"\x1bOP"),
        ("f12", b"\x1b[24~"),
    ],
)
def test_a_key_sends_what_xterm_sends(name: str, sent: bytes) -> None:
    assert key_bytes(name, PLAIN) == sent


@pytest.mark.parametrize("name", ["", "\x1b", "\n", "ctrl-", "ctrl-é", "ctrl-[", "shift-x", "up up", "\x1b[A", "f13"])
def test_what_is_no_key_sends_nothing(name: str) -> None:
    assert key_bytes(name, PLAIN) == b""


def test_cursor_keys_are_others_where_a_program_wants_them_so() -> None:
    modes = modes_of(b"\x1b[?1h\x1b[?1049h\x1b[3g\x1b[?2004h\x1b[Htext")
    assert modes == {1, 1049}
    assert [key_bytes(name, modes) for name in ("up", "end", "ctrl-up")] == [b"\x1bOA", b"\x1bOF", b"\x1b[1;5A"]


def test_pasted_text_has_no_keys_in_it_but_those_that_end_lines() -> None:
    assert pasted("one\r\ntwo\nthree\x1b[A\x03\x04\t.", PLAIN) == b"one\rtwo\rthree[A\t."
    assert pasted("\x1b[201~rm", frozenset({2004})) == b"\x1b[200~[201~rm\x1b[201~"
    assert len(pasted("x" * 1000, PLAIN)) == MOST_PASTED


def test_a_click_is_sent_where_a_program_wants_clicks() -> None:
    assert (clicked(4, 6, PLAIN), turned(1, PLAIN), clicked(4, 6, frozenset({1000}))) == (b"", b"", b"")
    assert clicked(4, 6, MOUSE) == b"\x1b[<0;5;7M\x1b[<0;5;7m"
    assert clicked(-5, -5, MOUSE) == b"\x1b[<0;1;1M\x1b[<0;1;1m"
    assert (turned(-3, MOUSE), turned(1, MOUSE), turned(0, MOUSE)) == (b"\x1b[<64;1;1M", b"\x1b[<65;1;1M", b"")
