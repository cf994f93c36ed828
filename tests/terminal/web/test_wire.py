"""Messages between the server and a process: whole ones alone, and none that is too long."""

import re

import pytest

from terminal.web.processes.wire import LONGEST, SIZES, Inbox, Kind, Message, packed, size_class
from tests.corpus import ROOT


def head(length: int) -> bytes:
    return length.to_bytes(4, "big") + bytes((Kind.WHOLE, 0))


def test_a_message_that_is_too_long_is_refused_before_any_of_it_came() -> None:
    assert list(Inbox().feed(head(LONGEST))) == []
    with pytest.raises(ValueError, match=str(LONGEST + 1)):
        list(Inbox().feed(head(LONGEST + 1)))


def test_messages_come_whole_however_they_are_cut() -> None:
    inbox, sent = Inbox(), packed(Kind.UPDATE, 1, b"one", b"") + packed(Kind.BACK)
    assert [message for at in range(len(sent)) for message in inbox.feed(sent[at : at + 1])] == [
        Message(Kind.UPDATE, 1, (b"one", b"")),
        Message(Kind.BACK, 255, ()),
    ]


@pytest.mark.parametrize("body", [b"\0\0\0", b"\0\0\0\2x"])
def test_parts_that_lead_out_of_their_message_are_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        list(Inbox().feed(head(len(body)) + body))


def test_a_class_is_found_by_the_size_that_the_page_names_and_is_the_smallest_for_anything_else() -> None:
    assert [size_class(f"{columns}x{rows}") for columns, rows in SIZES] == [0, 1, 2]
    assert [size_class(text) for text in ("", "120", "120x41", "40x120")] == [0] * 4


def test_the_page_asks_for_the_sizes_that_there_are() -> None:
    page = (ROOT / "terminal" / "web" / "static" / "recording.js").read_text()
    [named] = re.findall(r"^const SIZES = \[(.*)\];", page, re.MULTILINE)
    found = [(int(columns), int(rows)) for columns, rows in re.findall(r"\[(\d+), (\d+)\]", named)]
    assert found == [*reversed(SIZES)]
