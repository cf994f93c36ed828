"""Bytes to keys, however they arrive."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nhlog.engines import engine_named, engines
from terminal.lobby.model import LOBBY_KEYS
from terminal.replay.controls import KEYS
from terminal.replay.menu import MENU_KEYS
from terminal.screen.console import key_names, known_terminal
from terminal.screen.keys import WHEEL
from terminal.screen.tty.keyboard import Keyboard


def typing(kind: str = "xterm") -> Keyboard:
    return Keyboard(key_names(known_terminal(kind)))


def fed(keyboard: Keyboard, data: bytes) -> list[str]:
    """The keys that are complete with this."""
    keyboard.feed(data)
    return list(keyboard)


def test_a_kind_of_terminal_has_sequences_of_its_own() -> None:
    assert fed(typing("rxvt"), b"\x1b[c\x1b[d\x1b[a.") == ["shift-right", "shift-left", "."]
    assert fed(typing("xterm"), b"\x1b[c\x1b[d.") == ["."]


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        (b"q", ["q"]),
        (b" .,{", [" ", ".", ",", "{"]),
        ("é世".encode(), ["é", "世"]),
        (b"\t\r\n\x7f\x08", ["tab", "enter", "enter", "backspace", "backspace"]),
        (b"\x1b[A\x1bOB\x1b[C\x1bOD", ["up", "down", "right", "left"]),
        (b"\x1b[1;2C\x1b[1;2D", ["shift-right", "shift-left"]),
        (b"\x1b[5~\x1b[6~\x1b[H\x1b[4~", ["page-up", "page-down", "home", "end"]),
        (b"\x1b[15~\x1b[2~\x1b[3~\x1bOP", ["f5", "insert", "delete", "f1"]),
        (b"\x1b[1;5A\x1b[1;5B\x1b[1;5C\x1b[1;5D", ["ctrl-up", "ctrl-down", "ctrl-right", "ctrl-left"]),
        (b"\x01\x10\x1a\x1d", ["ctrl-a", "ctrl-p", "ctrl-z", "ctrl-]"]),
        (b"\x1b[200~\x1b[[A\x1b[?62;c.", ["."]),
        (b"\x1b\x1b[A", ["escape", "up"]),
        (b"\x1bq", ["escape", "q"]),
        (b"\x00\x1c\x80\xff.", ["."]),
    ],
)
def test_keys_have_names(typed: bytes, keys: list[str]) -> None:
    assert fed(typing(), typed) == keys
    keyboard = typing()
    assert [key for byte in typed for key in fed(keyboard, bytes((byte,)))] == keys


def test_an_escape_character_alone_is_a_key_when_nothing_follows() -> None:
    keyboard = typing()
    assert fed(keyboard, b"\x1b") == []
    assert keyboard.waits
    assert keyboard.flush() == ["escape"]
    assert not keyboard.waits
    assert keyboard.flush() == []


def test_every_key_that_does_something_can_be_typed() -> None:
    typed = {
        key
        for sequence in (
            b"\x1b[A\x1b[B\x1b[C\x1b[D\x1b[1;2C\x1b[1;2D\x1b[5~\x1b[6~\x1b[H\x1b[F\x1b[Z\x1b[3~",
            bytes(range(1, 27)),
            b"\x1b",
            b"\x1b[1;2A\x1b[1;2B\x1b[1;5A\x1b[1;5B\x1b[1;5C\x1b[1;5D",
            bytes(range(32, 127)),
        )
        for keyboard in [typing()]
        for key in [*fed(keyboard, sequence), *keyboard.flush()]
    }
    # with Alt a character comes behind Escape (`terminal.play.loop`)
    bound = {binding.key.removeprefix("alt-") for name in engines() for binding in engine_named(name).bindings}
    assert {name for key in (*KEYS, *MENU_KEYS, *LOBBY_KEYS) for name in key.keys} | bound <= typed | {*WHEEL}


@given(st.binary(max_size=200))
def test_noise_neither_fails_nor_lingers(noise: bytes) -> None:
    keyboard = typing()
    for key in [*fed(keyboard, noise), *keyboard.flush()]:
        assert key.isprintable()
    assert fed(keyboard, b"\x1b[A")[-1:] in (["up"], [])
    assert not keyboard.waits


def test_a_sequence_without_end_is_noise() -> None:
    keyboard = typing()
    assert fed(keyboard, b"\x1b[" + b"1;" * 100)
    assert not keyboard.waits


@given(st.lists(st.binary(max_size=20)), st.integers(0, 10))
def test_keys_that_nobody_asks_for_stay(pieces: list[bytes], asked: int) -> None:
    lazy = typing()
    found = []
    for piece in pieces:
        lazy.feed(piece)
        found += islice(lazy, asked)
    assert [*found, *lazy] == fed(typing(), b"".join(pieces))


@given(st.text(), st.integers(0, 10), st.integers(0, 3))
def test_keys_that_nobody_asked_for_can_be_taken_as_they_came(text: str, asked: int, cut: int) -> None:
    typed, keyboard = text.encode(), typing()
    keyboard.feed(typed[: len(typed) - cut])
    begun = list(islice(keyboard, asked))
    rest = keyboard.take()
    assert [*begun, *fed(typing(), rest + typed[len(typed) - cut :])] == fed(typing(), typed)
    assert (keyboard.ready, keyboard.waits) == (False, False)
    assert keyboard.take() == b""
